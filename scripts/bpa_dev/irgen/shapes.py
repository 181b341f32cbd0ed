"""Draws the graph of a function out of pieces, one behind the other."""

from .chance import Chance, Wheel
from .graph import Graph
from .irreducible import Irreducible
from .structured import Structured
from .tangled import random_edges, ring, row, traps
from .taste import Taste

LARGEST = 400
#: About as many functions of each as of twice as many blocks.
FLOW_SIZES = (4, 4, 5, 6, 7, 8, 10, 12, 14, 17, 20, 24, 28, 34, 40, 48, 56, 68, 80, 96, 112, 136, 160, 200, 240)


def block_budget(rng: Chance, taste: Taste, largest: int) -> int:
    """How many blocks a function shall have, roughly: mostly about ten, now and then hundreds, up to `largest`."""
    if taste.flow:
        return min(largest, rng.one(FLOW_SIZES) + rng.below(4))
    if rng.hit(0.006):
        return min(largest, rng.between(100, LARGEST))
    return min(largest, int(rng.lognormvariate(2.3, 0.9)))


def draw(rng: Chance, taste: Taste, budget: int) -> Graph:
    """The graph of one function; the entry has no predecessors."""
    graph = Graph()
    ends = [graph.add()]
    if budget < 2:
        return graph
    pieces = Wheel(rng, taste.pieces)
    for share in _shares(rng, budget, taste.most_pieces):
        ends = _piece(rng, graph, pieces.pick(), _join(rng, graph, ends), share)
    for spoil, rate in (
        (_add_strays, taste.strays),
        (_add_wild_edges, taste.wild_edges),
        (_add_parallel_edges, taste.parallel_edges),
        (_add_giant, taste.giants),
    ):
        if rng.hit(rate):
            spoil(rng, graph)
    return graph


def _shares(rng: Chance, budget: int, most: int) -> list[int]:
    """The budget of blocks cut into pieces."""
    count = min(rng.between(1, most), 1 + budget // 6)
    return [max(1, budget // count)] * count


def _join(rng: Chance, graph: Graph, ends: list[int]) -> int:
    """A block where the open ends meet. Some of them end the function instead."""
    if len(ends) == 1 and rng.hit(0.5):
        return ends[0]
    block = graph.add()
    for position, end in enumerate(ends):
        if position == 0 or rng.hit(0.7):
            graph.link(end, block)
    return block


def _piece(rng: Chance, graph: Graph, kind: str, start: int, budget: int) -> list[int]:
    if kind == "structured":
        return Structured(rng, graph, budget).build(start)
    if kind == "irreducible":
        return Irreducible(rng, graph, budget).build(start)
    if kind == "many_headers":
        return Irreducible(rng, graph, budget).many_headers(start)
    return {"random_edges": random_edges, "ring": ring, "row": row, "traps": traps}[kind](rng, graph, start, budget)


def _add_strays(rng: Chance, graph: Graph) -> None:
    """Blocks that nothing reaches: alone, in cycles of their own, or branching into living code."""
    living = len(graph)
    strays = [graph.add() for _ in range(rng.size(2.0))]
    cyclic = rng.hit(0.5)
    for position, stray in enumerate(strays):
        if cyclic:
            graph.link(stray, strays[(position + 1) % len(strays)])
        if living > 1 and rng.hit(0.5):
            graph.link(stray, rng.between(1, living - 1))


def _add_parallel_edges(rng: Chance, graph: Graph) -> None:
    """Repeats some edges: both arms of a branch to one block, several cases of a switch to one block."""
    rate = rng.one((0.05, 0.15, 0.5))
    for block in graph.blocks:
        if block.succs and rng.hit(rate):
            block.succs.insert(rng.below(len(block.succs) + 1), rng.one(block.succs))


def _add_wild_edges(rng: Chance, graph: Graph) -> None:
    """A few edges from anywhere to anywhere, which spoil the structure of loops."""
    for _ in range(rng.between(1, 3)):
        if len(graph) > 1:
            graph.link(rng.below(len(graph)), rng.between(1, len(graph) - 1))


#: How a giant switch gets its edges; each passes one of the sizes at which LLVM changes its method.
GIANTS = {"many_cases": 1, "many_targets": 1, "targets_and_duplicates": 1, "few_targets": 2}


def _add_giant(rng: Chance, graph: Graph) -> None:
    """Gives one block a great many edges."""
    if len(graph) == 1:
        return
    block = rng.below(len(graph))
    kind = Wheel(rng, GIANTS).pick()
    if kind == "many_cases":
        edges = rng.between(1000, 5000)
        targets = [rng.between(1, len(graph) - 1) for _ in range(rng.between(1, 40))]
    elif kind == "few_targets":
        edges = rng.between(129, 300)
        targets = [rng.between(1, len(graph) - 1) for _ in range(rng.between(1, 12))]
    else:
        targets = _arms(rng, graph, rng.between(129, 260))
        edges = rng.between(0, 120) if kind == "targets_and_duplicates" else 0
        graph.link(block, *targets)
    graph.link(block, *(rng.one(targets) for _ in range(edges)))


def _arms(rng: Chance, graph: Graph, count: int) -> list[int]:
    """Fresh blocks, some of which join or go on into the rest of the function."""
    known = len(graph)
    arms = [graph.add() for _ in range(count)]
    for arm in arms:
        if rng.hit(0.7):
            graph.link(arm, rng.between(1, known - 1))
    return arms
