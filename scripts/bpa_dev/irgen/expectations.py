"""Calls of `llvm.expect` and `llvm.expect.with.probability`, in each position that the pass lower-expect reads."""

import struct
from typing import Protocol

from .chance import Chance, uneven_choice
from .constants import any_integer, integer, width

TYPES = ("i1", "i8", "i32", "i64")
PROBABILITIES = (0.0, 0.25, 0.5, 0.9, 1.0, 1 / 3, 0.999, 1e-9, 0.1, 0.7071067811865476)
KINDS = {
    "compared": 10,
    "direct": 5,
    "xor": 3,
    "casts": 6,
    "phi": 7,
    "flags": 5,
    "unrelated": 3,
    "select": 4,
    "store": 2,
}
PREDICATES = {"ne": 10, "eq": 8, "slt": 2, "sgt": 2, "ult": 1, "uge": 1}


class Place(Protocol):
    """The operations that add instructions to a block."""

    def operand(self, word: str) -> str: ...

    def define(self, instruction: str) -> str: ...

    def phi(self, word: str, constants: list[str]) -> str | None: ...

    def weights(self, count: int) -> str: ...

    def store(self, word: str, value: str) -> None: ...


def declarations() -> list[str]:
    plain = [f"declare {word} @llvm.expect.{word}({word}, {word})" for word in TYPES]
    return plain + [f"declare {word} @llvm.expect.with.probability.{word}({word}, {word}, double)" for word in TYPES]


class Expectations:
    def __init__(self, rng: Chance) -> None:
        self._rng = rng
        self._kinds, self._predicates = uneven_choice(rng, KINDS), uneven_choice(rng, PREDICATES)

    def expect(self, place: Place, word: str, value: str) -> str:
        """Adds a call of the intrinsic. In 5% of the calls, the expected value is not a constant."""
        expected = place.operand(word) if self._rng.hit(0.05) else self._small(word)
        if self._rng.hit(0.35):
            number = self._rng.one(PROBABILITIES) if self._rng.hit(0.8) else self._rng.random()
            # A number in hexadecimal form is exact.
            probability = f"double 0x{struct.unpack('>Q', struct.pack('>d', number))[0]:016X}"
            arguments = f"({word} {value}, {word} {expected}, {probability})"
            return place.define(f"call {word} @llvm.expect.with.probability.{word}{arguments}")
        return place.define(f"call {word} @llvm.expect.{word}({word} {value}, {word} {expected})")

    def condition(self, place: Place) -> str:
        """Adds instructions that compute the condition of a branch."""
        kind, word = self._kinds.pick(), self._rng.one(TYPES)
        if kind == "direct":
            return self.expect(place, "i1", self._flag(place))
        if kind == "xor":
            flag = self._compared(place, word)
            for _ in range(self._rng.between(1, 3)):
                flag = place.define(f"xor i1 {flag}, {self._rng.one(('true', 'false'))}")
            return flag
        if kind == "casts":
            return self._cast(place, self._flag(place))
        if kind in ("phi", "flags"):
            value = place.phi("i1" if kind == "flags" else word, [self._small(word) for _ in range(3)])
            if value and kind == "flags":
                return self._cast(place, value)
            return self._test(place, word, self.expect(place, word, value or place.operand(word)))
        if kind == "unrelated":
            return self._flag(place)
        flag = self._compared(place, word)
        if kind == "select":
            one, other = place.operand("i32"), place.operand("i32")
            place.define(f"select i1 {flag}, i32 {one}, i32 {other}{place.weights(2)}")
        elif kind == "store":
            place.store(word, self.expect(place, word, place.operand(word)))
        return flag

    def _compared(self, place: Place, word: str) -> str:
        return self._test(place, word, self.expect(place, word, place.operand(word)))

    def _cast(self, place: Place, flag: str) -> str:
        """Extends a flag, calls the intrinsic, and truncates or compares the result, as front ends do."""
        wide = self._rng.one(("i8", "i32", "i64"))
        value = self.expect(place, wide, place.define(f"{self._rng.one(('zext', 'zext', 'sext'))} i1 {flag} to {wide}"))
        if self._rng.hit(0.4):
            return place.define(f"trunc {wide} {value} to i1")
        return self._test(place, wide, value)

    def _flag(self, place: Place) -> str:
        return place.define(f"icmp {self._predicates.pick()} i32 {place.operand('i32')}, 3")

    def _test(self, place: Place, word: str, value: str) -> str:
        """Adds a comparison with a constant, usually 0, as front ends do."""
        constant = "0" if word != "i1" and self._rng.hit(0.6) else self._small(word)
        return place.define(f"icmp {self._predicates.pick()} {word} {value}, {constant}")

    def _small(self, word: str) -> str:
        bits = width(word)
        return integer(self._rng.one((0, 1, 1)), bits) if self._rng.hit(0.8) else any_integer(self._rng, bits)
