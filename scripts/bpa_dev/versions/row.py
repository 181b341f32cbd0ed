"""What one version of LLVM came to."""

import dataclasses
import re
from collections.abc import Iterator, Sequence

HEADLINE = (
    "LLVM",
    "build",
    "lit",
    "bpi and bfi: lines that differ",
    "check: files that it judges otherwise",
    "annotate, annotated, overwritten",
    "expect",
)
BUILT = "built"
CLEAN = re.compile(r"0 of [1-9]\d*(, 0 of [1-9]\d*)*")


@dataclasses.dataclass(frozen=True)
class Sizes:
    """How much is drawn at random."""

    functions: int
    stress: int


@dataclasses.dataclass(frozen=True)
class Row:
    version: int
    #: `built`, or what went wrong.
    build: str
    #: How many tests passed, and how many did not.
    lit: str = ""
    #: How many lines differ of how many.
    parity: str = ""
    #: On how many files of how many the check in one process disagrees with the printers.
    check: str = ""
    #: The same for each way of annotating.
    round_trip: str = ""
    expect: str = ""

    def cells(self) -> tuple[str, ...]:
        return (str(self.version), self.build, self.lit, self.parity, self.check, self.round_trip, self.expect)

    def as_line(self) -> str:
        return "|".join(self.cells())

    @staticmethod
    def of_line(line: str) -> "Row":
        version, *cells = line.split("|")
        return Row(int(version), *cells)

    def is_clean(self) -> bool:
        """Whether all was compared and nothing differs."""
        compared = [self.parity, self.check, self.round_trip, self.expect]
        lit = "Passed" in self.lit and "Failed" not in self.lit
        return self.build == BUILT and lit and all(CLEAN.fullmatch(cell) for cell in compared)


def table(rows: Sequence[Row]) -> Iterator[str]:
    lines = [HEADLINE, *(row.cells() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for cells in lines:
        yield "  ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True)).rstrip()
