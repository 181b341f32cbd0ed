"""The instructions that end blocks."""

from collections.abc import Callable
from typing import Protocol

from .calls import Calls
from .chance import Chance, Wheel, uneven_wheel
from .conditions import Conditions
from .constants import any_integer, integer, width
from .graph import Block, Graph
from .spelling import Spelling
from .values import Values
from .weights import Weights

#: Ways to end a block, by how many successors it has.
NO_SUCCESSOR = {"ret": 6, "unreachable": 4, "deopt": 0.8}
ONE_SUCCESSOR = {"br": 90, "switch": 1, "indirectbr": 0.5, "callbr": 0.5}
TWO_SUCCESSORS = {"condbr": 90, "switch": 3, "indirectbr": 1.5, "callbr": 1.5}
MORE_SUCCESSORS = {"switch": 80, "indirectbr": 12, "callbr": 6}
SIMPLE = ({"ret": 6, "unreachable": 1}, {"br": 1}, {"condbr": 30, "switch": 1}, {"switch": 1})

CALL_BEFORE_RET = 0.15
MOST_LABELS = 20  # of an indirectbr or callbr; more edges than that make a switch

SWITCHED = {"i32": 20, "i64": 6, "i8": 3, "i128": 2, "i65": 2, "i16": 2, "i3": 1, "i1": 1}
RESULTS = {"void": 45, "i32": 25, "i64": 8, "i1": 4, "float": 3, "ptr": 8}
DEOPTIMIZED = ("void", "i32", "i64", "ptr")


def choose_endings(rng: Chance, graph: Graph, spell: Spelling, simple: bool, can_deoptimize: bool) -> None:
    """Chooses a kind of terminator for every block that has none yet."""
    if simple:
        wheels = [Wheel(rng, weights) for weights in SIMPLE]
    else:
        ends = NO_SUCCESSOR if can_deoptimize else dict(NO_SUCCESSOR, deopt=0)
        wheels = [uneven_wheel(rng, weights) for weights in (ends, ONE_SUCCESSOR, TWO_SUCCESSORS, MORE_SUCCESSORS)]
    for block in graph.blocks:
        if block.ending is None:
            kind = wheels[min(len(block.succs), 3)].pick()
            block.ending = kind if _fits(kind, block, spell) else _plain_ending(block)


def _plain_ending(block: Block) -> str:
    return ("br", "condbr")[len(block.succs) - 1] if len(block.succs) < 3 else "switch"


def _fits(kind: str, block: Block, spell: Spelling) -> bool:
    """Whether the block's edges suit that terminator."""
    if kind == "indirectbr":
        return len(block.succs) <= MOST_LABELS
    if kind == "callbr":
        distinct = len(set(block.succs)) == len(block.succs)
        return len(block.succs) <= MOST_LABELS and (distinct or spell.callbr_duplicates)
    return True


class Surroundings(Protocol):
    """What terminators need of the function that they stand in."""

    symbol: str
    result: str
    graph: Graph
    values: Values
    conditions: Conditions
    #: None for no calls.
    calls: Calls | None
    weights: Weights

    def switch_operand(self, code: list[str], word: str) -> str: ...


