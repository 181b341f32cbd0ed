"""What each program is run on: work of a second or less, for it is run many times and once under valgrind."""

import pathlib
import tomllib

from bpa_dev.messages import Failure

from ..profiled import manifest
from ..profiled.manifest import Program

FILE = pathlib.Path(__file__).resolve().parent / "workloads.toml"


def load() -> dict[str, str]:
    """The commands by the program's name."""
    return {name: str(entry["commands"]) for name, entry in tomllib.loads(FILE.read_text()).items()}


def chosen(names: list[str]) -> list[tuple[Program, str]]:
    """The programs of these names with their work; without names, all that are not put aside."""
    works = load()
    programs = {program.name: program for program in manifest.load()}
    for name in names:
        if name not in works:
            raise Failure(f"no work for a program {name}; there is some for {', '.join(works)}")
    return [(programs[name], works[name]) for name in names or works if names or not programs[name].aside]
