"""Runs a workload with the programs of a variant."""

import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence

from bpa_dev.messages import Failure
from bpa_dev.shell import check

from ..profiled import inputs
from ..profiled.build import SHELL, WORKLOADS
from . import callgrind
from .callgrind import Counts


class Work:
    """Commands that run in an empty folder. `$PROGRAMS/PATH` is a program, and `$SRC` is the folder of the build."""

    def __init__(self, commands: str, source: pathlib.Path) -> None:
        self.commands = commands
        self._source = source

    def run(
        self, programs: pathlib.Path, environment: Mapping[str, str] | None = None, under: Sequence[str] = ()
    ) -> str:
        """Runs the commands, and returns the digest of the printed output and of all written files."""
        given = {"SRC": str(self._source), "PROGRAMS": str(programs), "WORKLOADS": str(WORKLOADS)}
        given |= {"INPUTS": str(inputs.prepare(self.commands)), "LC_ALL": "C", "TZ": "UTC", **(environment or {})}
        out = self._source.with_name("out")
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        with tempfile.TemporaryFile() as output:
            child = subprocess.run(
                [*under, *SHELL, self.commands],
                cwd=out,
                env={**os.environ, **given, "OUT": str(out)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
            output.seek(0)
            printed = output.read()
        if child.returncode != 0:
            raise Failure(f"{programs}: exit code {child.returncode}: {printed[-300:].decode(errors='replace')}")
        digest = hashlib.sha256(printed)
        for file in sorted(file for file in out.rglob("*") if file.is_file()):
            digest.update(f"\0{file.relative_to(out)}\0".encode() + file.read_bytes())
        shutil.rmtree(out)
        return digest.hexdigest()

    def count(self, programs: pathlib.Path) -> tuple[str, Counts]:
        """Runs the commands under valgrind. Returns a digest of the output, and the counts of callgrind."""
        with tempfile.TemporaryDirectory() as folder:
            under = [*callgrind.VALGRIND, *callgrind.SKIPPED, f"--callgrind-out-file={folder}/%p"]
            output = self.run(programs, under=under)
            return output, callgrind.read_all(pathlib.Path(folder), programs)

    def profile(self, programs: pathlib.Path, merge: pathlib.Path, target: pathlib.Path) -> str:
        """Runs instrumented programs, writes their profile, and returns the digest of the output."""
        with tempfile.TemporaryDirectory() as folder:
            output = self.run(programs, {"LLVM_PROFILE_FILE": f"{folder}/%m.profraw"})
            raw = sorted(str(file) for file in pathlib.Path(folder).iterdir())
            if not raw:
                raise Failure(f"{programs}: the run wrote no profile")
            check([merge, "merge", "-o", str(target), *raw])
        return output
