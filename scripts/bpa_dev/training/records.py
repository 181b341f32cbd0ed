"""Features and what was measured, as `rust-bpi<features>` prints them."""

import json
import pathlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..messages import Failure
from ..profiled.table import COLUMNS, Branch
from .data import Data

UNITS = 1 << 31


def read(files: Sequence[pathlib.Path]) -> Data:
    """The two-way branches that ran, a program a file."""
    names: tuple[str, ...] = ()
    rows: list[list[int]] = []
    truth, executions, answers = list[float](), list[float](), list[float]()
    branches = []
    for file in files:
        for line in two_way(file):
            first, second = line["sides"]
            own = (*line["features"], *(f"{side}.{name}" for side in ("first", "second") for name in first["features"]))
            if names not in ((), own):
                raise Failure(f"{file} has other features than those before: written by another version")
            names = own
            rows.append([*line["features"].values(), *first["features"].values(), *second["features"].values()])
            truth.append(first["truth"] / (first["truth"] + second["truth"]))
            executions.append(float(line["executions"]))
            answers.append(first["numerator"] / UNITS)
            branches.append(branch(file.name, line))
    parts = (np.array(rows, dtype=np.int32), np.array(truth), np.array(executions), np.array(answers))
    return Data(names, *parts, branches)


def two_way(file: pathlib.Path) -> Iterator[dict[str, Any]]:
    try:
        lines = file.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise Failure(f"cannot read {file}: {problem}") from problem
    for number, text in enumerate(lines, 1):
        try:
            line = json.loads(text)
            is_wanted = line["kind"] == "two-way" and "executions" in line and len(line["sides"]) == 2
            if is_wanted and sum(side["truth"] for side in line["sides"]):
                yield line
        except (ValueError, KeyError, TypeError) as problem:
            raise Failure(f"{file}:{number}: expected a line of rust-bpi<features>") from problem


def branch(program: str, line: dict[str, Any]) -> Branch:
    values: dict[str, Any] = {**dict.fromkeys(COLUMNS, ""), "program": program, "family": program, "run": 0}
    values |= {"block": line["number"], "kind": line["kind"], "executions": int(line["executions"])}
    return Branch(**values)
