"""Random metadata: branch weights, weights of loop headers, entry counts."""

from .chance import Chance, uneven_choice

LARGEST = (1 << 32) - 1
# fmt: off
KINDS = {"plausible": 20, "skewed": 10, "some_zero": 8, "all_zero": 4, "one_huge": 5, "all_huge": 5, "equal": 3,
         "wide_type": 6, "narrow_type": 2}
# fmt: on
HEADER_WEIGHTS = (0, 0, 1, 2, 3, 10, 100, 1000, 12345, 1 << 20, 1 << 33, 1 << 40)
ENTRY_COUNTS = (0, 1, 2, 100, 12345, 10**6, 1 << 32, 1 << 40, (1 << 63) - 1, -1)
#: Operands that LLVM's verifier rejects. No weight is a string, because LLVM's result for a string is undefined.
MALFORMED = (
    *('"branch_weights"', '"branch_weights", i32 3', '"branch_weight", i32 1, i32 2'),
    *('"branch_weights", double 7.0, double 1.0', '"branch_weights", i64 4294967301, i64 7', '"VP", i32 0, i64 20'),
    *('"branch_weights", i128 18446744073709551619, i128 7', '"branch_weights", i32 3, i32 3, i32 3, i32 3'),
)


class Metadata:
    """The metadata nodes of a module, without duplicates."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def node(self, operands: str) -> str:
        return f"!{self._numbers.setdefault(operands, len(self._numbers))}"

    def definitions(self) -> list[str]:
        return [f"!{number} = !{{{operands}}}" for operands, number in self._numbers.items()]


class Weights:
    def __init__(self, rng: Chance, metadata: Metadata, *, often: bool, malformed: bool) -> None:
        self._rng, self._metadata, self._malformed = rng, metadata, malformed
        self._rate = min(0.9, (0.3 if often else 0.2) * rng.one((0.0, 0.4, 1.0, 1.0, 2.5)))
        self._header_rate = rng.one((0.5, 0.8, 1.0)) if rng.hit(0.5 if often else 0.1) else 0.0
        self._kinds = uneven_choice(rng, KINDS)

    def for_edges(self, count: int) -> str:
        """Returns a `!prof` attachment for a terminator with this many successors, or an empty string."""
        rng = self._rng
        if not rng.hit(self._rate if count <= 128 else max(self._rate, 0.5)):
            return ""
        if self._malformed and rng.hit(0.2):
            operands = ", ".join(f"!{part}" if part[0] == '"' else part for part in rng.one(MALFORMED).split(", "))
            return f", !prof {self._metadata.node(operands)}"
        values, types = self._values(self._kinds.pick(), count)
        # Values in the upper half of i32 are written as negative numbers, which every LLVM version can read.
        spelled = [
            f"{word} {value - LARGEST - 1 if word == 'i32' and value > LARGEST // 2 else value}"
            for value, word in zip(values, types, strict=True)
        ]
        return ", !prof " + self._metadata.node(f'!"branch_weights", {", ".join(spelled)}')

    def _values(self, kind: str, count: int) -> tuple[list[int], list[str]]:
        rng = self._rng
        top = rng.one((4, 100, 2000, 100000))
        values = [rng.between(1, top) for _ in range(count)]
        types = ["i32"] * count
        if kind == "skewed":
            values = [1] * count
            values[rng.below(count)] = rng.one((3, 31, 2000, 1048575))
        elif kind == "some_zero":
            values = [value if rng.hit(0.5) else 0 for value in values]
        elif kind == "all_zero":
            values = [0] * count
        elif kind == "equal":
            values = [rng.between(1, 9)] * count
        elif kind == "one_huge":
            values[rng.below(count)] = LARGEST - rng.below(3)
        elif kind == "all_huge":
            values = [LARGEST - rng.below(1000) for _ in range(count)]
        elif kind == "wide_type":
            types = [rng.one(("i32", "i64")) for _ in range(count)]
        elif kind == "narrow_type":
            values, types = [rng.below(128) for _ in range(count)], ["i8"] * count
        return values, types

    def header(self, *, is_header: bool) -> str:
        """Returns an `!irr_loop` attachment for a terminator, or an empty string."""
        if not self._rng.hit(self._header_rate if is_header else self._header_rate / 8):
            return ""
        return f', !irr_loop {self._metadata.node(f"""!"loop_header_weight", i64 {self._rng.one(HEADER_WEIGHTS)}""")}'

    def entry(self) -> str:
        """Returns an entry count for a function, or an empty string."""
        if not self._rng.hit(0.3):
            return ""
        return f""" !prof {self._metadata.node(f'!"function_entry_count", i64 {self._rng.one(ENTRY_COUNTS)}')}"""
