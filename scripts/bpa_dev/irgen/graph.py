"""Random control-flow graphs. Block 0 is the entry and has no predecessors."""

from collections.abc import Callable

from .chance import Chance, uneven_choice

#: The successors of each block.
Graph = list[list[int]]

#: Each profile of the generator builds graphs from pieces of these kinds. Kinds with higher weights are more frequent.
PIECES: dict[str, dict[str, float]] = {
    "general": {"statements": 60, "random": 20, "region": 8, "trap": 7, "row": 3},
    "irreducible": {"region": 60, "random": 25, "statements": 10, "ring": 10},
}
STATEMENTS = {
    "straight": 4,
    "if": 8,
    "while": 4,
    "do": 4,
    "switch": 2,
    "break": 3,
    "continue": 2,
    "end": 2,
    "forever": 0.4,
}
DEEPEST = 8
#: The target of a random edge is chosen from one of these ranges of block numbers. The ranges are relative to the
#: number of the source block. A wide range of targets makes irreducible cycles likely.
WINDOWS = ((-3, 4), (-12, 4), (1, 4), (-400, 400))
#: Sizes of giant switches. For more than 128 weights, LLVM uses a different algorithm.
GIANTS = ((129, 300), (129, 300), (1000, 5000))


def generate(rng: Chance, profile: str, blocks: int) -> Graph:
    """Returns a graph with about `blocks` blocks."""
    graph: Graph = [[]]
    kinds = uneven_choice(rng, PIECES[profile])
    end = 0
    pieces = rng.between(1, 3)
    for _ in range(pieces):
        builder = Builder(rng, graph, len(graph) + max(1, blocks // pieces))
        make: Callable[[int], int] = getattr(builder, "_" + kinds.pick())
        end = make(end)
    spoil(rng, graph)
    return graph


def spoil(rng: Chance, graph: Graph) -> None:
    """Adds edges between arbitrary blocks, parallel edges, giant switches and unreachable blocks."""
    inner = range(1, len(graph))
    if rng.hit(0.15):
        strays = [add(graph) for _ in range(rng.size(2.0))]
        for stray in strays:
            graph[stray] += [rng.one(strays), *[rng.one(inner) for _ in range(rng.below(2)) if inner]]
    for rate, chance in ((0.1, 0.1), (0.2, rng.one((0.05, 0.15, 0.5)))):
        if not inner or not rng.hit(rate):
            continue
        for successors in graph:
            if successors and rng.hit(chance):
                target = rng.one(inner) if rate == 0.1 else rng.one(successors)
                successors.insert(rng.below(len(successors) + 1), target)
    if inner and rng.hit(0.006):
        targets = [rng.one(inner) for _ in range(rng.between(1, 40))]
        rng.one(graph).extend(rng.one(targets) for _ in range(rng.between(*rng.one(GIANTS))))


def add(graph: Graph) -> int:
    graph.append([])
    return len(graph) - 1


class Builder:
    """Builds pieces of a graph. Each method adds a piece after the block `at`, and returns the last block."""

    def __init__(self, rng: Chance, graph: Graph, limit: int) -> None:
        self._rng, self._graph, self._limit = rng, graph, limit
        self._choice = uneven_choice(rng, STATEMENTS)
        #: The header and the exit of each enclosing loop. The innermost loop is last.
        self._loops: list[tuple[int, int]] = []

    def _link(self, source: int, *targets: int) -> None:
        """Adds edges in random order."""
        chosen = list(targets)
        self._rng.shuffle(chosen)
        self._graph[source] += chosen

    def _row(self, at: int) -> int:
        while len(self._graph) < self._limit:
            self._graph[at].append(at := add(self._graph))
        return at

    # ---- structured control flow -------------------------------------------------------------------------------------

    def _statements(self, at: int) -> int:
        while len(self._graph) < self._limit:
            at = self._sequence(at, 4, 0)
        return at

    def _sequence(self, at: int, longest: int, depth: int) -> int:
        for _ in range(self._rng.between(1, longest)):
            at = self._statement(at, depth + 1)
        return at

    def _body(self, depth: int, target: int) -> int:
        """Adds statements that end with an edge to `target`, and returns their first block."""
        start = add(self._graph)
        end = self._sequence(start, 3, depth) if self._rng.hit(0.6) else start
        self._graph[end].append(target)
        return start

    def _statement(self, at: int, depth: int) -> int:
        kind = self._choice.pick() if depth < DEEPEST and len(self._graph) < self._limit else "straight"
        after = add(self._graph)
        if kind == "if":
            self._link(at, self._body(depth, after), self._body(depth, after) if self._rng.hit(0.5) else after)
        elif kind == "switch":
            arms = [self._body(depth, after) for _ in range(self._rng.between(2, 6))]
            repeated = [self._rng.one(arms) for _ in range(self._rng.below(3))]
            self._link(at, *arms, *repeated, *([after] if self._rng.hit(0.5) else []))
        elif kind in ("while", "do", "forever"):
            header = add(self._graph)
            self._graph[at].append(header)
            self._loops.append((header, after))
            start = add(self._graph) if kind == "while" else header
            end = self._sequence(start, 4, depth) if self._rng.hit(0.8) else start
            self._loops.pop()
            self._link(end, header, *([after] if kind == "do" else []))
            if kind == "while":
                self._link(header, start, after)
        elif kind in ("break", "continue") and self._loops:
            loop = self._rng.one(self._loops[-3:]) if kind == "break" else self._loops[-1]
            self._link(at, loop[kind == "break"], after)
        elif kind == "end":
            self._link(at, add(self._graph), after)
        else:
            self._graph[at].append(after)
        return after

    # ---- unstructured control flow -----------------------------------------------------------------------------------

    def _random(self, at: int) -> int:
        """Adds blocks with random successors: most graphs are irreducible, and many have unreachable blocks."""
        nodes = [add(self._graph) for _ in range(max(2, self._limit - len(self._graph)))]
        self._graph[at].append(nodes[0])
        low, high = self._rng.one(WINDOWS)
        degrees = uneven_choice(self._rng, {0: 4, 1: 40, 2: 45, 3: 6, 4: 3, 7: 1})
        for place, node in enumerate(nodes):
            # Without edges to the next block, few blocks are reachable from the entry.
            self._graph[node] += nodes[place + 1 : place + 2] * self._rng.hit(0.6)
            for _ in range(degrees.pick()):
                target = place + self._rng.between(low, high) if self._rng.hit(0.95) else self._rng.below(len(nodes))
                self._graph[node].append(nodes[min(max(target, 0), len(nodes) - 1)])
        end = add(self._graph)
        if self._rng.hit(0.75):
            self._graph[self._rng.one(nodes)].append(end)
        return end

    def _region(self, at: int) -> int:
        """Adds nested irreducible regions: cycles with several entries."""
        while len(self._graph) < self._limit:
            at = self._nested(at, 0)
        return at

    def _nested(self, at: int, depth: int) -> int:
        after = add(self._graph)
        count = self._rng.one((2, 2, 2, 3, 3, 4, 5, 6) if self._rng.hit(0.996) else (140,))
        heads = [add(self._graph) for _ in range(count)]
        self._link(at, *heads[: max(2, self._rng.between(count // 2, count))])
        leaving = self._rng.below(count)
        for place, head in enumerate(heads):
            deeper = depth < 5 and len(self._graph) < self._limit and self._rng.hit(0.4)
            end = self._nested(head, depth + 1) if deeper else head
            targets = [heads[(place + 1) % count]]
            if self._rng.hit(0.2):
                targets.append(self._rng.one(heads))
            if place == leaving or self._rng.hit(0.2):
                targets.append(after)
            self._link(end, *targets)
        return after

    def _ring(self, at: int) -> int:
        """Adds a cycle with several entries. Some blocks also have an edge to the previous block."""
        nodes = [add(self._graph) for _ in range(max(3, self._limit - len(self._graph) - 1))]
        after = add(self._graph)
        self._link(at, *(self._rng.one(nodes) for _ in range(self._rng.between(2, 5))))
        back, leave = self._rng.one((0.0, 0.2, 1.0)), self._rng.one((0.0, 0.1, 0.4))
        for place, node in enumerate(nodes):
            neighbours = [nodes[(place + 1) % len(nodes)], *[nodes[place - 1]] * self._rng.hit(back)]
            self._link(node, *neighbours, *[after] * (place == 0 or self._rng.hit(leave)))
        return after

    def _trap(self, at: int) -> int:
        """Adds infinite loops. Some of these loops have edges to other loops, in one or both directions."""
        after = add(self._graph)
        cycles: list[list[int]] = []
        self._graph[at] += [after] * self._rng.hit(0.8)
        while len(self._graph) < self._limit:
            cycle = [add(self._graph) for _ in range(self._rng.between(1, 4))]
            for place, node in enumerate(cycle):
                self._graph[node].append(cycle[(place + 1) % len(cycle)])
            other = self._rng.one(self._rng.one(cycles)) if cycles and self._rng.hit(0.6) else at
            self._graph[other].append(self._rng.one(cycle))
            if other != at and self._rng.hit(0.3):
                self._graph[self._rng.one(cycle)].append(other)
            cycles.append(cycle)
        return after
