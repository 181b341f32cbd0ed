"""The result of comparing one file."""

import pathlib
import re
import subprocess
import tempfile

from .runs import Ending, Run

#: The header of a report on a function, or the definition of a function.
FUNCTION = re.compile(rb"^(?:Printing analysis|define ).*", re.MULTILINE)
HUNK = re.compile(rb"@@ -(\d+)")
#: The number of lines of the first difference that are printed.
SHOWN = 12


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
        #: The first difference.
        self.difference: str | None = None

    def compare(self, ours: bytes, theirs: bytes) -> None:
        self.lines = theirs.count(b"\n")
        if ours == theirs:
            return
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("ours", ours), ("LLVM's", theirs)):
                pathlib.Path(folder, name).write_bytes(text)
            command = ["diff", "--text", "-U1", "LLVM's", "ours"]
            lines = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE).stdout.splitlines()[2:]
        self.differing = sum(line[:1] in b"+-" for line in lines)
        before = b"\n".join(theirs.split(b"\n")[: int(HUNK.findall(lines[0])[0]) + 1])
        shown = b"\n".join([*FUNCTION.findall(before)[-1:], *lines[:SHOWN]]).decode(errors="backslashreplace")
        self.difference = f"{self.path} (-: LLVM's, +: ours)\n{shown}"

    def note(self, side: str, run: Run) -> None:
        if run.ending is not Ending.FINE:
            self.troubled[side] = run

    @property
    def trouble(self) -> list[str]:
        return [f"{self.path}: {side}: {run.trouble}" for side, run in self.troubled.items()]
