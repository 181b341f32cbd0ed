"""Reads the lines of `rust-bpi<score;json>`. docs/src/guide/profiles.md describes them."""

import dataclasses
import json
import pathlib
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..messages import Failure

FORMAT = 3
WHOLE = 1 << 31


class Successor(NamedTuple):
    """A successor of a branch, with its predicted and its profiled probability."""

    predicted: float
    profiled: float


@dataclasses.dataclass(frozen=True, slots=True)
class Branch:
    kind: str
    rule: str
    executions: int
    #: The successors, or an empty tuple if the profile has no execution of the branch.
    successors: tuple[Successor, ...]
    where: str


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    branches: list[Branch]
    never_ran: int
    #: The number of branches in functions that are copies of functions in an earlier module.
    repeated: int


def files_of(program: pathlib.Path) -> list[pathlib.Path]:
    files = sorted(file for file in program.rglob("*") if file.is_file()) if program.is_dir() else [program]
    if not files:
        raise Failure(f"{program} is an empty folder")
    return files


def read(name: str, files: list[pathlib.Path]) -> Program:
    """Reads the branches of a program.

    Several modules can have a copy of a non-local function, such as a C++ inline function. Only the branches of the
    first copy are returned.
    """
    home: dict[str, str] = {}
    branches: list[Branch] = []
    never_ran = repeated = 0
    for place, row in rows(files):
        module = f"{place}:{row['module']}"
        if not row["local"] and home.setdefault(row["function"], module) != module:
            repeated += 1
        elif row["executions"] == "0":
            never_ran += 1
        else:
            branches.append(branch(row))
    return Program(name, branches, never_ran, repeated)


def rows(files: list[pathlib.Path]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields each line with the name of its file."""
    for file in files:
        with file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    row = json.loads(line)
                    good = row["format"] == FORMAT
                except (ValueError, TypeError, KeyError):
                    good = False
                if not good:
                    raise Failure(f"{file}:{number}: expected a line of rust-bpi<score;json>, format {FORMAT}")
                yield str(file), row


def branch(row: dict[str, Any]) -> Branch:
    predictions: dict[int, int] = {}
    weights: dict[int, int] = {}
    for edge in row["edges"]:
        predictions[edge["to"]] = predictions.get(edge["to"], 0) + edge["numerator"]
        weights[edge["to"]] = weights.get(edge["to"], 0) + edge["true_weight"]
    total = sum(weights.values())
    successors = tuple(Successor(min(predictions[to] / WHOLE, 1.0), weights[to] / total) for to in predictions)
    source = f", {row['file']}:{row['line']}" if "file" in row else ""
    where = f"{row['block']} in {row['function']}{source or ', ' + row['module']}"
    return Branch(row["kind"], row["rule"], int(row["executions"]), successors, where)
