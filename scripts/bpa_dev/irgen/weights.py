"""Metadata: branch weights of every kind that a verifier lets through, and weights of loop headers."""

from collections.abc import Callable

from .chance import Chance, uneven_wheel
from .spelling import Spelling
from .taste import Taste

LARGEST = (1 << 32) - 1

MANY = 128  # more weights than that are merged through a hash table, and such terminators are rare

# fmt: off
KINDS = {
    "plausible": 20, "skewed": 10, "some_zero": 8, "all_zero": 4, "one_huge": 5, "all_huge": 5,
    "equal": 3, "wide_type": 6, "narrow_type": 2, "other_kind": 3,
}
# fmt: on
OTHER_KINDS = (
    '!"VP", i32 0, i64 100, i64 42, i64 60',
    '!"function_entry_count", i64 7',
    '!"unknown", i32 1',
    '!"Branch_Weights", i32 1, i32 9',
)
HEADER_WEIGHTS = (0, 0, 1, 2, 3, 10, 100, 1000, 12345, 1 << 20, 1 << 33, 1 << 40)


class Metadata:
    """The numbered metadata nodes of one module."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def node(self, operands: str) -> str:
        """A reference to the node with these operands; equal nodes are shared."""
        return f"!{self._numbers.setdefault(operands, len(self._numbers))}"

    def definitions(self) -> list[str]:
        """The lines that define all nodes."""
        return [f"!{number} = !{{{operands}}}" for operands, number in self._numbers.items()]


class Weights:
    """Makes `!prof` and `!irr_loop` attachments for one function."""

    def __init__(self, rng: Chance, metadata: Metadata, spell: Spelling, taste: Taste) -> None:
        self._rng = rng
        self._metadata = metadata
        self._rate = taste.prof
        self._malformed = taste.malformed
        self._header_rate = taste.header_weights
        self._stray_header_rate = taste.stray_header_weights
        kinds = dict(KINDS, some_zero=KINDS["some_zero"] * taste.zeros)
        if taste.flow or not spell.unknown_prof_kinds:
            del kinds["other_kind"]
        self._kinds = uneven_wheel(rng, kinds)

    def for_edges(self, count: int, may_be_short: bool = False) -> str:
        """A `!prof` attachment for a terminator with that many successors, or nothing.

        An invoke `may_be_short`: the verifier also accepts a single weight on it.
        """
        rng = self._rng
        if not rng.hit(self._rate if count <= MANY else max(self._rate, 0.5)):
            return ""
        kind = self._kinds.pick()
        if kind == "other_kind":
            return f", !prof {self._metadata.node(rng.one(OTHER_KINDS))}"
        if may_be_short and rng.hit(0.2):
            count = 1
        elif rng.hit(self._malformed):
            count = max(1, rng.one((count - 1, count + 1, 1, 2 * count)))
        make: Callable[[int], tuple[list[int], str]] = getattr(self, "_" + kind)
        values, type_ = make(count)
        operands = ", ".join(self._operand(value, type_) for value in values)
        return ", !prof " + self._metadata.node(f'!"branch_weights", {operands}')

    def _operand(self, value: int, type_: str) -> str:
        """One weight. Of i32, the upper half is spelled negative: every reader takes that."""
        if type_ == "mixed":
            type_ = self._rng.one(("i32", "i64"))
        if type_ == "i32" and value > LARGEST // 2:
            value -= LARGEST + 1
        return f"{type_} {value}"

    def _plausible(self, count: int) -> tuple[list[int], str]:
        rng = self._rng
        top = rng.one((4, 100, 2000, 100000))
        return [rng.between(1, top) for _ in range(count)], "i32"

    def _skewed(self, count: int) -> tuple[list[int], str]:
        values = [1] * count
        values[self._rng.below(count)] = self._rng.one((3, 31, 2000, 1048575))
        return values, "i32"

    def _some_zero(self, count: int) -> tuple[list[int], str]:
        return [self._rng.between(1, 50) if self._rng.hit(0.5) else 0 for _ in range(count)], "i32"

    def _all_zero(self, count: int) -> tuple[list[int], str]:
        return [0] * count, "i32"

    def _equal(self, count: int) -> tuple[list[int], str]:
        return [self._rng.between(1, 9)] * count, "i32"

    def _one_huge(self, count: int) -> tuple[list[int], str]:
        values = [self._rng.between(0, 20) for _ in range(count)]
        values[self._rng.below(count)] = LARGEST - self._rng.below(3)
        return values, "i32"

    def _all_huge(self, count: int) -> tuple[list[int], str]:
        """Every weight near 2^32, so that their sum needs more than 32 bits."""
        spread = self._rng.one((1, 1000, 1 << 31))
        return [LARGEST - self._rng.below(spread) for _ in range(count)], "i32"

    def _wide_type(self, count: int) -> tuple[list[int], str]:
        """Weights typed i64 whose values fit 32 bits."""
        values, _ = self._rng.one((self._plausible, self._one_huge, self._all_huge))(count)
        return values, self._rng.one(("i64", "mixed"))

    def _narrow_type(self, count: int) -> tuple[list[int], str]:
        return [self._rng.below(128) for _ in range(count)], "i8"

    def header(self, is_header: bool) -> str:
        """An `!irr_loop` attachment for a terminator, or nothing."""
        if not self._rng.hit(self._header_rate if is_header else self._stray_header_rate):
            return ""
        rng = self._rng
        weight = rng.one(HEADER_WEIGHTS) if rng.hit(0.7) else rng.below(10000)
        return ", !irr_loop " + self._metadata.node(f'!"loop_header_weight", i64 {weight}')
