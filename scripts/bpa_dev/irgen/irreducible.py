"""Irreducible regions: loops that are entered at several blocks, nested in one another and in loops."""

from collections.abc import Callable

from .chance import Chance, uneven_wheel
from .graph import Graph

#: Entries and exit: blocks to jump to, and one block with no successors yet.
Part = tuple[list[int], int]

PARTS = {"block": 5, "diamond": 2, "natural_loop": 2, "region": 4}
HEADER_COUNTS = {2: 10, 3: 6, 4: 3, 5: 2, 6: 1}
MANY_HEADERS = 140
MAX_DEPTH = 6


class Irreducible:
    """Builds parts."""

    def __init__(self, rng: Chance, graph: Graph, budget: int) -> None:
        self._rng = rng
        self._graph = graph
        self._end = len(graph) + budget
        self._parts = uneven_wheel(rng, PARTS)
        self._header_counts = uneven_wheel(rng, HEADER_COUNTS)
        self._extra_edges = rng.one((0.0, 0.2, 0.6))

    def build(self, at: int) -> list[int]:
        """Regions one behind the other; answers the open end."""
        at = self._append(at, self._region(0))
        while len(self._graph) < self._end:
            at = self._append(at, self._part(0))
        return [at]

    def many_headers(self, at: int) -> list[int]:
        """A region with so many headers that LLVM keeps their weights in a hash table."""
        parts = [self._block(0) for _ in range(MANY_HEADERS + self._rng.below(20))]
        return [self._append(at, self._tie(parts))]

    def _append(self, at: int, part: Part) -> int:
        entries, end = part
        self._graph.link(at, *entries)
        return end

    def _part(self, depth: int) -> Part:
        if depth >= MAX_DEPTH or len(self._graph) >= self._end:
            return self._block(depth)
        make: Callable[[int], Part] = getattr(self, "_" + self._parts.pick())
        return make(depth + 1)

    def _block(self, _depth: int) -> Part:
        block = self._graph.add()
        return [block], block

    def _diamond(self, depth: int) -> Part:
        top = self._graph.add()
        (left, left_end), (right, right_end) = self._part(depth), self._part(depth)
        bottom = self._graph.add()
        self._graph.link(top, self._rng.one(left), self._rng.one(right))
        self._graph.link(left_end, bottom)
        self._graph.link(right_end, bottom)
        return [top], bottom

    def _natural_loop(self, depth: int) -> Part:
        header = self._graph.add()
        self._graph.headers.append(header)
        end = self._append(header, self._part(depth))
        after = self._graph.add()
        self._graph.link(end, *((header, after) if self._rng.hit(0.5) else (after, header)))
        if self._rng.hit(0.4):
            self._graph.link(header, after)
        return [header], after

    def _region(self, depth: int) -> Part:
        return self._tie([self._part(depth + 1) for _ in range(self._header_counts.pick())])

    def _tie(self, parts: list[Part]) -> Part:
        """Ties parts into one cycle that can be entered at each of them."""
        rng, graph = self._rng, self._graph
        after = graph.add()
        entries = [rng.one(part_entries) for part_entries, _ in parts]
        graph.headers.extend(entries)
        leaving = rng.below(len(parts))
        for position, (_, end) in enumerate(parts):
            targets = [entries[(position + 1) % len(parts)]]
            if rng.hit(self._extra_edges):
                targets.append(rng.one(entries))
            if position == leaving or rng.hit(0.2):
                targets.append(after)
            rng.shuffle(targets)
            graph.link(end, *targets)
        rng.shuffle(entries)
        return entries[: max(2, rng.between(len(entries) // 2, len(entries)))], after
