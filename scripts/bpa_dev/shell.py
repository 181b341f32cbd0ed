"""Calls functions of scripts/lib.sh.

That file has the rules about LLVM versions, their tools and packages, because scripts need them before Python is
installed.
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
    """Runs a function of lib.sh with additional variables. Its stderr is ours."""
    command = ["bash", "-euo", "pipefail", "-c", PROLOGUE, "scripts/dev", str(SCRIPTS), function, *arguments]
    return subprocess.run(command, stdout=stdout, text=True, env={**os.environ, **(environment or {})})


def ask(function: str, *arguments: str) -> str:
    """The output of the function, which prints its own errors."""
    done = run_function(function, *arguments)
    if done.returncode != 0:
        raise Failure(" ".join(["no answer to", function, *arguments]))
    return done.stdout.rstrip("\n")


def holds(function: str, *arguments: str) -> bool:
    return run_function(function, *arguments).returncode == 0
