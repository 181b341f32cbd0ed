"""The source of a program, built in one way."""

import fnmatch
import json
import os
import pathlib
import shutil
import subprocess
from collections.abc import Sequence
from typing import Any

from bpa_dev.llvm import Llvm
from bpa_dev.messages import Failure

from ..profiled import sources
from ..profiled.build import SHELL, build_environment, write_compilers
from ..profiled.manifest import Program

WRAPPER = pathlib.Path(__file__).resolve().parent / "wrapper.py"
#: How the compiler was called for each source file.
Command = dict[str, Any]


class Tree:
    def __init__(self, llvm: Llvm, program: Program, folder: pathlib.Path, jobs: int) -> None:
        self._llvm = llvm
        self._program = program
        self._folder = folder
        self._jobs = jobs

    @property
    def source(self) -> pathlib.Path:
        return (self._folder / "source").resolve()

    def build(self, flags: str, patch: pathlib.Path | None = None) -> None:
        """From the archive, anew."""
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        write_compilers(self._llvm, self._folder, WRAPPER, "BPA_COMMANDS")
        sources.unpack(self._program, self.source)
        self.shell(self._program.prepare)
        if patch is not None:
            self.shell(f"patch -p1 --fuzz=0 --batch <{patch}")
        self.shell(self._program.build, {"BPA_COMMANDS": str(self._commands_file), "BPA_FLAGS": flags})

    @property
    def _commands_file(self) -> pathlib.Path:
        return self._folder / "commands"

    def commands(self) -> list[Command]:
        """Of the program's own source files, each once."""
        found: list[Command] = []
        for line in self._commands_file.read_text().splitlines():
            entry = json.loads(line)
            name = os.path.relpath(pathlib.Path(entry["directory"], entry["file"]), self.source)
            if entry not in found and not any(fnmatch.fnmatch(name, one) for one in self._program.exclude):
                found.append(entry)
        return sorted(found, key=json.dumps)

    def shell(self, commands: str, more: dict[str, str] | None = None) -> None:
        """Runs commands that have to end well in the folder of the source."""
        environment = build_environment(self._llvm, self._folder, self.source, self._jobs) | (more or {})
        command = [*SHELL, f"set -x\n{commands}"]
        with (self._folder / "log").open("ab") as log:
            done = subprocess.run(
                command,
                cwd=self.source,
                env={**os.environ, **environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        if done.returncode != 0:
            raise Failure(f"{self._program.name} failed; {self._folder / 'log'} says why")


def arguments(entry: Command, options: Sequence[str]) -> list[str]:
    """The words of a call of the compiler, without its name, with `options` before its source file."""
    return [*entry["arguments"][1:-1], *options, entry["arguments"][-1]]
