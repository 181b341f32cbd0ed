"""Uses of `llvm.expect` and `llvm.expect.with.probability`, in every position that lowering looks at."""

import struct
from collections.abc import Callable, Iterator

from .chance import Chance, Wheel, uneven_wheel
from .constants import any_integer, integer, width
from .graph import Graph
from .spelling import Spelling
from .values import Values
from .weights import Weights

TYPES = {"i1": 4, "i8": 2, "i32": 5, "i64": 8}
PROBABILITIES = (0.0, 0.25, 0.5, 0.9, 1.0, 1 / 3, 0.999, 1e-9, 0.1, 0.7071067811865476)

# fmt: off
BRANCHES = {"compared": 10, "direct": 5, "through_xor": 3, "through_casts": 6, "through_phi": 7,
            "phi_of_flags": 5, "unrelated": 3, "several_uses": 2}
# fmt: on
EXTRAS = {"unused": 3, "selected": 4, "select_direct": 3, "stored": 2}
PREDICATES = {"ne": 10, "eq": 8, "slt": 2, "sgt": 2, "ult": 1, "uge": 1}


def declarations(spell: Spelling) -> Iterator[str]:
    """The intrinsics in every type."""
    for word in TYPES:
        yield f"declare {spell.type(word)} @llvm.expect.{word}({word}, {word})"
        yield f"declare {word} @llvm.expect.with.probability.{word}({word}, {word}, double)"


