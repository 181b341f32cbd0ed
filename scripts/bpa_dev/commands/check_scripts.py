"""Checks the Python code of scripts/ and lab/: lints, format, types and unit tests.

pip installs ruff and mypy, at fixed versions, in virtual environments under target/.
"""

import argparse
import os
import pathlib
import subprocess
import sys
from collections.abc import Sequence

from ..environment import program
from ..messages import announce, error
from ..paths import ROOT, SCRIPTS, TARGET

FOLDERS = {SCRIPTS: ("bpa_dev", "dev"), ROOT / "lab": ("bpa_lab", "run", "effect", "train")}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tests", nargs="*", metavar="TEST", help="only these tests, e.g. bpa_dev.tests.test_book")


def run(arguments: argparse.Namespace) -> int:
    if arguments.tests:
        folders = {ROOT / "lab" if test.startswith("bpa_lab") else SCRIPTS for test in arguments.tests}
        if len(folders) > 1:
            error("one command can run tests of bpa_dev or of bpa_lab, but not of both")
            return 2
        command = [sys.executable, "-B", "-m", "unittest", *arguments.tests]
        return 0 if passes("tests", folders.pop(), *command) else 1
    # After a failed check, the other checks still run, so one run prints all errors.
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
    announce(f"{what} of {folder.name}/")
    # bpa_lab imports bpa_dev. bpa_dev must not import bpa_lab, so lab/ is not in the path for bpa_dev.
    path = {} if folder == SCRIPTS else {"MYPYPATH": str(SCRIPTS), "PYTHONPATH": str(SCRIPTS)}
    done = subprocess.run(command, cwd=folder, env={**os.environ, **path, "PYTHONDONTWRITEBYTECODE": "1"})
    if done.returncode != 0:
        error(f"{what} of {folder.name}/: exit code {done.returncode}")
    return done.returncode == 0
