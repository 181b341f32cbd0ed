"""Checks the Python of this folder: lints, format, types, and its own tests.

What that takes comes from pip, at pinned versions, into a virtual environment under target/.
"""

import argparse
import os
import subprocess
import sys

from ..environment import program
from ..messages import error, say
from ..paths import SCRIPTS, TARGET

CONFIGURATION = str(SCRIPTS / "pyproject.toml")
SOURCES = [str(SCRIPTS / name) for name in ("bpa_dev", "dev", "effect", "score", "train")]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tests", nargs="*", metavar="TEST", help="only these tests, say bpa_dev.tests.test_judge")


def run(arguments: argparse.Namespace) -> int:
    if arguments.tests:
        return 0 if passes("tests", sys.executable, "-B", "-m", "unittest", *arguments.tests) else 1
    # All of them, so that one run shows all that is wrong.
    outcomes = [passes(what, *command) for what, command in commands().items()]
    return 0 if all(outcomes) else 1


def commands() -> dict[str, list[str]]:
    ruff, mypy = str(program("ruff")), str(program("mypy"))
    cache = f"--cache-dir={TARGET / 'python'}"
    return {
        "lints": [ruff, "check", "--quiet", f"--config={CONFIGURATION}", "--no-cache", *SOURCES],
        "format": [ruff, "format", "--quiet", "--check", f"--config={CONFIGURATION}", "--no-cache", *SOURCES],
        "types": [mypy, f"--config-file={CONFIGURATION}", f"{cache}/mypy-cache", "--scripts-are-modules", *SOURCES],
        "tests": [sys.executable, "-B", "-m", "unittest", "discover", "--quiet", "-s", "bpa_dev/tests", "-t", "."],
    }


def passes(what: str, *command: str) -> bool:
    say(f"{what} of the scripts")
    done = subprocess.run(command, cwd=SCRIPTS, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    if done.returncode != 0:
        error(f"{what}: exit code {done.returncode}")
    return done.returncode == 0
