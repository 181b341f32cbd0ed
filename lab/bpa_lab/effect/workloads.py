"""The workloads of programs. A workload must take at most one second, because it runs many times, once in valgrind."""

import pathlib
import tomllib

from bpa_dev.messages import Failure

from ..profiled import manifest
from ..profiled.manifest import Program

FILE = pathlib.Path(__file__).resolve().parent / "workloads.toml"


def load() -> dict[str, str]:
    """Maps the name of each program to its commands."""
    return {name: str(entry["commands"]) for name, entry in tomllib.loads(FILE.read_text()).items()}


def chosen(names: list[str]) -> list[tuple[Program, str]]:
    """Returns the programs with these names, and their workloads. If `names` is empty, returns all programs that are
    not held out."""
    works = load()
    programs = {program.name: program for program in manifest.load()}
    for name in names:
        if name not in works:
            raise Failure(f"no workload for {name}; there are workloads for {', '.join(works)}")
    return [(programs[name], works[name]) for name in names or works if names or not programs[name].held_out]
