"""Exception handling: invokes with landing pads, or with funclets.

A landing pad or funclet pad is always a new block, so that nothing but unwinding leads to it.
"""

from .chance import Chance
from .graph import Block, Graph
from .spelling import Spelling

LANDING_PERSONALITY = "__gxx_personality_v0"
FUNCLET_PERSONALITIES = ("__CxxFrameHandler3", "__gxx_wasm_personality_v0")


def add_landing_pads(rng: Chance, graph: Graph, spell: Spelling, density: float) -> str:
    """Landing pads, each shared by several invokes; answers the personality function."""
    ordinary = len(graph)
    pads = [_landing_pad(rng, graph, spell, ordinary) for _ in range(rng.between(1, 4))]
    _make_invokes(rng, graph, pads, density)
    return LANDING_PERSONALITY


def _make_invokes(rng: Chance, graph: Graph, pads: list[int], density: float) -> None:
    """Turns jumps into invokes that unwind to one of the pads."""
    for block in graph.blocks:
        if block.ending is None and len(block.succs) == 1 and rng.hit(density):
            block.ending = "invoke"
            block.succs.append(rng.one(pads))


def _landing_pad(rng: Chance, graph: Graph, spell: Spelling, ordinary: int) -> int:
    pad = graph.add()
    block = graph.blocks[pad]
    byte_pointer = spell.type("ptr")
    clauses = rng.one(("cleanup", f"catch {byte_pointer} null", f"cleanup catch {byte_pointer} null"))
    block.pad = "landingpad"
    block.pad_line = f"%pad{pad} = landingpad {{ {byte_pointer}, i32 }} {clauses}"
    _continue_landing(rng, graph, pad, ordinary, byte_pointer)
    return pad


def _continue_landing(rng: Chance, graph: Graph, pad: int, ordinary: int, byte_pointer: str) -> None:
    """After the landing: resume at once, end, go on in the function, or choose between two ways."""
    block = graph.blocks[pad]
    way = rng.below(5) if ordinary > 1 else 0
    if way == 0:
        block.ending = "resume"
        block.funclet = f"{{ {byte_pointer}, i32 }} %pad{pad}"
    elif way <= 2:
        graph.link(pad, rng.between(1, ordinary - 1))
    elif way == 3:
        resuming = graph.add()
        graph.blocks[resuming].ending = "resume"
        graph.blocks[resuming].funclet = f"{{ {byte_pointer}, i32 }} undef"
        graph.link(pad, rng.between(1, ordinary - 1), resuming)


def add_funclets(rng: Chance, graph: Graph, spell: Spelling, density: float) -> str:
    """Catch switches and cleanup pads; answers the personality function.

    Pads unwind only to pads made before them: a cycle of pads is not valid.
    """
    personality = rng.one(FUNCLET_PERSONALITIES)
    ordinary = len(graph)
    pads: list[int] = []
    for _ in range(rng.between(1, 4)):
        outer = rng.one(pads) if pads and rng.hit(0.5) else None
        if rng.hit(0.6):
            pads.append(_catch_switch(rng, graph, spell, personality, ordinary, outer))
        else:
            pads.append(_cleanup_pad(rng, graph, outer))
    _make_invokes(rng, graph, pads, density)
    return personality


def _catch_switch(
    rng: Chance, graph: Graph, spell: Spelling, personality: str, ordinary: int, outer: int | None
) -> int:
    switch = graph.add()
    block = graph.blocks[switch]
    block.pad = block.ending = "catchswitch"
    block.funclet = f"%pad{switch}"
    if outer is not None:
        block.unwinds = True
        graph.link(switch, outer)
    for _ in range(rng.between(1, 3)):
        graph.link(switch, _catch_pad(rng, graph, spell, personality, ordinary, switch))
    return switch


def _catch_pad(rng: Chance, graph: Graph, spell: Spelling, personality: str, ordinary: int, switch: int) -> int:
    pad = graph.add()
    block = graph.blocks[pad]
    null = f"{spell.type('ptr')} null"
    arguments = null if personality == "__gxx_wasm_personality_v0" else f"{null}, i32 64, {null}"
    block.pad = "catchpad"
    block.pad_line = f"%pad{pad} = catchpad within %pad{switch} [{arguments}]"
    for leaving in _funclet_ends(rng, graph, pad):
        if ordinary > 1 and rng.hit(0.8):
            leaving.ending, leaving.funclet = "catchret", f"%pad{pad}"
            leaving.succs.append(rng.between(1, ordinary - 1))
        else:
            leaving.ending = "unreachable"
    return pad


def _cleanup_pad(rng: Chance, graph: Graph, outer: int | None) -> int:
    pad = graph.add()
    block = graph.blocks[pad]
    block.pad = "cleanuppad"
    block.pad_line = f"%pad{pad} = cleanuppad within none []"
    for leaving in _funclet_ends(rng, graph, pad):
        if rng.hit(0.8):
            leaving.ending, leaving.funclet = "cleanupret", f"%pad{pad}"
            if outer is not None:
                leaving.unwinds = True
                leaving.succs.append(outer)
        else:
            leaving.ending = "unreachable"
    return pad


def _funclet_ends(rng: Chance, graph: Graph, pad: int) -> list[Block]:
    """The blocks that leave a funclet: its pad itself, or blocks of its own that the pad branches to."""
    if rng.hit(0.6):
        return [graph.blocks[pad]]
    inner = [graph.add() for _ in range(rng.between(1, 2))]
    graph.link(pad, *inner)
    return [graph.blocks[index] for index in inner]
