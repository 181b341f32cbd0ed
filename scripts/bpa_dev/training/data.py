"""The two-way branches of the tables as matrices."""

import dataclasses
import functools
import pathlib
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ..messages import Failure
from ..profiled import table
from ..profiled.table import Branch, FeatureTable

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int32]
Rows: TypeAlias = npt.NDArray[np.bool_]


@dataclasses.dataclass(frozen=True)
class Data:
    """A row for each two-way branch in each run."""

    #: What the columns of `features` are called: those of the branch, of its first side, of its second side.
    names: tuple[str, ...]
    features: Integers
    #: The share of executions that went the first way.
    truth: Floats
    executions: Floats
    #: LLVM's answer for the first side.
    llvm: Floats
    branches: list[Branch]

    @functools.cached_property
    def programs(self) -> npt.NDArray[np.str_]:
        return np.array([branch.program for branch in self.branches])

    @functools.cached_property
    def families(self) -> npt.NDArray[np.str_]:
        return np.array([branch.family for branch in self.branches])

    @property
    def known(self) -> Rows:
        """Where LLVM's estimates know something: its answer stands there, and no model is asked."""
        return (self.column("first.estimate") > 0) | (self.column("second.estimate") > 0)

    def column(self, name: str) -> Integers:
        return self.features[:, self.names.index(name)]

    def chosen(self, rows: Rows) -> "Data":
        branches = [branch for branch, wanted in zip(self.branches, rows, strict=True) if wanted]
        parts = (self.features[rows], self.truth[rows], self.executions[rows], self.llvm[rows])
        return Data(self.names, *parts, branches)


def read(branches: pathlib.Path, features: pathlib.Path) -> Data:
    known = table.read_features(features)
    rows, found = [], []
    for branch in table.read(branches):
        if branch.kind != "two-way":
            continue
        key = (branch.program, branch.function, branch.block)
        if key not in known.rows:
            raise Failure(f"{features} has nothing about block {branch.block} of {branch.function} of {branch.program}")
        row = known.rows[key]
        rows.append((*row.branch, *row.sides[0], *row.sides[1]))
        found.append(branch)
    truth = [[int(weight) for weight in branch.truth.split(",")] for branch in found]
    answers = [[int(answer) for answer in branch.answers.split(",")] for branch in found]
    return Data(
        names(known),
        np.array(rows, dtype=np.int32),
        np.array([first / (first + second) for first, second in truth]),
        np.array([float(branch.executions) for branch in found]),
        np.array([first / (first + second) for first, second in answers]),
        found,
    )


def names(known: FeatureTable) -> tuple[str, ...]:
    sides = [f"{side}.{name}" for side in ("first", "second") for name in known.side_names]
    return (*known.branch_names, *sides)
