"""The branches of the tables as matrices."""

import dataclasses
import functools
import pathlib
from collections.abc import Sequence
from typing import Any, Self, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from ..messages import Failure
from ..profiled import table
from ..profiled.table import Branch, Features

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int32]
Mask: TypeAlias = npt.NDArray[np.bool_]
#: A kind of rows.
Made = TypeVar("Made", bound="Rows")


@dataclasses.dataclass(frozen=True)
class Rows:
    """What a model of one kind of branch is asked, a row a question, in each run."""

    #: What the columns of `features` are called.
    names: tuple[str, ...]
    features: Integers
    #: The share of executions that did what is asked about.
    truth: Floats
    #: How often the branch ran.
    executions: Floats
    #: LLVM's answer.
    llvm: Floats
    branches: list[Branch]

    @functools.cached_property
    def programs(self) -> npt.NDArray[np.str_]:
        return np.array([branch.program for branch in self.branches])

    @functools.cached_property
    def families(self) -> npt.NDArray[np.str_]:
        return np.array([branch.family for branch in self.branches])

    @property
    def known(self) -> Mask:
        """Where LLVM's estimates know something: its answer stands there, and no model is asked."""
        sides = [name for name in self.names if name.endswith(".estimate")]
        known: Mask = np.any([self.column(name) > 0 for name in sides], axis=0)
        return known

    def column(self, name: str) -> Integers:
        return self.features[:, self.names.index(name)]

    def chosen(self, rows: Mask) -> Self:
        branches = [branch for branch, wanted in zip(self.branches, rows, strict=True) if wanted]
        parts = (self.features[rows], self.truth[rows], self.executions[rows], self.llvm[rows])
        return dataclasses.replace(
            self, **dict(zip(("features", "truth", "executions", "llvm"), parts, strict=True)), branches=branches
        )


class TwoWay(Rows):
    """Asks of a two-way branch whether it goes to its first side. Its features and its sides'."""


class Sides(Rows):
    """Asks of each side of a switch whether it goes there. Features are the branch's and the side's."""

    @functools.cached_property
    def starts(self) -> Integers:
        """The first row of each branch: rows of a branch stand together."""
        return np.array(
            [row for row, one in enumerate(self.branches) if row == 0 or one is not self.branches[row - 1]],
            dtype=np.int32,
        )

    @property
    def sizes(self) -> Integers:
        """How many sides each branch has."""
        return np.diff(np.append(self.starts, len(self.branches))).astype(np.int32)


@dataclasses.dataclass(frozen=True)
class Tables:
    two_way: TwoWay
    switches: Sides


class Collector:
    """Puts questions together, branch after branch."""

    def __init__(self, branch_names: Sequence[str], side_names: Sequence[str]) -> None:
        self._names = tuple(branch_names), tuple(side_names)
        self._rows: dict[str, list[tuple[Any, ...]]] = {"two-way": [], "switch": []}

    def add(self, branch: Branch, features: Features, truth: Sequence[int], answers: Sequence[int]) -> None:
        """A branch with what was measured and what LLVM says of each side."""
        measured, said = ([value / sum(values) for value in values] for values in (truth, answers))
        if branch.kind == "two-way":
            first, second = features.sides
            row = (*features.branch, *first, *second)
            self._rows["two-way"].append((row, measured[0], said[0], branch))
        elif branch.kind == "switch":
            for side, share, answer in zip(features.sides, measured, said, strict=True):
                self._rows["switch"].append(((*features.branch, *side), share, answer, branch))

    def tables(self) -> Tables:
        return Tables(self._made(TwoWay, "two-way", "first", "second"), self._made(Sides, "switch", "side"))

    def _made(self, kind: type[Made], name: str, *sides: str) -> Made:
        branch_names, side_names = self._names
        names = (*branch_names, *(f"{side}.{name}" for side in sides for name in side_names))
        rows = self._rows[name]
        features = np.array([row[0] for row in rows], dtype=np.int32).reshape(len(rows), len(names))
        truth, answers = (np.array([row[place] for row in rows], dtype=np.float64) for place in (1, 2))
        branches = [row[3] for row in rows]
        executions = np.array([float(branch.executions) for branch in branches])
        return kind(names, features, truth, executions, answers, branches)


def read(branches: pathlib.Path, features: pathlib.Path) -> Tables:
    known = table.read_features(features)
    collector = Collector(known.branch_names, known.side_names)
    for branch in table.read(branches):
        if branch.kind not in ("two-way", "switch"):
            continue
        found = known.rows.get((branch.program, branch.function, branch.block))
        if found is None:
            raise Failure(f"{features} has nothing about block {branch.block} of {branch.function} of {branch.program}")
        truth, answers = ([int(word) for word in words.split(",")] for words in (branch.truth, branch.answers))
        collector.add(branch, found, truth, answers)
    return collector.tables()
