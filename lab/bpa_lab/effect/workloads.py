"""The workloads of programs. A workload must take at most one second, because it runs many times, once in valgrind."""

import pathlib
import tomllib
from typing import Any

from bpa_dev.messages import Failure

from ..profiled import inputs, manifest
from ..profiled.manifest import Program

FILE = pathlib.Path(__file__).resolve().parent / "workloads.toml"


#: The corpus discards what programs print. Workloads compare the printed text.
DISCARDED = " >/dev/null"


def load() -> dict[str, str]:
    """Maps the name of each program to its commands."""
    programs = {program.name: program for program in manifest.load()}
    return {name: commands(programs.get(name), entry) for name, entry in tomllib.loads(FILE.read_text()).items()}


def commands(program: Program | None, entry: dict[str, Any]) -> str:
    """Returns the commands of an entry. The key `run` selects a run of the corpus, `head` shortens its inputs, and
    `replace` changes its commands."""
    if program is None or "commands" in entry:
        return str(entry["commands"])
    text: str = program.runs[entry["run"]].commands.replace(DISCARDED, "")
    for old, new in entry.get("replace", {}).items():
        if old not in text:
            raise Failure(f"{FILE.name}: {program.name}: the run does not contain {old!r}")
        text = text.replace(old, new)
    if "head" not in entry:
        return text
    short = "".join(f"head -c {entry['head']} $INPUTS/{name} >$OUT/{name}\n" for name in inputs.names(text))
    return short + text.replace("$INPUTS/", "$OUT/")


def chosen(names: list[str]) -> list[tuple[Program, str]]:
    """Returns the programs with these names, and their workloads. If `names` is empty, returns all programs that are
    not held out."""
    works = load()
    programs = {program.name: program for program in manifest.load()}
    for name in names:
        if name not in works:
            raise Failure(f"no workload for {name}; there are workloads for {', '.join(works)}")
    return [(programs[name], works[name]) for name in names or works if names or not programs[name].held_out]
