"""Python programs and libraries that pip installs into virtual environments under target/, at pinned versions."""

import pathlib
import subprocess
import sys
import sysconfig

from .messages import Failure, say
from .paths import TARGET

PINNED = {
    "duckdb": "2.0.1",
    "lightgbm": "4.6.0",
    "lit": "18.1.8",
    "mypy": "1.18.2",
    "playwright": "1.65.2",
    "ruff": "0.14.5",
}


def program(name: str) -> pathlib.Path:
    """Where the program is; installs it if need be."""
    return installed(name) / "bin" / name


def add_library(name: str) -> None:
    """Makes `import` find the library, after what the system has; installs it if need be."""
    sys.path.append(libraries(installed(name)))


def libraries(folder: pathlib.Path) -> str:
    """Where the libraries of an environment are."""
    # The scheme by name, for Debian's Python has one of its own.
    variables = {"base": str(folder), "platbase": str(folder)}
    return sysconfig.get_path("purelib", scheme="venv", vars=variables)


def installed(name: str) -> pathlib.Path:
    """The environment of its own that it is in."""
    folder = place(name)
    complete = folder / "complete"
    if not complete.exists():
        say(f"installing {name} {PINNED[name]} with pip")
        check(sys.executable, "-m", "venv", str(folder))
        check(str(folder / "bin" / "pip"), "install", "--quiet", f"{name}=={PINNED[name]}")
        complete.touch()
    return folder


def place(name: str) -> pathlib.Path:
    """Where its environment is, or would be."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return TARGET / "python" / f"{name}-{PINNED[name]}-python{version}"


def check(*command: str) -> None:
    if subprocess.run(command, stdout=sys.__stderr__).returncode != 0:
        raise Failure("pip and venv are needed: on Debian or Ubuntu, apt-get install python3-venv")
