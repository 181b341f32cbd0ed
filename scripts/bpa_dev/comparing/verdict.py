"""The result of comparing one file."""

import pathlib
from collections.abc import Callable

from .differences import Difference, Sections, describe, differences
from .runs import Ending, Run


class Verdict:
    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        self.functions = self.lines = self.differing = 0
        #: True if both runs of `opt` fail to read the file.
        self.rejected = False
        #: Whether only LLVM's passes crashed.
        self.llvm_crashed = False
        #: Whether LLVM's pass changed the file.
        self.changed = False
        #: The failed runs. The keys are "ours", "LLVM's" and "without a pass".
        self.troubled: dict[str, Run] = {}
        self.first: Difference | None = None

    def compare(self, ours: bytes, theirs: bytes, sections: Callable[[bytes], Sections]) -> None:
        self.lines = theirs.count(b"\n")
        self.differing, self.first = differences(ours, theirs, sections)

    def note(self, side: str, run: Run) -> None:
        if run.ending is not Ending.FINE:
            self.troubled[side] = run

    @property
    def trouble(self) -> list[str]:
        return [f"{self.path}: {side}: {run.trouble}" for side, run in self.troubled.items()]

    @property
    def difference(self) -> str | None:
        return self.first and f"{self.path}: {describe(self.first)}"