class Terminators:
    """Spells the terminators of one function."""

    def __init__(self, rng: Chance, function: Surroundings) -> None:
        self._rng = rng
        self._function = function
        self._values = function.values
        self._spell = function.values.spell
        self._calls = function.calls
        self._weights = function.weights
        self._blocks = function.graph.blocks
        self._switched = Wheel(rng, SWITCHED)

    def spell(self, block: Block) -> str:
        """Appends what the terminator needs to the block's code; answers the terminator."""
        write: Callable[[Block], str] = getattr(self, f"_{block.ending}")
        return write(block)

    def _labels(self, targets: list[int]) -> str:
        return ", ".join(f"label {self._blocks[target].reference}" for target in targets)

    def _br(self, block: Block) -> str:
        return f"br {self._labels(block.succs)}"

    def _condbr(self, block: Block) -> str:
        condition = block.condition or self._function.conditions.make(block.code)
        return f"br i1 {condition}, {self._labels(block.succs)}{self._weights.for_edges(2)}"

    def _switch(self, block: Block) -> str:
        count = len(block.succs) - 1
        word = self._switched.pick()
        if count > (1 << width(word)) // 2:
            word = "i32"
        value = self._function.switch_operand(block.code, word)
        cases = "\n".join(
            f"    {word} {constant}, label {self._blocks[target].reference}"
            for constant, target in zip(self._case_values(word, count), block.succs[1:], strict=False)
        )
        default = self._labels(block.succs[:1])
        return f"switch {word} {value}, {default} [\n{cases}\n  ]{self._weights.for_edges(count + 1)}"

    def _case_values(self, word: str, count: int) -> list[str]:
        """That many different constants: a row of neighbours, or scattered."""
        bits = width(word)
        if count > 8 or self._rng.hit(0.6):
            first = self._rng.one((0, 0, 1, -2))
            return [integer(first + step, bits) for step in range(count)]
        values: list[str] = []
        while len(values) < count:
            value = any_integer(self._rng, bits)
            if value not in values:
                values.append(value)
        return values

    def _block_address(self, target: int) -> str:
        return f"blockaddress({self._function.symbol}, {self._blocks[target].reference})"

    def _indirectbr(self, block: Block) -> str:
        byte_pointer = self._spell.type("ptr")
        if self._rng.hit(0.5):
            address = self._block_address(self._rng.one(block.succs))
        else:
            address = self._values.operand(block.code, "ptr")
        weights = self._weights.for_edges(len(block.succs))
        return f"indirectbr {byte_pointer} {address}, [{self._labels(block.succs)}]{weights}"

    def _callbr(self, block: Block) -> str:
        """`asm goto`; the first successor is where control falls through."""
        indirect = block.succs[1:]
        constraints = ["r"]
        arguments = [f"i32 {self._values.operand(block.code, 'i32')}"]
        for target in indirect:
            constraints.append("!i" if self._spell.callbr_labels else "X")
            if not self._spell.callbr_labels:
                arguments.append(f"i8* {self._block_address(target)}")
        weights = self._weights.for_edges(len(block.succs)) if self._spell.callbr_weights else ""
        return (
            f'callbr void asm sideeffect "", "{",".join(constraints)}"({", ".join(arguments)})'
            f" to {self._labels(block.succs[:1])} [{self._labels(indirect)}]{weights}"
        )

    def _invoke(self, block: Block) -> str:
        assert self._calls, "functions without calls have no invokes"
        callee = self._calls.invocation(block.code)
        normal, pad = (self._labels([target]) for target in block.succs)
        weights = self._weights.for_edges(2, may_be_short=True)
        result = "" if callee.startswith("void") else f"{self._values.fresh()} = "
        return f"{result}invoke {callee} to {normal} unwind {pad}{weights}"

    def _ret(self, block: Block) -> str:
        if self._calls and self._rng.hit(CALL_BEFORE_RET):
            self._calls.add_before_unreachable(block.code)
        word = self._function.result
        if word == "void":
            return "ret void"
        return f"ret {self._spell.type(word)} {self._values.operand(block.code, word)}"

    def _unreachable(self, block: Block) -> str:
        if self._calls:
            self._calls.add_before_unreachable(block.code)
        return "unreachable"

    def _deopt(self, block: Block) -> str:
        """A call that leaves compiled code, and the return that must follow it."""
        word = self._function.result
        type_ = self._spell.type(word)
        callee = f"@llvm.experimental.deoptimize.{self._spell.mangled(word)}"
        state = self._rng.one(("", "i32 0", "i32 1, i64 2"))
        call = f'call {type_} (...) {callee}(i32 3) [ "deopt"({state}) ]'
        if word == "void":
            block.code.append(call)
            return "ret void"
        return f"ret {type_} {self._values.define(block.code, call)}"

    def _resume(self, block: Block) -> str:
        return f"resume {block.funclet}"

    def _catchswitch(self, block: Block) -> str:
        handlers = block.succs[1:] if block.unwinds else block.succs
        return f"{block.funclet} = catchswitch within none [{self._labels(handlers)}] {self._unwind(block)}"

    def _catchret(self, block: Block) -> str:
        return f"catchret from {block.funclet} to {self._labels(block.succs)}"

    def _cleanupret(self, block: Block) -> str:
        return f"cleanupret from {block.funclet} {self._unwind(block)}"

    def _unwind(self, block: Block) -> str:
        return f"unwind {self._labels(block.succs[:1])}" if block.unwinds else "unwind to caller"
