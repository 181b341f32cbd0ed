"""Runs programs that must succeed, and functions of scripts/lib.sh.

lib.sh finds LLVM versions, tools and packages. The quickstart needs these functions before Python is installed.
"""

import os
import pathlib
import subprocess
from collections.abc import Mapping, Sequence

from .messages import Failure
from .paths import SCRIPTS

PROLOGUE = 'source "$1/lib.sh"; shift; "$@"'


def run_function(
    function: str, *arguments: str, environment: Mapping[str, str] | None = None, stdout: int | None = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    """Runs a function of lib.sh with additional environment variables. It inherits stderr."""
    command = ["bash", "-euo", "pipefail", "-c", PROLOGUE, "scripts/dev", str(SCRIPTS), function, *arguments]
    return subprocess.run(command, stdout=stdout, text=True, env={**os.environ, **(environment or {})})


def output_of(function: str, *arguments: str) -> str:
    """Returns the output of the shell function. The shell function prints its own error messages."""
    done = run_function(function, *arguments)
    if done.returncode != 0:
        raise Failure(" ".join(["failed:", function, *arguments]))
    return done.stdout.rstrip("\n")


def succeeds(function: str, *arguments: str) -> bool:
    return run_function(function, *arguments).returncode == 0


def check(
    command: Sequence[str | pathlib.Path],
    folder: pathlib.Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> str:
    """Returns the standard output of the tool."""
    variables = {**os.environ, **(environment or {})}
    done = subprocess.run(
        command, cwd=folder, env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace"
    )
    if done.returncode != 0:
        raise Failure(f"{pathlib.Path(command[0]).name} failed: {done.stderr.strip()[:500]}")
    return done.stdout
