"""Python programs that pip installs into a virtual environment under target/, at pinned versions."""

import pathlib
import subprocess
import sys

from .messages import Failure, say
from .paths import TARGET

PINNED = {"lit": "18.1.8", "mypy": "1.13.0", "ruff": "0.8.4"}


def program(name: str) -> pathlib.Path:
    """Where the program is; installs it if need be."""
    folder = TARGET / "python" / f"{name}-{PINNED[name]}"
    path = folder / "bin" / name
    if not path.exists():
        say(f"installing {name} {PINNED[name]} with pip")
        check(sys.executable, "-m", "venv", str(folder))
        check(str(folder / "bin" / "pip"), "install", "--quiet", f"{name}=={PINNED[name]}")
    return path


def check(*command: str) -> None:
    if subprocess.run(command, stdout=sys.stderr).returncode != 0:
        raise Failure("on Debian or Ubuntu, apt-get install python3-venv has what this takes")
