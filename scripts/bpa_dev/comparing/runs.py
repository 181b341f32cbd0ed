"""Runs a command. Records its output, and whether the command succeeds, fails, crashes or hangs."""

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

#: The limit of a run's wall-clock time is this number times the limit of its processor time.
PATIENCE = 10
Word = str | pathlib.Path


class Ending(enum.Enum):
    FINE = "fine"
    #: Exit code 1: the program reported an error.
    REFUSED = "refused"
    CRASHED = "crashed"
    HUNG = "hung"
    #: LLVM's results vary between runs. Only the fuzzer returns this value.
    UNSTEADY = "unsteady"


class Run(NamedTuple):
    ending: Ending
    stdout: bytes
    stderr: bytes
    #: A description of the failure; None if the run succeeded.
    trouble: str | None


def run(command: Sequence[Word], timeout: float | None, environment: Mapping[str, str] | None = None) -> Run:
    """Runs the command with additional environment variables.

    `timeout` limits the processor time in seconds. `timeout * PATIENCE` limits the wall-clock time.
    """
    variables = {**os.environ, **environment} if environment else None
    # LLVM's printers write only a few bytes at once, so output to a file is faster than output to a pipe.
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
            trouble = f"timeout after {timeout or 0:g} s: {shown(command)}"
            return Run(Ending.HUNG, content_of(stdout), content_of(stderr), trouble)
        return ended(command, code, content_of(stdout), content_of(stderr))


def limit_processor(process: int, seconds: int) -> None:
    """Sets the limit of processor time after which the kernel ends the process by SIGXCPU."""
    # The process may end before this call.
    with contextlib.suppress(ProcessLookupError):
        resource.prlimit(process, resource.RLIMIT_CPU, (seconds, seconds + 5))


def content_of(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


def ended(command: Sequence[Word], code: int, stdout: bytes, stderr: bytes) -> Run:
    if code == 0:
        return Run(Ending.FINE, stdout, stderr, None)
    how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
    last_lines = "".join(f"\n    {line.decode(errors='replace')}" for line in stderr.splitlines()[-4:])
    ending = Ending.REFUSED if code == 1 else Ending.CRASHED
    return Run(ending, stdout, stderr, f"{how}: {shown(command)}{last_lines}")


def shown(command: Iterable[Word]) -> str:
    return shlex.join(map(str, command))
