"""Features and what was measured, as `rust-bpi<features>` prints them."""

import json
import pathlib
from collections.abc import Iterator, Sequence
from typing import Any

from bpa_dev.messages import Failure

from ..profiled.selects import KIND
from ..profiled.table import COLUMNS, Branch, Features
from .data import EVEN, Collector, Tables


def read(files: Sequence[pathlib.Path]) -> Tables:
    """The branches and selects that ran, a program a file."""
    collector = Collector()
    for file in files:
        for line in with_profile(file):
            sides = sides_of(line)
            if not collector.names(line["kind"], (tuple(line["features"]), tuple(sides[0]["features"]))):
                raise Failure(f"{file} has other features than those before: written by another version")
            features = Features(values(line), tuple(values(side) for side in sides))
            answers = EVEN if line["kind"] == KIND else [side["numerator"] for side in sides]
            collector.add(branch(file.name, line), features, [side["truth"] for side in sides], answers)
    return collector.tables()


def sides_of(line: dict[str, Any]) -> list[dict[str, Any]]:
    sides: list[dict[str, Any]] = line["values" if line["kind"] == KIND else "successors"]
    return sides


def values(features: dict[str, Any]) -> tuple[int, ...]:
    return tuple(features["features"].values())


def with_profile(file: pathlib.Path) -> Iterator[dict[str, Any]]:
    """The lines about branches and selects of which something was measured."""
    try:
        lines = file.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise Failure(f"cannot read {file}: {problem}") from problem
    for number, text in enumerate(lines, 1):
        try:
            line = json.loads(text)
            if "executions" in line and line["kind"] != "other" and sum(side["truth"] for side in sides_of(line)):
                yield line
        except (ValueError, KeyError, TypeError) as problem:
            raise Failure(f"{file}:{number}: expected a line of rust-bpi<features>") from problem


def branch(program: str, line: dict[str, Any]) -> Branch:
    known: dict[str, Any] = {**dict.fromkeys(COLUMNS, ""), "program": program, "family": program, "run": 0}
    known |= {"block": line["number"], "kind": line["kind"], "executions": int(line["executions"])}
    return Branch(**known)
