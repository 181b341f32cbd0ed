"""Graphs that no source program has: random edges, straight rows, and cycles without a way out."""

from .chance import Chance, uneven_wheel
from .graph import Graph

OUT_DEGREES = {0: 4, 1: 40, 2: 45, 3: 6, 4: 3, 7: 1}
REACHES = ("anywhere", "near", "forward", "backward")


def random_edges(rng: Chance, graph: Graph, start: int, budget: int) -> list[int]:
    """Blocks with random successors: mostly irreducible, often with parts that nothing reaches."""
    nodes = [graph.add() for _ in range(max(2, budget))]
    graph.link(start, nodes[0])
    degrees = uneven_wheel(rng, OUT_DEGREES)
    reach = rng.one(REACHES)
    for position, node in enumerate(nodes):
        graph.link(node, *(_target(rng, reach, nodes, position) for _ in range(degrees.pick())))
    open_ends = [node for node in nodes if not graph.succs(node)]
    return open_ends or _force_exit(rng, graph, nodes)


def _target(rng: Chance, reach: str, nodes: list[int], position: int) -> int:
    """One successor of the block at a position: how far edges reach decides how loops nest."""
    if reach == "anywhere" or rng.hit(0.05):
        return rng.one(nodes)
    if reach == "near":
        step = rng.between(-3, 4)
    elif reach == "forward":
        step = rng.between(1, 4) if rng.hit(0.85) else -rng.between(0, 12)
    else:
        step = 1 if rng.hit(0.6) else -rng.between(0, position)
    return nodes[min(max(position + step, 0), len(nodes) - 1)]


def _force_exit(rng: Chance, graph: Graph, nodes: list[int]) -> list[int]:
    """Usually one more edge that leaves a region without an end; else what follows is unreachable."""
    if rng.hit(0.25):
        return []
    out = graph.add()
    graph.link(rng.one(nodes), out)
    return [out]


def row(_rng: Chance, graph: Graph, start: int, budget: int) -> list[int]:
    """Blocks in a row."""
    for _ in range(budget):
        after = graph.add()
        graph.link(start, after)
        start = after
    return [start]


def ring(rng: Chance, graph: Graph, start: int, budget: int) -> list[int]:
    """One cycle that is entered at several blocks and left at some; in some of them steps go both ways."""
    nodes = [graph.add() for _ in range(max(3, budget - 1))]
    out = graph.add()
    graph.link(start, *(rng.one(nodes) for _ in range(rng.between(2, 5))))
    back, leave = rng.one((0.0, 0.0, 0.2, 1.0)), rng.one((0.0, 0.1, 0.4))
    leaving = rng.below(len(nodes))
    for position, node in enumerate(nodes):
        targets = [nodes[(position + 1) % len(nodes)]]
        if rng.hit(back):
            targets.append(nodes[position - 1])
        if position == leaving or rng.hit(leave):
            targets.append(out)
        rng.shuffle(targets)
        graph.link(node, *targets)
    return [out]


def traps(rng: Chance, graph: Graph, start: int, budget: int) -> list[int]:
    """Cycles that control never leaves: side by side, one behind the other, or one inside another."""
    cycles: list[list[int]] = []
    fork = [graph.add()]
    graph.link(start, fork[0])
    while budget > 0:
        size = min(budget, rng.between(1, 4))
        budget -= size
        cycle = [graph.add() for _ in range(size)]
        for position, node in enumerate(cycle):
            graph.link(node, cycle[(position + 1) % size])
        _hang_up(rng, graph, fork, cycles, cycle)
        cycles.append(cycle)
    if rng.hit(0.5):
        out = graph.add()
        graph.link(fork[0], out)
        return [out]
    return []


def _hang_up(rng: Chance, graph: Graph, fork: list[int], cycles: list[list[int]], cycle: list[int]) -> None:
    """Makes a cycle reachable: from the fork, from an earlier cycle, or by mutual edges with one."""
    entry = rng.one(cycle)
    if not cycles or rng.hit(0.4):
        graph.link(fork[0], entry)
        return
    other = rng.one(cycles)
    graph.link(rng.one(other), entry)
    if rng.hit(0.3):
        graph.link(rng.one(cycle), rng.one(other))
