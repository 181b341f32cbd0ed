"""What conditional branches test."""

from collections.abc import Callable

from .chance import Chance, Wheel, uneven_wheel
from .constants import FLOAT_TYPES, INTEGER_TYPES, address, any_constant, any_integer, integer, power_of_two, width
from .libcalls import LibCall, LibCompare
from .values import Values
from .weights import Metadata

# fmt: off
KINDS = {
    "with_constant": 30, "constant_left": 3, "two_integers": 8, "masked": 8, "bitcast_constant": 2,
    "pointer_null": 8, "pointers": 6, "floats": 9, "libcall": 9, "argument": 6, "literal": 3,
    "inverted": 5, "combined": 3, "constants_only": 1,
}
# fmt: on

INTEGER_PREDICATES = {"eq": 5, "ne": 5, "slt": 4, "sgt": 4, "sle": 2, "sge": 2, "ult": 2, "ugt": 2, "ule": 1, "uge": 1}
# fmt: off
FLOAT_PREDICATES = {name: 4 if name in ("oeq", "une", "ord", "uno") else 1 for name in (
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une",
    "uno", "true")}
# fmt: on


class Conditions:
    """Makes i1 operands for the branches of one function."""

    def __init__(self, rng: Chance, values: Values, libcalls: list[LibCall], metadata: Metadata) -> None:
        self._rng = rng
        self._values = values
        self._metadata = metadata
        self._kinds = uneven_wheel(rng, KINDS)
        self._integers = Wheel(rng, INTEGER_TYPES)
        self._float_types = Wheel(rng, FLOAT_TYPES)
        self._predicates = uneven_wheel(rng, INTEGER_PREDICATES)
        self._float_predicates = Wheel(rng, FLOAT_PREDICATES)
        self._libcompare = LibCompare(rng, libcalls)

    def make(self, code: list[str]) -> str:
        """Appends what a condition needs to the block's code; answers the i1 operand."""
        make: Callable[[list[str]], str] = getattr(self, "_" + self._kinds.pick())
        return make(code)

    def predicate(self, word: str) -> str:
        """A compare of that type, up to its operands: `icmp eq i32`."""
        if word in FLOAT_TYPES:
            return f"fcmp {self._float_predicates.pick()} {word}"
        return f"icmp {self._predicates.pick()} {self._values.spell.type(word)}"

    def _compare(self, code: list[str], word: str, left: str, right: str) -> str:
        return self._values.define(code, f"{self.predicate(word)} {left}, {right}")

    def _with_constant(self, code: list[str]) -> str:
        word = self._integers.pick()
        left = self._values.operand(code, word)
        return self._compare(code, word, left, any_integer(self._rng, width(word)))

    def _constant_left(self, code: list[str]) -> str:
        word = self._integers.pick()
        right = self._values.operand(code, word)
        return self._compare(code, word, any_integer(self._rng, width(word)), right)

    def _constants_only(self, code: list[str]) -> str:
        word = self._integers.pick()
        return self._compare(code, word, any_constant(self._rng, word), any_constant(self._rng, word))

    def _two_integers(self, code: list[str]) -> str:
        word = self._integers.pick()
        left, right = self._values.operand(code, word), self._values.operand(code, word)
        return self._compare(code, word, left, right)

    def _masked(self, code: list[str]) -> str:
        """A tested bit gets no verdict from LLVM; a tested mask of several bits does."""
        word = self._integers.pick()
        bits = width(word)
        mask = power_of_two(self._rng, bits) if self._rng.hit(0.7) else any_integer(self._rng, bits)
        pair = [self._values.operand(code, word), self._maybe_bitcast(code, word, mask)]
        if self._rng.hit(0.1):
            pair.reverse()
        masked = self._values.define(code, f"and {word} {pair[0]}, {pair[1]}")
        return self._compare(code, word, masked, any_integer(self._rng, bits))

    def _maybe_bitcast(self, code: list[str], word: str, constant: str) -> str:
        """Now and then a constant behind a bitcast, which LLVM looks through."""
        if self._rng.hit(0.92):
            return constant
        return self._values.define(code, f"bitcast {word} {constant} to {word}")

    def _bitcast_constant(self, code: list[str]) -> str:
        word = self._integers.pick()
        left = self._values.operand(code, word)
        constant = any_integer(self._rng, width(word))
        right = self._values.define(code, f"bitcast {word} {constant} to {word}")
        return self._compare(code, word, left, right)

    def _pointer_null(self, code: list[str]) -> str:
        pair = [self._values.operand(code, "ptr") if self._rng.hit(0.9) else address(self._rng), "null"]
        if self._rng.hit(0.15):
            pair.reverse()
        return self._compare(code, "ptr", *pair)

    def _pointers(self, code: list[str]) -> str:
        left = self._values.operand(code, "ptr")
        right = self._values.operand(code, "ptr") if self._rng.hit(0.7) else address(self._rng)
        return self._compare(code, "ptr", left, right)

    def _floats(self, code: list[str]) -> str:
        """Floats with a constant on the right, on the left, or with each other (also with themselves)."""
        word = self._float_types.pick()
        left = self._values.operand(code, word)
        form = self._rng.random()
        if form < 0.6:
            right = any_constant(self._rng, word)
        elif form < 0.75:
            left, right = any_constant(self._rng, word), left
        else:
            right = left if form < 0.85 else self._values.operand(code, word)
        return self._compare(code, word, left, right)

    def _libcall(self, code: list[str]) -> str:
        return self._libcompare.condition(self._values, code)

    def _argument(self, code: list[str]) -> str:
        return self._values.operand(code, "i1")

    def _literal(self, _code: list[str]) -> str:
        return self._rng.one(("true", "false", "undef", "poison"))

    def _inverted(self, code: list[str]) -> str:
        """Another condition, negated once or twice."""
        condition = self._with_constant(code) if self._rng.hit(0.5) else self._argument(code)
        for _ in range(self._rng.between(1, 2)):
            condition = self._values.define(code, f"xor i1 {condition}, {integer(1, 1)}")
        return condition

    def _combined(self, code: list[str]) -> str:
        """Two conditions in one: no heuristic looks inside."""
        left, right = self._with_constant(code), self._argument(code)
        if self._rng.hit(0.4):
            return self._select(code, left, right)
        return self._values.define(code, f"{self._rng.one(('and', 'or', 'xor'))} i1 {left}, {right}")

    def _select(self, code: list[str], left: str, right: str) -> str:
        """`left && right` as a select, whose own weights say nothing about the branch."""
        weights = ""
        if self._rng.hit(0.4):
            weights = ", !prof " + self._metadata.node('!"branch_weights", i32 1, i32 9')
        return self._values.define(code, f"select i1 {left}, i1 {right}, i1 false{weights}")
