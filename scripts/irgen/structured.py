"""Control flow as source programs have it: statements nested in statements. Always reducible."""

from .chance import uneven_wheel

MAX_DEPTH = 10

STATEMENTS = {
    "straight": 4, "if_then": 6, "if_else": 6, "while_loop": 4, "do_while": 4, "endless": 0.4,
    "leave": 3, "again": 2, "early_end": 2, "switch": 1.5,
}
LEAVES = {"straight": 3, "leave": 2, "again": 1, "early_end": 2}


class Structured:
    """Writes statements until the budget of blocks is used up.

    Every statement starts at a block that has no successors yet and answers the block where control goes
    on, or None when it never does.
    """

    def __init__(self, rng, graph, budget):
        self._rng = rng
        self._graph = graph
        self._end = len(graph) + budget
        self._loops = []  # (header, exit) of the loops around, innermost last
        self._statements = uneven_wheel(rng, STATEMENTS)
        self._leaves = uneven_wheel(rng, LEAVES)

    def build(self, at):
        """A sequence of statements; answers the blocks where control comes out: one or none."""
        while at is not None and len(self._graph) < self._end:
            at = self._sequence(at, 4, 0)
        return [] if at is None else [at]

    def _sequence(self, at, longest, depth):
        for _ in range(self._rng.between(1, longest)):
            wheel = self._statements if depth < MAX_DEPTH and len(self._graph) < self._end else self._leaves
            at = getattr(self, "_" + wheel.pick())(at, depth + 1)
            if at is None:
                return None
        return at

    def _branch(self, at, first, second):
        """A two-way branch; which arm comes first is left to chance."""
        self._graph.link(at, *((first, second) if self._rng.hit(0.5) else (second, first)))

    def _run_into(self, start, target, depth):
        """A body that begins at `start` and, where it ends, goes on to `target`."""
        end = self._sequence(start, 3, depth) if self._rng.hit(0.6) else start
        if end is not None:
            self._graph.link(end, target)
        return end is not None

    def _straight(self, at, _depth):
        after = self._graph.add()
        self._graph.link(at, after)
        return after

    def _if_then(self, at, depth):
        body, after = self._graph.add(), self._graph.add()
        self._branch(at, body, after)
        self._run_into(body, after, depth)
        return after

    def _if_else(self, at, depth):
        body, other, after = self._graph.add(), self._graph.add(), self._graph.add()
        self._branch(at, body, other)
        comes_out = self._run_into(body, after, depth)
        comes_out |= self._run_into(other, after, depth)
        return after if comes_out else None

    def _switch(self, at, depth):
        arms = [self._graph.add() for _ in range(self._rng.between(2, 6))]
        after = self._graph.add()
        self._graph.link(at, *(self._rng.one(arms) for _ in range(self._rng.below(3))), *arms)
        if self._rng.hit(0.5):
            self._graph.link(at, after)
        for index, arm in enumerate(arms):
            falls_through = index + 1 < len(arms) and self._rng.hit(0.2)
            self._run_into(arm, arms[index + 1] if falls_through else after, depth)
        return after

    def _loop_body(self, header, after, start, depth):
        """The inside of a loop: where it ends, or None."""
        self._graph.headers.append(header)
        self._loops.append((header, after))
        end = self._sequence(start, 4, depth) if self._rng.hit(0.8) else start
        self._loops.pop()
        return end

    def _while_loop(self, at, depth):
        header, body, after = self._graph.add(), self._graph.add(), self._graph.add()
        self._graph.link(at, header)
        self._branch(header, body, after)
        end = self._loop_body(header, after, body, depth)
        if end is not None:
            self._graph.link(end, header)
        return after

    def _do_while(self, at, depth):
        header, after = self._graph.add(), self._graph.add()
        self._graph.link(at, header)
        end = self._loop_body(header, after, header, depth)
        if end is not None:
            self._branch(end, header, after)
        return after

    def _endless(self, at, depth):
        header, after = self._graph.add(), self._graph.add()
        self._graph.link(at, header)
        end = self._loop_body(header, after, header, depth)
        if end is not None:
            self._graph.link(end, header)
        return after

    def _leave(self, at, depth):
        """`break`, out of one loop or of several at once."""
        if not self._loops:
            return self._early_end(at, depth)
        after = self._graph.add()
        self._branch(at, self._rng.one(self._loops[-3:])[1], after)
        return after

    def _again(self, at, depth):
        """`continue`: one more latch."""
        if not self._loops:
            return self._straight(at, depth)
        after = self._graph.add()
        self._branch(at, self._loops[-1][0], after)
        return after

    def _early_end(self, at, _depth):
        """A block in which the function ends."""
        stop, after = self._graph.add(), self._graph.add()
        self._branch(at, stop, after)
        return after
