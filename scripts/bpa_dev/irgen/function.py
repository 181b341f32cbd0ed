"""Makes one function, step by step."""

from typing import Protocol

from . import exceptions, shapes
from .calls import Calls
from .chance import Chance, Wheel
from .conditions import Conditions
from .dominators import Dominators
from .expect import Expectations
from .graph import Block
from .libcalls import LibCall
from .names import STYLES, block_name
from .phi_web import PhiWebs
from .spelling import Spelling
from .taste import Taste
from .terminators import DEOPTIMIZED, RESULTS, Terminators, choose_endings
from .values import Values
from .weights import Metadata, Weights

ENTRY_COUNTS = (0, 1, 2, 100, 12345, 10**6, 1 << 32, 1 << 40, 1 << 63, (1 << 64) - 1)
ENTRY_COUNT_KINDS = ("function_entry_count",) * 4 + ("synthetic_function_entry_count",)

# fmt: off
ATTRIBUTES = {"": 88, " noinline optnone": 4, " cold": 2, ' "no-builtins"': 2, ' "no-builtin-strcmp"': 1,
              " noreturn": 1, " nounwind": 2}
# fmt: on


class Shared(Protocol):
    """What the functions of one module share."""

    spell: Spelling
    libcalls: list[LibCall]
    metadata: Metadata
    #: Roughly how many blocks a function may have.
    largest: int


class Function:
    """One function under construction. `text` is the finished definition."""

    def __init__(self, rng: Chance, module: Shared, symbol: str, taste: Taste) -> None:
        self._rng = rng
        self._taste = taste
        self._metadata = module.metadata
        self.symbol = symbol
        self.result = Wheel(rng, RESULTS).pick()
        self.values = Values(rng, module.spell)
        self.graph = shapes.draw(rng, taste, shapes.block_budget(rng, taste, module.largest))
        self._personality = self._add_exceptions()
        choose_endings(rng, self.graph, module.spell, taste.simple, self.result in DEOPTIMIZED)
        self._layout = self._lay_out()
        self._fillers: dict[int, int] = {}
        self._name_blocks()

        self.conditions = Conditions(rng, self.values, module.libcalls, module.metadata)
        self.calls = None if taste.simple else Calls(rng, self.values, module.metadata)
        self.weights = Weights(rng, module.metadata, module.spell, taste)
        self._expectations: Expectations | None = None
        if taste.simple:
            self._expectations = Expectations(rng, self.graph, self.graph.preds(), self.values, self.weights)
        elif taste.webs:
            self._weave_phis()
        endings = self._fill_blocks(Terminators(rng, self))
        self.text = self._spell(endings)

    def switch_operand(self, code: list[str], word: str) -> str:
        """What a switch over that type looks at."""
        if self._expectations and self._rng.hit(0.8):
            return self._expectations.switch_operand(code, word)
        return self.values.operand(code, word)

    def _add_exceptions(self) -> str | None:
        """Puts exception handling into some functions; answers the personality they need."""
        rng, taste, spell = self._rng, self._taste, self.values.spell
        choice = rng.random()
        if choice < taste.landing_pads:
            return exceptions.add_landing_pads(rng, self.graph, spell, taste.invokes)
        if choice < taste.landing_pads + taste.funclets:
            return exceptions.add_funclets(rng, self.graph, spell, taste.invokes)
        return None

    def _lay_out(self) -> list[int]:
        """The order of the blocks in the text: as drawn, or shuffled behind the entry."""
        rest = list(range(1, len(self.graph)))
        if self._rng.hit(self._taste.shuffled_layout):
            self._rng.shuffle(rest)
        return [0, *rest]

    def _name_blocks(self) -> None:
        """Names and numbers. LLVM counts unnamed arguments, blocks and values together, in text order."""
        rng = self._rng
        style = Wheel(rng, STYLES).pick()
        number = self.values.name_parameters(rng.hit(self._taste.numbered_arguments))
        filler_rate = rng.one((0.0, 0.0, 0.25))
        for index in self._layout:
            block = self.graph.blocks[index]
            name = block_name(rng, style, index)
            if name is None:
                name, number = str(number), number + 1
            block.label, block.reference = f"{name}:", f"%{name}"
            if block.ending != "catchswitch" and rng.hit(filler_rate):
                self._fillers[index], number = number, number + 1

    def _weave_phis(self) -> None:
        preds = self.graph.preds()
        dominators = Dominators(self.graph, preds)
        webs = PhiWebs(self._rng, self.graph, preds, dominators, self.values, self.conditions)
        webs.weave(self._taste.webs)

    def _fill_blocks(self, terminators: Terminators) -> list[str]:
        """Puts instructions into all blocks; answers their terminators."""
        rng, taste = self._rng, self._taste
        is_header = set(self.graph.headers)
        endings = []
        for index, block in enumerate(self.graph.blocks):
            if block.ending != "catchswitch" and rng.hit(taste.calls) and self.calls:
                self.calls.add(block.code)
            if self._expectations:
                self._add_expectations(self._expectations, index, block)
            endings.append(terminators.spell(block) + self.weights.header(index in is_header))
        return endings

    def _add_expectations(self, expectations: Expectations, index: int, block: Block) -> None:
        if self._rng.hit(self._taste.extra_expectations):
            expectations.add_extra(block.code)
        if block.ending == "condbr":
            expectations.set_condition(index)

    def _spell(self, endings: list[str]) -> str:
        """The definition as text."""
        lines = [self._heading()]
        for index in self._layout:
            block = self.graph.blocks[index]
            lines.append(block.label)
            body = block.phis
            if block.pad_line:
                body.append(block.pad_line)
            if index in self._fillers:
                pointer = self.values.spell.pointer("i32")
                body.append(f"%{self._fillers[index]} = load i32, {pointer} @g.i32")
            lines.extend(f"  {line}" for line in (*body, *block.code, endings[index]))
        lines.append("}\n")
        return "\n".join(lines)

    def _heading(self) -> str:
        """`define ... {`: everything before the first block."""
        spell = self.values.spell
        parameters = ", ".join(f"{spell.type(word)} {name}" for word, name in self.values.named_parameters)
        attributes = "" if self._taste.simple else Wheel(self._rng, ATTRIBUTES).pick()
        personality = f" personality {spell.personality(self._personality)}" if self._personality else ""
        return (
            f"define {spell.type(self.result)} {self.symbol}({parameters}){attributes}{personality}"
            f"{self._entry_count()} {{"
        )

    def _entry_count(self) -> str:
        rng = self._rng
        if not rng.hit(self._taste.entry_count):
            return ""
        if self._taste.flow:
            return " !prof " + self._metadata.node('!"function_entry_count", i64 1000')
        count = rng.one(ENTRY_COUNTS) if rng.hit(0.7) else rng.below(1 << rng.between(1, 62))
        if count >= 1 << 63:
            count -= 1 << 64
        kind = rng.one(ENTRY_COUNT_KINDS)
        if not self.values.spell.synthetic_counts:
            kind = ENTRY_COUNT_KINDS[0]
        return " !prof " + self._metadata.node(f'!"{kind}", i64 {count}')
