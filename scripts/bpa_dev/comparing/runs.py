"""Runs one command, and records how it ends and what it prints."""

import contextlib
import enum
import math
import os
import pathlib
import resource
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, NamedTuple

#: On a busy machine, a run may take this many times its limit by the clock.
PATIENCE = 10
#: A word of a command line.
Word = str | pathlib.Path


class Ending(enum.Enum):
    FINE = "fine"
    #: Exit code 1: an error that was reported.
    REFUSED = "refused"
    CRASHED = "crashed"
    HUNG = "hung"
    #: Another answer each time; of a comparison, not of a run.
    UNSTEADY = "unsteady"


class Run(NamedTuple):
    ending: Ending
    stdout: bytes
    stderr: bytes
    #: None if all went well.
    trouble: str | None


def run(command: Sequence[Word], timeout: float | None, environment: Mapping[str, str] | None = None) -> Run:
    """Runs it for at most `timeout` seconds of a processor, if that is not None, and on a busy machine not much longer
    than for PATIENCE times as long; with more variables in the environment."""
    variables = {**os.environ, **environment} if environment else None
    # LLVM's printers write a few bytes at a time, which through a pipe keeps two processes busy.
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, env=variables
        ) as process:
            if timeout is not None:
                limit_processor(process.pid, math.ceil(timeout))
            try:
                code = process.wait(timeout and PATIENCE * timeout)
            except subprocess.TimeoutExpired:
                process.kill()
                code = -signal.SIGXCPU
        if code == -signal.SIGXCPU:
            trouble = f"no end after {timeout or 0:g} s: {shown(command)}"
            return Run(Ending.HUNG, contents(stdout), contents(stderr), trouble)
        return ended(command, code, contents(stdout), contents(stderr))


def limit_processor(process: int, seconds: int) -> None:
    """Ends a process by SIGXCPU after that many seconds of a processor."""
    # It may have ended already.
    with contextlib.suppress(ProcessLookupError):
        resource.prlimit(process, resource.RLIMIT_CPU, (seconds, seconds + 5))


def contents(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


def ended(command: Sequence[Word], code: int, stdout: bytes, stderr: bytes) -> Run:
    if code == 0:
        return Run(Ending.FINE, stdout, stderr, None)
    how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
    said = "".join(f"\n    {line.decode(errors='replace')}" for line in stderr.splitlines()[-4:])
    ending = Ending.REFUSED if code == 1 else Ending.CRASHED
    return Run(ending, stdout, stderr, f"{how}: {shown(command)}{said}")


def shown(command: Iterable[Word]) -> str:
    return shlex.join(map(str, command))
