"""Asks scripts/lib.sh.

The rules about which LLVM there is, where its tools are and which packages have them stand there: the scripts that
users type have to follow them before there is a Python.
"""

import os
import subprocess
from collections.abc import Mapping

from .messages import Failure
from .paths import SCRIPTS

PROLOGUE = 'source "$1/lib.sh"; shift; "$@"'


def run_function(
    function: str, *arguments: str, environment: Mapping[str, str] | None = None, stdout: int | None = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    """Runs a function of lib.sh with more variables; what it says on stderr goes there."""
    command = ["bash", "-euo", "pipefail", "-c", PROLOGUE, "scripts/dev", str(SCRIPTS), function, *arguments]
    return subprocess.run(command, stdout=stdout, text=True, env={**os.environ, **(environment or {})})


def ask(function: str, *arguments: str) -> str:
    """What the function prints; it has said itself why, if it fails."""
    done = run_function(function, *arguments)
    if done.returncode != 0:
        raise Failure(" ".join(["no answer to", function, *arguments]))
    return done.stdout.rstrip("\n")


def holds(function: str, *arguments: str) -> bool:
    return run_function(function, *arguments).returncode == 0
