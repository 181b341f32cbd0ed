"""Where a program is built, and how commands are run there."""

import dataclasses
import pathlib
import shlex
import subprocess
from collections.abc import Mapping
from typing import IO

from bpa_dev.messages import Failure


@dataclasses.dataclass(frozen=True)
class Place:
    folder: pathlib.Path
    #: Has CC, CFLAGS, CXX and CXXFLAGS, which every build system here asks for.
    environment: Mapping[str, str]
    #: What commands say goes there.
    log: IO[str]

    def run(self, *words: str) -> str:
        """A command that has to end well; what it says."""
        code, said = self.attempt(*words)
        if code != 0:
            raise Failure(f"{shlex.join(words)} failed in {self.folder}; see {self.log.name}")
        return said

    def attempt(self, *words: str) -> tuple[int, str]:
        """A command's exit code, and what it says."""
        print("$", shlex.join(words), file=self.log, flush=True)
        done = subprocess.run(
            words,
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        print(done.stdout, f"exit code {done.returncode}", sep="\n", file=self.log, flush=True)
        return done.returncode, done.stdout
