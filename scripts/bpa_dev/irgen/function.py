"""Generates a function: conditions, calls, exception handling, terminators and weights."""

import collections
from collections.abc import Iterator

from . import graph as graphs
from .chance import Chance, WeightedChoice, uneven_choice
from .constants import FLOATS, any_constant, any_integer, width
from .weights import Metadata, Weights

#: The approximate number of blocks of the largest function.
LARGEST = 400
# fmt: off
PARAMETERS = {"%c": "i1", "%d": "i1", "%b": "i8", "%x": "i32", "%y": "i32", "%l": "i64", "%w": "i128", "%o": "i65",
              "%f": "float", "%g": "double", "%p": "ptr", "%q": "ptr"}
# fmt: on
PERSONALITIES = {"landing": "__gxx_personality_v0", "funclet": "__CxxFrameHandler3"}
#: LLVM has a rule for the results of these functions. LLVM applies the rule only if the function's prototype is
#: correct.
COMPARISONS = ("strcmp", "strcasecmp", "strncmp", "memcmp", "bcmp", "strncasecmp")
CALLEES = ("@plain", "@cold", "@never", "@cold.never", "@alias.plain", "@alias.cold", "@grouped.cold", "@grouped.never")
SITE_ATTRIBUTES = {"": 80, " cold": 10, " noreturn": 4, " cold noreturn": 2, " #0": 3, " #1": 2, " nounwind": 5}
# fmt: off
ATTRIBUTES = {"": 88, " noinline optnone": 4, " cold": 2, ' "no-builtins"': 2, " noreturn": 1, " nounwind": 2}
CONDITIONS = {"constant": 34, "masked": 8, "integers": 8, "null": 8, "pointers": 6, "floats": 9, "string": 9,
              "argument": 6, "literal": 3, "inverted": 5, "combined": 3, "phi": 20}
INTEGER_TESTS = {"eq": 5, "ne": 5, "slt": 4, "sgt": 4, "sle": 2, "sge": 2, "ult": 2, "ugt": 2, "ule": 1, "uge": 1}
FLOAT_TESTS = ("oeq", "une", "ord", "uno", "false", "ogt", "oge", "olt", "ole", "one", "ueq", "ugt", "uge", "ult",
               "ule", "true")
