"""Reads and writes the numbers of a predictor (`predictor=FILE`), predicts with them, and evaluates predictions."""

import dataclasses
import math
import pathlib
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

from bpa_dev.paths import ROOT

from .cells import Cell, Edge, Program

PREDICTORS = ROOT / "crates" / "profile" / "predictors"
LEAST = 2.0**-20

Pair = tuple[int, int]


@dataclasses.dataclass(frozen=True)
class Numbers:
    #: Maps a reason, for example "cold", to the weight of blocks that are rare for this reason. The empty string is
    #: the key for blocks that are not rare.
    weights: Mapping[str, int]
    loop: Pair
    unlikely: Pair
    #: The weights for true and for false results of a comparison, by the name of the comparison.
    conditions: Mapping[str, Pair]

    def predict(self, cell: Cell) -> float:
        """Predicts the probability of the first edge of a branch."""
        if cell.is_estimated:
            first, second = self.weight(cell.first), self.weight(cell.second)
        else:
            first, second = self.conditions.get(cell.condition, (1, 1))
        return min(max(first / (first + second), LEAST), 1 - LEAST)

    def weight(self, edge: Edge) -> int:
        weight = self.weights[edge.reason]
        for applies, (more, less) in ((edge.leaves_cycle, self.loop), (edge.unlikely, self.unlikely)):
            if applies and weight:
                weight = max(weight * less // more, 1)
        return weight


def of_file(file: pathlib.Path) -> Numbers:
    text = tomllib.loads(file.read_text())
    estimated = dict(text["estimated-weights"])
    (more, less), (usual, unlikely) = estimated.pop("loop"), estimated.pop("unlikely")
    weights = {"": estimated.pop("default"), "raised": 1, **estimated}
    conditions = dict[str, Pair]()
    for rule, prefix in (("pointer", "pointer."), ("constant", ""), ("floating-point", "float.")):
        conditions |= {f"{prefix}{name}": pair for name, pair in flattened(text.get(rule, {}))}
    return Numbers(weights, (more, less), (usual, unlikely), conditions)


def flattened(table: Mapping[str, Any]) -> Iterable[tuple[str, Pair]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from ((f"{key}.{name}", pair) for name, pair in flattened(value))
        else:
            first, second = value
            yield key, (first, second)


def llvm() -> Numbers:
    return of_file(PREDICTORS / "llvm.toml")


def bits(numbers: Numbers, program: Program) -> float:
    """Returns the divergence of the predictions from the profile, in bits per execution."""
    total = 0.0
    for cell, found in program.cells.items():
        predicted = numbers.predict(cell)
        total -= (
            found.first * math.log2(predicted) + (found.share - found.first) * math.log2(1 - predicted) + found.entropy
        )
    return total


def as_text(numbers: Numbers, heading: str) -> str:
    """Formats the numbers as a file for `predictor=FILE`."""
    lines = [*(f"# {line}" for line in heading.splitlines()), ""]
    lines += ['rules = ["metadata", "estimated-weights", "pointer", "constant", "floating-point"]', ""]
    lines.append("[estimated-weights]")
    lines += [f"{reason} = {numbers.weights[reason]}" for reason in ("unreachable", "noreturn", "unwind", "cold")]
    lines += [
        f"default = {numbers.weights['']}",
        f"loop = {list(numbers.loop)}",
        f"unlikely = {list(numbers.unlikely)}",
    ]
    tables: dict[str, list[str]] = {"pointer": [], "constant": [], "floating-point": []}
    for name, pair in numbers.conditions.items():
        rule, _, rest = name.partition(".")
        table, key = {"pointer": ("pointer", rest), "float": ("floating-point", rest)}.get(rule, ("constant", name))
        tables[table].append(f"{key} = {list(pair)}")
    for table, entries in tables.items():
        lines += ["", f"[{table}]", *entries]
    return "\n".join(lines) + "\n"
