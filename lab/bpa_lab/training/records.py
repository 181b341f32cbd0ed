"""Reads the output of `rust-bpi<features>` for code with a profile."""

import json
import pathlib
from collections.abc import Iterator, Sequence
from typing import Any

from bpa_dev.messages import Failure

from ..profiled.table import COLUMNS, Branch, Features
from .data import Collector, Tables


def read(files: Sequence[pathlib.Path]) -> Tables:
    """Reads the branches that ran. Each file contains the records of one program."""
    collector = Collector()
    for file in files:
        for line in with_profile(file):
            successors = line["successors"]
            if not collector.names((tuple(line["features"]), tuple(successors[0]["features"]))):
                raise Failure(f"{file} has other features than the previous files: another version of bpa wrote it")
            features = Features(values(line), tuple(values(successor) for successor in successors))
            predictions = [successor["numerator"] for successor in successors]
            truth = [successor["truth"] for successor in successors]
            collector.add(branch(file.name, line), features, truth, predictions)
    return collector.tables()


def values(features: dict[str, Any]) -> tuple[int, ...]:
    return tuple(features["features"].values())


def with_profile(file: pathlib.Path) -> Iterator[dict[str, Any]]:
    """Yields the lines about branches with a profile."""
    try:
        lines = file.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise Failure(f"cannot read {file}: {problem}") from problem
    for number, text in enumerate(lines, 1):
        try:
            line = json.loads(text)
            is_scored = "executions" in line and line["kind"] != "other"
            if is_scored and sum(successor["truth"] for successor in line["successors"]):
                yield line
        except (ValueError, KeyError, TypeError) as problem:
            raise Failure(f"{file}:{number}: expected a line of rust-bpi<features>") from problem


def branch(program: str, line: dict[str, Any]) -> Branch:
    known: dict[str, Any] = {**dict.fromkeys(COLUMNS, ""), "program": program, "family": program, "run": 0}
    known |= {"block": line["number"], "kind": line["kind"], "executions": int(line["executions"])}
    return Branch(**known)
