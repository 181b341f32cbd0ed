"""Immediate dominators, for placing values where their uses are legal.

The iterative algorithm of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
"""

from .graph import Graph


class Dominators:
    """Immediate dominators of the blocks that the entry reaches."""

    def __init__(self, graph: Graph, preds: list[list[int]]) -> None:
        order = _reverse_postorder(graph)
        #: Its place in reverse postorder.
        self._number = {block: number for number, block in enumerate(order)}
        self._idom = {0: 0}
        changed = True
        while changed:
            changed = False
            for block in order[1:]:
                new: int | None = None
                for pred in preds[block]:
                    if pred in self._idom:
                        new = pred if new is None else self._common(new, pred)
                if new is not None and self._idom.get(block) != new:
                    self._idom[block] = new
                    changed = True

    def _common(self, first: int, second: int) -> int:
        number, idom = self._number, self._idom
        while first != second:
            while number[first] > number[second]:
                first = idom[first]
            while number[second] > number[first]:
                second = idom[second]
        return first

    def reachable(self, block: int) -> bool:
        """Whether the entry reaches the block."""
        return block in self._idom

    def nearest(self, block: int, limit: int) -> list[int]:
        """The block and its dominators, nearest first, at most `limit`; none if it is unreachable."""
        found: list[int] = []
        while block in self._idom and len(found) < limit:
            found.append(block)
            if block == 0:
                break
            block = self._idom[block]
        return found

    def dominates(self, upper: int, lower: int) -> bool:
        """Whether every path from the entry to `lower` passes `upper`. Both must be reachable."""
        number = self._number
        while number[lower] > number[upper]:
            lower = self._idom[lower]
        return lower == upper


def _reverse_postorder(graph: Graph) -> list[int]:
    seen = {0}
    postorder = []
    stack = [(0, iter(graph.succs(0)))]
    while stack:
        block, rest = stack[-1]
        for succ in rest:
            if succ not in seen:
                seen.add(succ)
                stack.append((succ, iter(graph.succs(succ))))
                break
        else:
            postorder.append(block)
            stack.pop()
    return postorder[::-1]
