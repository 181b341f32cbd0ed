"""Installs fixed versions of Python programs and libraries with pip, in virtual environments under target/."""

import pathlib
import subprocess
import sys
import sysconfig

from .messages import Failure, announce
from .paths import TARGET

PINNED = {
    "duckdb": "2.0.1",
    "fastjsonschema": "2.22.3",
    "lightgbm": "4.6.0",
    "lit": "18.1.8",
    "mypy": "1.18.2",
    "playwright": "1.65.2",
    "ruff": "0.14.5",
}


def program(name: str) -> pathlib.Path:
    """Installs the program if necessary, and returns its path."""
    return installed(name) / "bin" / name


def add_library(name: str) -> None:
    """Installs the library if necessary, and adds it to the import path after the libraries of the system."""
    sys.path.append(libraries(installed(name)))


def libraries(folder: pathlib.Path) -> str:
    """Returns the folder of libraries in a virtual environment."""
    # Debian's Python does not use the installation scheme `venv` by default, so the scheme is given here.
    variables = {"base": str(folder), "platbase": str(folder)}
    return sysconfig.get_path("purelib", scheme="venv", vars=variables)


def installed(name: str) -> pathlib.Path:
    """Makes the virtual environment of the package if necessary, and returns its folder."""
    folder = place(name)
    complete = folder / "complete"
    if not complete.exists():
        announce(f"installing {name} {PINNED[name]} with pip")
        check(sys.executable, "-m", "venv", str(folder))
        check(str(folder / "bin" / "pip"), "install", "--quiet", f"{name}=={PINNED[name]}")
        complete.touch()
    return folder


def place(name: str) -> pathlib.Path:
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return TARGET / "python" / f"{name}-{PINNED[name]}-python{version}"


def check(*command: str) -> None:
    if subprocess.run(command, stdout=sys.__stderr__).returncode != 0:
        raise Failure("pip or venv failed: on Debian or Ubuntu, apt-get install python3-venv")
