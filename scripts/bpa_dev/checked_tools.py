"""Runs a program, and reports an error if the program fails."""

import os
import pathlib
import subprocess
from collections.abc import Mapping, Sequence

from .messages import Failure


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