class Expectations:
    """Makes the conditions, switch operands and selects of one function out of expectations."""

    def __init__(self, rng: Chance, graph: Graph, preds: list[list[int]], values: Values, weights: Weights) -> None:
        self._rng = rng
        self._graph = graph
        self._preds = preds
        self._values = values
        self._weights = weights
        self._types = uneven_wheel(rng, TYPES)
        self._branches = uneven_wheel(rng, BRANCHES)
        self._extras = Wheel(rng, EXTRAS)
        self._predicates = uneven_wheel(rng, PREDICATES)

    def set_condition(self, index: int) -> None:
        """Gives a conditional branch something expected to test."""
        block = self._graph.blocks[index]
        kind = self._branches.pick()
        if kind in ("through_phi", "phi_of_flags") and not self._preds[index]:
            kind = "compared"
        make: Callable[[int, list[str]], str] = getattr(self, "_" + kind)
        block.condition = make(index, block.code)

    def switch_operand(self, code: list[str], word: str) -> str:
        """An expected value of the given type; its expectation may or may not be one of the cases."""
        if word not in TYPES:
            return self._values.operand(code, word)
        expected = integer(self._rng.between(-2, 6), width(word))
        return self._expect(code, word, self._values.operand(code, word), expected)

    def add_extra(self, code: list[str]) -> None:
        """A use that is not a branch."""
        add: Callable[[list[str]], None] = getattr(self, "_" + self._extras.pick())
        add(code)

    def _expect(self, code: list[str], word: str, value: str, expected: str | None = None) -> str:
        """The intrinsic on a value; seldom is the expectation itself a variable."""
        if expected is None:
            expected = self._small(word)
        if self._rng.hit(0.05):
            expected = self._values.operand(code, word)
        if self._rng.hit(0.35):
            probability = f"double {_double(self._probability())}"
            return self._values.define(
                code,
                f"call {word} @llvm.expect.with.probability.{word}({word} {value}, {word} {expected}, {probability})",
            )
        return self._values.define(code, f"call {word} @llvm.expect.{word}({word} {value}, {word} {expected})")

    def _probability(self) -> float:
        return self._rng.one(PROBABILITIES) if self._rng.hit(0.8) else self._rng.random()

    def _small(self, word: str) -> str:
        """A constant that an expectation or a compare is likely to have."""
        if self._rng.hit(0.8):
            return integer(self._rng.one((0, 1, 1)), width(word))
        return any_integer(self._rng, width(word))

    def _flag(self, code: list[str]) -> str:
        """An i1 that nothing is known about."""
        if self._rng.hit(0.4):
            return self._values.operand(code, "i1")
        return self._unrelated(None, code)

    def _test(self, code: list[str], word: str, value: str) -> str:
        """A compare with a constant, most often with 0 as front ends write it."""
        constant = "0" if word != "i1" and self._rng.hit(0.6) else self._small(word)
        return self._values.define(code, f"icmp {self._predicates.pick()} {word} {value}, {constant}")

    def _compared(self, _index: int | None, code: list[str]) -> str:
        word = self._types.pick()
        return self._test(code, word, self._expect(code, word, self._values.operand(code, word)))

    def _direct(self, _index: int | None, code: list[str]) -> str:
        return self._expect(code, "i1", self._flag(code))

    def _through_xor(self, _index: int, code: list[str]) -> str:
        """Negations between the expectation and the branch."""
        flag = self._direct(None, code) if self._rng.hit(0.5) else self._compared(None, code)
        for _ in range(self._rng.between(1, 3)):
            flag = self._values.define(code, f"xor i1 {flag}, {integer(self._rng.between(0, 9), 1)}")
        return flag

    def _through_casts(self, _index: int, code: list[str]) -> str:
        """A widened flag is expected, as front ends do it; then narrowed or tested."""
        flag = self._flag(code)
        if self._rng.hit(0.3):
            flag = self._values.define(code, f"xor i1 {flag}, true")
        wide = self._rng.one(("i8", "i32", "i64"))
        value = self._values.define(code, f"{self._rng.one(('zext', 'zext', 'sext'))} i1 {flag} to {wide}")
        value = self._expect(code, wide, value)
        if self._rng.hit(0.4):
            return self._values.define(code, f"trunc {wide} {value} to i1")
        if wide == "i64" and self._rng.hit(0.4):
            wide = "i32"
            value = self._values.define(code, f"trunc i64 {value} to i32")
        return self._test(code, wide, value)

    def _through_phi(self, index: int, code: list[str]) -> str:
        """A phi with constants is expected: lowering follows it to the branches before it."""
        word = self._types.pick()
        value = self._phi(index, word)
        if word != "i1" and self._rng.hit(0.3):
            value = self._values.define(code, f"xor {word} {value}, {self._small(word)}")
        value = self._expect(code, word, value)
        return value if word == "i1" and self._rng.hit(0.6) else self._test(code, word, value)

    def _phi_of_flags(self, index: int, code: list[str]) -> str:
        """A phi of i1, as `&&` and `||` leave it, widened and then expected."""
        value, word = self._phi(index, "i1"), "i1"
        if self._rng.hit(0.4):
            value = self._values.define(code, f"xor i1 {value}, true")
        if self._rng.hit(0.8):
            word = self._rng.one(("i8", "i32", "i64"))
            cast = self._rng.one(("zext", "zext", "sext"))
            value = self._values.define(code, f"{cast} i1 {value} to {word}")
        return self._test(code, word, self._expect(code, word, value))

    def _phi(self, index: int, word: str) -> str:
        """A phi of constants and of values that are loaded where they come from."""
        incoming = {}
        for pred in self._preds[index]:
            if pred not in incoming:
                incoming[pred] = self._small(word) if self._rng.hit(0.65) else self._incoming(pred, word)
        pairs = ", ".join(f"[ {incoming[pred]}, {self._graph.blocks[pred].reference} ]" for pred in self._preds[index])
        name = self._values.fresh()
        self._graph.blocks[index].phis.append(f"{name} = phi {word} {pairs}")
        return name

    def _incoming(self, pred: int, word: str) -> str:
        return self._values.load(self._graph.blocks[pred].code, word)

    def _unrelated(self, _index: int | None, code: list[str]) -> str:
        """A condition without any expectation."""
        return self._values.define(code, f"icmp {self._predicates.pick()} i32 {self._values.operand(code, 'i32')}, 3")

    def _several_uses(self, _index: int, code: list[str]) -> str:
        """One expectation behind the branch, a select and another compare."""
        word = self._types.pick()
        value = self._expect(code, word, self._values.operand(code, word))
        flag = self._test(code, word, value)
        self._select(code, flag)
        self._test(code, word, value)
        return flag

    def _unused(self, code: list[str]) -> None:
        word = self._types.pick()
        self._expect(code, word, self._values.operand(code, word))

    def _stored(self, code: list[str]) -> None:
        word = self._types.pick()
        value = self._expect(code, word, self._values.operand(code, word))
        code.append(f"store {word} {value}, {self._values.spell.pointer(word)} @g.{word}")

    def _selected(self, code: list[str]) -> None:
        self._select(code, self._compared(None, code))

    def _select_direct(self, code: list[str]) -> None:
        self._select(code, self._direct(None, code))

    def _select(self, code: list[str], flag: str) -> None:
        left, right = self._values.operand(code, "i32"), self._values.operand(code, "i32")
        weights = self._weights.for_edges(2)
        self._values.define(code, f"select i1 {flag}, i32 {left}, i32 {right}{weights}")


def _double(value: float) -> str:
    """A double in the hexadecimal form that is always read back exactly."""
    return f"0x{struct.unpack('>Q', struct.pack('>d', value))[0]:016X}"
