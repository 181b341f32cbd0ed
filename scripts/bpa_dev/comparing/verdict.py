"""The result of comparing one file."""

import pathlib
from collections.abc import Callable

from .differences import Difference, Sections, describe, differences
from .runs import Ending, Run


class Verdict:
    """Counts, the first difference, and which runs did not end well."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        self.functions = self.lines = self.differing = 0
        #: Neither LLVM nor our side reads the file.
        self.rejected = False
        #: LLVM crashed, and we did not.
        self.llvm_crashed = False
        #: LLVM's pass changed the file.
        self.changed = False
        #: The runs that did not end well, as {side: run}.
        self.troubled: dict[str, Run] = {}
        self.first: Difference | None = None

    def hold_against(self, ours: bytes, theirs: bytes, sections: Callable[[bytes], Sections]) -> None:
        """Compares two texts, ours and LLVM's."""
        self.lines = theirs.count(b"\n")
        self.differing, self.first = differences(ours, theirs, sections)

    def note(self, side: str, run: Run) -> None:
        """Takes note of a run if it did not end well."""
        if run.ending is not Ending.FINE:
            self.troubled[side] = run

    @property
    def trouble(self) -> list[str]:
        return [f"{self.path}: {side}: {run.trouble}" for side, run in self.troubled.items()]

    @property
    def difference(self) -> str | None:
        return self.first and f"{self.path}: {describe(self.first)}"
