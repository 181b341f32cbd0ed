"""Control flow as source programs have it: statements nested in statements. Always reducible."""

from collections.abc import Callable

from .chance import Chance, uneven_wheel
from .graph import Graph

MAX_DEPTH = 10

# fmt: off
STATEMENTS = {
    "straight": 4, "if_then": 6, "if_else": 6, "while_loop": 4, "do_while": 4, "endless": 0.4,
    "leave": 3, "again": 2, "early_end": 2, "switch": 1.5,
}
# fmt: on
LEAVES = {"straight": 3, "leave": 2, "again": 1, "early_end": 2}


class Structured:
    """Writes statements until the budget of blocks is used up.

    Every statement starts at a block that has no successors yet and answers the block where control goes on.
    """

    def __init__(self, rng: Chance, graph: Graph, budget: int) -> None:
        self._rng = rng
        self._graph = graph
        self._end = len(graph) + budget
        self._loops: list[tuple[int, int]] = []  # (header, exit) of the loops around, innermost last
        self._statements = uneven_wheel(rng, STATEMENTS)
        self._leaves = uneven_wheel(rng, LEAVES)

    def build(self, at: int) -> list[int]:
        """A sequence of statements; answers the block where control comes out, as a list."""
        while len(self._graph) < self._end:
            at = self._sequence(at, 4, 0)
        return [at]

    def _sequence(self, at: int, longest: int, depth: int) -> int:
        for _ in range(self._rng.between(1, longest)):
            wheel = self._statements if depth < MAX_DEPTH and len(self._graph) < self._end else self._leaves
            statement: Callable[[int, int], int] = getattr(self, "_" + wheel.pick())
            at = statement(at, depth + 1)
        return at

    def _branch(self, at: int, first: int, second: int) -> None:
        """A two-way branch; which arm comes first is left to chance."""
        self._graph.link(at, *((first, second) if self._rng.hit(0.5) else (second, first)))

    def _run_into(self, start: int, target: int, depth: int) -> None:
        """A body that begins at `start` and, where it ends, goes on to `target`."""
        end = self._sequence(start, 3, depth) if self._rng.hit(0.6) else start
        self._graph.link(end, target)

    def _straight(self, at: int, _depth: int) -> int:
        after = self._graph.add()
        self._graph.link(at, after)
        return after

    def _if_then(self, at: int, depth: int) -> int:
        body, after = self._graph.add(), self._graph.add()
        self._branch(at, body, after)
        self._run_into(body, after, depth)
        return after

    def _if_else(self, at: int, depth: int) -> int:
        body, other, after = self._graph.add(), self._graph.add(), self._graph.add()
        self._branch(at, body, other)
        self._run_into(body, after, depth)
        self._run_into(other, after, depth)
        return after

    def _switch(self, at: int, depth: int) -> int:
        arms = [self._graph.add() for _ in range(self._rng.between(2, 6))]
        after = self._graph.add()
        self._graph.link(at, *(self._rng.one(arms) for _ in range(self._rng.below(3))), *arms)
        if self._rng.hit(0.5):
            self._graph.link(at, after)
        for index, arm in enumerate(arms):
            falls_through = index + 1 < len(arms) and self._rng.hit(0.2)
            self._run_into(arm, arms[index + 1] if falls_through else after, depth)
        return after

    def _loop_body(self, header: int, after: int, start: int, depth: int) -> int:
        """The inside of a loop: where it ends."""
        self._graph.headers.append(header)
        self._loops.append((header, after))
        end = self._sequence(start, 4, depth) if self._rng.hit(0.8) else start
        self._loops.pop()
        return end

    def _while_loop(self, at: int, depth: int) -> int:
        header, body, after = self._graph.add(), self._graph.add(), self._graph.add()
        self._graph.link(at, header)
        self._branch(header, body, after)
        end = self._loop_body(header, after, body, depth)
        self._graph.link(end, header)
        return after

    def _do_while(self, at: int, depth: int) -> int:
        header, after = self._graph.add(), self._graph.add()
        self._graph.link(at, header)
        end = self._loop_body(header, after, header, depth)
        self._branch(end, header, after)
        return after

    def _endless(self, at: int, depth: int) -> int:
        header, after = self._graph.add(), self._graph.add()
        self._graph.link(at, header)
        end = self._loop_body(header, after, header, depth)
        self._graph.link(end, header)
        return after

    def _leave(self, at: int, depth: int) -> int:
        """`break`, out of one loop or of several at once."""
        if not self._loops:
            return self._early_end(at, depth)
        after = self._graph.add()
        self._branch(at, self._rng.one(self._loops[-3:])[1], after)
        return after

    def _again(self, at: int, depth: int) -> int:
        """`continue`: one more latch."""
        if not self._loops:
            return self._straight(at, depth)
        after = self._graph.add()
        self._branch(at, self._loops[-1][0], after)
        return after

    def _early_end(self, at: int, _depth: int) -> int:
        """A block in which the function ends."""
        stop, after = self._graph.add(), self._graph.add()
        self._branch(at, stop, after)
        return after
