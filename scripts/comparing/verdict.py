"""What comparing one file came to."""

from . import differences
from .runs import Ending


class Verdict:
    """Counts, the first difference, and which runs did not end well."""

    def __init__(self, path):
        self.path = path
        self.functions = self.lines = self.differing = 0
        #: LLVM cannot read the file, and so cannot we.
        self.rejected = False
        #: LLVM crashed, and we did not.
        self.llvm_crashed = False
        #: LLVM's pass changed the file.
        self.changed = False
        #: The runs that did not end well, as {side: run}.
        self.troubled = {}
        self.first = None

    def hold_against(self, ours, theirs, sections):
        """Compares two texts, ours and LLVM's."""
        self.lines = theirs.count(b"\n")
        self.differing, self.first = differences.differences(ours, theirs, sections)

    def note(self, side, run):
        """Takes note of a run if it did not end well."""
        if run.ending is not Ending.FINE:
            self.troubled[side] = run

    @property
    def trouble(self):
        return [f"{self.path}: {side}: {run.trouble}" for side, run in self.troubled.items()]

    @property
    def difference(self):
        return self.first and f"{self.path}: {differences.describe(self.first)}"