OPERATIONS = ("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "udiv", "sdiv", "urem", "srem")
# fmt: on
NAMES = {"named": 6, "unnamed": 2, "quoted": 1}
#: The maximum number of successors of an indirectbr or callbr.
MOST_LABELS = 20


class Function:
    def __init__(
        self, rng: Chance, profile: str, symbol: str, metadata: Metadata, *, llvm: int, malformed: bool, largest: int
    ) -> None:
        self._rng, self._symbol, self._llvm = rng, symbol, llvm
        self._pointer = "ptr" if llvm >= 15 else "i8*"
        irreducible = profile == "irreducible"
        large = rng.hit(0.006)
        blocks = min(largest, rng.between(100, LARGEST) if large else int(rng.lognormvariate(2.3, 0.9)))
        self._graph = graphs.generate(rng, profile, max(1, blocks))
        self._weights = Weights(rng, metadata, often=irreducible, malformed=malformed)
        self._conditions = uneven_choice(rng, CONDITIONS)
        self._call_rate = rng.one((0.0, 0.05, 0.15, 0.15, 0.4))
        kind = rng.one(("landing", "funclet"))
        handling = rng.hit(0.25) and self._call_rate > 0 and not irreducible
        #: The kind of each landing pad or funclet pad, by block. Only unwind edges lead to these blocks.
        self._pads: dict[int, str] = {}
        self._personality = PERSONALITIES[kind] if handling else None
        if handling:
            self._pads = {len(self._graph) + pad: kind for pad in range(rng.between(1, 3))}
        self._names = self._name_blocks()
        self._predecessors = self._find_predecessors()
        self._count = 0
        self._code: list[str] = []
        self._phis: list[str] = []
        self._block = 0
        self.blocks = len(self._graph) + len(self._pads)
        self.text = self._write()

    def _name_blocks(self) -> list[str]:
        """Returns names without `%`. Unnamed blocks must have the numbers that LLVM gives them, in textual order."""
        style = WeightedChoice(self._rng, NAMES).pick()
        spell = {"named": "b{}", "unnamed": "{}", "quoted": '"b \\22{}"'}[style]
        return [spell.format(number) for number in range(len(self._graph) + len(self._pads))]

    def _find_predecessors(self) -> dict[int, list[int]]:
        predecessors = collections.defaultdict(list)
        for block, successors in enumerate(self._graph):
            for successor in successors:
                predecessors[successor].append(block)
        return predecessors

    # ---- methods that Expectations uses ------------------------------------------------------------------------------

    def operand(self, word: str) -> str:
        return self._rng.one([name for name, its_word in PARAMETERS.items() if its_word == word])

    def define(self, instruction: str) -> str:
        self._count += 1
        name = f"%v{self._count}"
        self._code.append(f"{name} = {instruction}")
        return name

    def store(self, word: str, value: str) -> None:
        """Adds a store if LLVM has opaque pointers. With typed pointers, no parameter has a matching type."""
        if self._llvm >= 15:
            self._code.append(f"store {word} {value}, ptr {self.operand('ptr')}")

    def weights(self, count: int) -> str:
        return self._weights.for_edges(count)

    def phi(self, word: str, constants: list[str]) -> str | None:
        """Adds a phi. Most incoming values of the phi are from `constants`. If the block has no predecessors or too
        many predecessors, returns None."""
        predecessors = self._predecessors[self._block]
        if not predecessors or len(predecessors) > 150:
            return None
        self._count += 1
        name = f"%v{self._count}"
        # The phi can use its own result only for an edge that starts in the phi's own block. For an edge from another
        # predecessor, such a use is valid only if the phi's block dominates this predecessor.
        values = {
            block: self._rng.one(constants)
            if self._rng.hit(0.7)
            else name
            if block == self._block and len(predecessors) > 1
            else self.operand(word)
            for block in predecessors
        }
        pairs = ", ".join(f"[ {values[block]}, %{self._names[block]} ]" for block in predecessors)
        self._phis.append(f"{name} = phi {self._type(word)} {pairs}")
        return name

    def _type(self, word: str) -> str:
        return self._pointer if word == "ptr" else word

    # ---- conditions --------------------------------------------------------------------------------------------------

    def _condition(self) -> str:
        rng, kind = self._rng, self._conditions.pick()
        word = rng.one(("i32", "i32", "i32", "i64", "i8", "i1", "i65", "i128"))
        test = WeightedChoice(rng, INTEGER_TESTS).pick()
        if kind == "phi":
            if flag := self._test_of_phi(word, test):
                return flag
            kind = "constant"
        if kind == "masked":
            masked = self.define(f"and {word} {self.operand(word)}, {any_integer(rng, width(word))}")
            return self.define(f"icmp {test} {word} {masked}, {any_constant(rng, word)}")
        if kind == "integers":
            return self.define(f"icmp {test} {word} {self.operand(word)}, {self.operand(word)}")
        if kind == "null":
            return self.define(f"icmp {rng.one(('eq', 'ne', test))} {self._pointer} {self.operand('ptr')}, null")
        if kind == "pointers":
            return self.define(f"icmp {rng.one(('eq', 'ne', test))} {self._pointer} %p, %q")
        if kind == "floats":
            word = rng.one(("float", "double"))
            other = rng.one(FLOATS[word]) if rng.hit(0.5) else self.operand(word)
            return self.define(f"fcmp {rng.one(FLOAT_TESTS)} {word} {self.operand(word)}, {other}")
        if kind == "string":
            return self._test_of_strings(test)
        if kind == "inverted":
            return self.define(f"xor i1 {self._condition()}, true")
        if kind == "combined":
            return self.define(f"{rng.one(('and', 'or'))} i1 {self._condition()}, {self._condition()}")
        if kind in ("argument", "literal"):
            return self.operand("i1") if kind == "argument" else rng.one(("true", "false", "undef", "poison"))
        pair = [self.operand(word), any_constant(rng, word)]
        if rng.hit(0.1):
            pair.reverse()
        return self.define(f"icmp {test} {word} {pair[0]}, {pair[1]}")

    def _test_of_phi(self, word: str, test: str) -> str | None:
        """Adds a phi of constants, optional operations, and a comparison. For each constant, LLVM folds the
        phi, the operations and the comparison."""
        rng = self._rng
        constants = [any_constant(rng, word) for _ in range(2)]
        value = self.phi(word, constants)
        if value is None:
            return None
        for _ in range(rng.one((0, 0, 1, 2, 5))):
            value = self.define(f"{rng.one(OPERATIONS)} {word} {value}, {any_integer(rng, width(word))}")
        return self.define(f"icmp {test} {word} {value}, {rng.one(constants)}")

    def _test_of_strings(self, test: str) -> str:
        name, pointer = self._rng.one(COMPARISONS), self._pointer
        size = "" if name in COMPARISONS[:2] else ", i64 %l"
        result = self.define(f"call i32 @{name}({pointer} %p, {pointer} %q{size})")
        return self.define(f"icmp {self._rng.one(('eq', 'ne', test))} i32 {result}, {self._rng.one((0, 0, 1, -1, 5))}")

    # ---- blocks ------------------------------------------------------------------------------------------------------

    def _write(self) -> str:
        rng, pointer = self._rng, self._pointer
        parameters = ", ".join(f"{self._type(word)} {name}" for name, word in PARAMETERS.items())
        attributes = WeightedChoice(rng, ATTRIBUTES).pick()
        personality = ""
        if self._personality:
            name = f"@{self._personality}"
            typed = f"ptr {name}" if pointer == "ptr" else f"i8* bitcast (i32 (...)* {name} to i8*)"
            personality = f" personality {typed}"
        lines = [f"define i32 {self._symbol}({parameters}){attributes}{personality}{self._weights.entry()} {{"]
        for block, successors in enumerate(self._graph):
            self._block, self._code, self._phis = block, [], []
            is_header = any(predecessor >= block for predecessor in self._predecessors[block])
            if rng.hit(self._call_rate):
                self._code.append(self._call(rng.one(CALLEES)))
            end = self._terminator(successors) + self._weights.header(is_header=is_header)
            lines += [f"{self._names[block]}:", *(f"  {line}" for line in (*self._phis, *self._code, end))]
        for pad, kind in self._pads.items():
            lines += [f"{self._names[pad]}:", *(f"  {line}" for line in self._pad(kind, pad))]
        return "\n".join([*lines, "}\n"])

    def _call(self, callee: str) -> str:
        return f"call void {callee}(){WeightedChoice(self._rng, SITE_ATTRIBUTES).pick()}"

    def _label(self, block: int) -> str:
        return f"label %{self._names[block]}"

    def _labels(self, blocks: list[int]) -> str:
        return ", ".join(map(self._label, blocks))

    def _terminator(self, successors: list[int]) -> str:
        rng, count = self._rng, len(successors)
        if count == 0:
            if rng.hit(0.4):
                self._code += [self._call(rng.one(("@never", "@cold.never", "@plain")))] * rng.hit(0.6)
                return "unreachable"
            return f"ret i32 {self.operand('i32')}"
        if count == 1 and self._pads and rng.hit(0.4):
            pad = rng.one(list(self._pads))
            callee = self._call(rng.one(CALLEES)).removeprefix("call ")
            return f"invoke {callee} to {self._label(successors[0])} unwind {self._label(pad)}{self.weights(2)}"
        if count <= MOST_LABELS and rng.hit(0.02 if count < 3 else 0.18):
            return self._jump_by_label(successors)
        if count == 1:
            return f"br {self._label(successors[0])}"
        if count == 2 and rng.hit(0.95):
            return f"br i1 {self._condition()}, {self._labels(successors)}{self.weights(2)}"
        return self._switch(successors)

    def _switch(self, successors: list[int]) -> str:
        word = self._rng.one(("i32", "i32", "i64", "i8", "i128") if len(successors) < 100 else ("i32",))
        value = self.operand(word)
        first = self._rng.one((0, 0, 1, -2))
        cases = "\n".join(
            f"    {word} {first + place}, {self._label(target)}" for place, target in enumerate(successors[1:])
        )
        return f"switch {word} {value}, {self._label(successors[0])} [\n{cases}\n  ]{self.weights(len(successors))}"

    def _jump_by_label(self, successors: list[int]) -> str:
        """Adds an indirectbr or a callbr. The first successor of a callbr is the fallthrough."""
        if self._rng.hit(0.6) or self._llvm < 15:
            weights = self.weights(len(successors))
            return f"indirectbr {self._pointer} {self.operand('ptr')}, [{self._labels(successors)}]{weights}"
        constraints = ",".join(["r", *["!i"] * (len(successors) - 1)])
        targets = f"to {self._label(successors[0])} [{self._labels(successors[1:])}]"
        return f'callbr void asm sideeffect "", "{constraints}"(i32 %x) {targets}{self.weights(len(successors))}'

    def _pad(self, kind: str, pad: int) -> Iterator[str]:
        """Yields the instructions of a landing pad or of a cleanup funclet."""
        inner = [block for block in range(1, len(self._graph)) if not self._uses_phis(block)]
        if kind == "funclet":
            yield f"%pad{pad} = cleanuppad within none []"
            yield self._call("@cold") + f' [ "funclet"(token %pad{pad}) ]'
            yield self._rng.one((f"cleanupret from %pad{pad} unwind to caller", "unreachable"))
            return
        pair = f"{{ {self._pointer}, i32 }}"
        yield f"%pad{pad} = landingpad {pair} {self._rng.one(('cleanup', f'catch {self._pointer} null'))}"
        if inner and self._rng.hit(0.6):
            yield f"br {self._label(self._rng.one(inner))}"
        else:
            yield f"resume {pair} %pad{pad}"

    def _uses_phis(self, block: int) -> bool:
        """Whether the block can have a phi. If the block has a phi, a new predecessor would need an incoming value."""
        return bool(self._predecessors[block])
