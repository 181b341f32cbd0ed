"""Checks the Python of scripts/ and lab/: lints, format, types, and its own tests.

What that takes comes from pip, at pinned versions, into a virtual environment under target/.
"""

import argparse
import os
import pathlib
import subprocess
import sys
from collections.abc import Sequence

from ..environment import program
from ..messages import error, say
from ..paths import ROOT, SCRIPTS, TARGET

FOLDERS = {SCRIPTS: ("bpa_dev", "dev", "score"), ROOT / "lab": ("bpa_lab", "run", "effect", "train")}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tests", nargs="*", metavar="TEST", help="only these tests, say bpa_dev.tests.test_judge")


def run(arguments: argparse.Namespace) -> int:
    if arguments.tests:
        folders = {ROOT / "lab" if test.startswith("bpa_lab") else SCRIPTS for test in arguments.tests}
        if len(folders) > 1:
            error("tests of bpa_dev and of bpa_lab: run them one after the other")
            return 2
        command = [sys.executable, "-B", "-m", "unittest", *arguments.tests]
        return 0 if passes("tests", folders.pop(), *command) else 1
    # All of them, so that one run shows all that is wrong.
    outcomes = [
        passes(what, folder, *command)
        for folder, sources in FOLDERS.items()
        for what, command in commands(folder, sources).items()
    ]
    return 0 if all(outcomes) else 1


def commands(folder: pathlib.Path, sources: Sequence[str]) -> dict[str, list[str]]:
    ruff, mypy = str(program("ruff")), str(program("mypy"))
    cache = f"--cache-dir={TARGET / 'python' / 'mypy-cache'}"
    configuration = f"--config={folder / 'pyproject.toml'}"
    tests = f"{sources[0]}/tests"
    return {
        "lints": [ruff, "check", "--quiet", configuration, "--no-cache", *sources],
        "format": [ruff, "format", "--quiet", "--check", configuration, "--no-cache", *sources],
        "types": [mypy, f"--config-file={folder / 'pyproject.toml'}", cache, "--scripts-are-modules", *sources],
        "tests": [sys.executable, "-B", "-m", "unittest", "discover", "--quiet", "-s", tests, "-t", "."],
    }


def passes(what: str, folder: pathlib.Path, *command: str) -> bool:
    say(f"{what} of {folder.name}/")
    # The lab imports bpa_dev, never the reverse: only the lab's programs find both.
    path = {} if folder == SCRIPTS else {"MYPYPATH": str(SCRIPTS), "PYTHONPATH": str(SCRIPTS)}
    done = subprocess.run(command, cwd=folder, env={**os.environ, **path, "PYTHONDONTWRITEBYTECODE": "1"})
    if done.returncode != 0:
        error(f"{what}: exit code {done.returncode}")
    return done.returncode == 0
