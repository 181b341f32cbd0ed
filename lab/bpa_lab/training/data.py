"""Converts the tables of branches to matrices."""

import dataclasses
import functools
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any, Self, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
from bpa_dev.messages import Failure

from ..profiled import table
from ..profiled.places import PLACES
from ..profiled.table import Branch, Features
from . import functions
from .functions import Functions

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int32]
Mask: TypeAlias = npt.NDArray[np.bool_]
#: Separates the name of a program from the name of a place. File names do not contain this character.
AT = "\0"
#: The feature that is 1 if a condition is the negation of the canonical test.
INVERTED = "inverted"
#: The arrays of `Rows`.
PARTS = ("features", "truth", "executions", "llvm")
#: A subclass of `Rows`.
Made = TypeVar("Made", bound="Rows")


@dataclasses.dataclass(frozen=True)
class Rows:
    """The data of one kind of branch. Each row is an event whose probability a model predicts."""

    #: The names of the columns of `features`.
    names: tuple[str, ...]
    features: Integers
    #: The profiled probability of the event.
    truth: Floats
    #: The executions of the branch.
    executions: Floats
    #: LLVM's prediction.
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
        """For each row, whether LLVM uses estimated weights. For such rows, LLVM's prediction replaces the
        prediction of the model."""
        estimates = [name for name in self.names if name.endswith(".estimate")]
        known: Mask = np.any([self.column(name) > 0 for name in estimates], axis=0)
        return known

    def column(self, name: str) -> Integers:
        return self.features[:, self.names.index(name)]

    def chosen(self, rows: Mask) -> Self:
        branches = [branch for branch, wanted in zip(self.branches, rows, strict=True) if wanted]
        parts = (self.features[rows], self.truth[rows], self.executions[rows], self.llvm[rows])
        return dataclasses.replace(self, **dict(zip(PARTS, parts, strict=True)), branches=branches)


def joined(tables: Mapping[str, Made]) -> Made:
    """Joins the tables of several pipeline places. Appends the place, for example `late`, to each program's name."""
    renamed = []
    for place, rows in tables.items():
        # All edges of a switch have the same branch.
        made = {id(one): dataclasses.replace(one, program=f"{one.program}{AT}{place}") for one in rows.branches}
        renamed.append(dataclasses.replace(rows, branches=[made[id(branch)] for branch in rows.branches]))
    return concatenated(renamed)


def concatenated(tables: Sequence[Made]) -> Made:
    if any(table.names != tables[0].names for table in tables):
        raise Failure("the tables do not have the same features")
    parts = {name: np.concatenate([getattr(table, name) for table in tables]) for name in PARTS}
    return dataclasses.replace(tables[0], **parts, branches=[branch for table in tables for branch in table.branches])


def program_of(name: str) -> str:
    """Returns `name` without the pipeline place. Only `joined` adds a place to a name."""
    return name.partition(AT)[0]


class TwoWay(Rows):
    """Two-way branches. The predicted event is that the test is true: that an inverted branch takes its second edge."""


class SwitchEdges(Rows):
    """Edges of switches. The predicted event is that the switch takes the edge."""

    @functools.cached_property
    def starts(self) -> Integers:
        """The first row of each switch. All edges of a switch are in adjacent rows."""
        return np.array(
            [row for row, one in enumerate(self.branches) if row == 0 or one is not self.branches[row - 1]],
            dtype=np.int32,
        )

    @property
    def sizes(self) -> Integers:
        """The number of rows of each switch."""
        return np.diff(np.append(self.starts, len(self.branches))).astype(np.int32)


@dataclasses.dataclass(frozen=True)
class Tables:
    two_way: TwoWay
    switches: SwitchEdges
    functions: Functions | None = None

    def without(self, family: str) -> "Tables":
        """Leaves out the programs of a family, to evaluate a model on them."""
        families = sorted(set(self.two_way.families))
        if family not in families:
            raise Failure(f"no family {family}; there are {', '.join(families)}")
        two_way = self.two_way.chosen(self.two_way.families != family)
        switches = self.switches.chosen(self.switches.families != family)
        return Tables(two_way, switches, self.functions and self.functions.without(family))


#: The names of the features of a branch and of its successors.
Names: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]


class Collector:
    def __init__(self) -> None:
        self._names: Names = ((), ())
        self._rows: dict[str, list[tuple[Any, ...]]] = {"two-way": [], "switch": []}

    def names(self, names: Names) -> bool:
        """Sets the names of features. Returns false if these names differ from names that an earlier call has set."""
        if not self._names[0]:
            self._names = names
        return self._names == names

    def add(self, branch: Branch, features: Features, truth: Sequence[int], predictions: Sequence[int]) -> None:
        """Adds a branch with the profile and LLVM's prediction of each successor."""
        measured, predicted = ([value / sum(values) for value in values] for values in (truth, predictions))
        if branch.kind == "two-way":
            first, second = features.successors
            names, _ = self._names
            if INVERTED in names and features.branch[names.index(INVERTED)]:
                first, second, measured, predicted = second, first, measured[::-1], predicted[::-1]
            row = (*features.branch, *first, *second)
            self._rows["two-way"].append((row, measured[0], predicted[0], branch))
        elif branch.kind == "switch":
            for successor, share, prediction in zip(features.successors, measured, predicted, strict=True):
                self._rows["switch"].append(((*features.branch, *successor), share, prediction, branch))

    def tables(self) -> Tables:
        two_way = self._made(TwoWay, "two-way", "first", "second")
        return Tables(two_way, self._made(SwitchEdges, "switch", "side"))

    def _made(self, kind: type[Made], name: str, *prefixes: str) -> Made:
        own_names, successor_names = self._names
        names = (*own_names, *(f"{prefix}.{name}" for prefix in prefixes for name in successor_names))
        rows = self._rows[name]
        features = np.array([row[0] for row in rows], dtype=np.int32).reshape(len(rows), len(names))
        truth, predictions = (np.array([row[place] for row in rows], dtype=np.float64) for place in (1, 2))
        branches = [row[3] for row in rows]
        executions = np.array([float(branch.executions) for branch in branches])
        return kind(names, features, truth, executions, predictions, branches)


def folder_of(folder: pathlib.Path, place: str) -> pathlib.Path:
    """Returns the folder with the tables for `place`, which is a place in the pipeline."""
    return folder if place == "early" else folder / place


def read(folder: pathlib.Path, *, held_out: bool = False) -> Tables:
    """Reads the tables of `lab/run training-table`, or the tables of the held-out programs."""
    names = ("held-out", "held-out-features") if held_out else ("branches", "features")
    branches, features = (folder / f"{name}.tsv.xz" for name in names)
    known = table.read_features(features)
    collector = Collector()
    collector.names((known.branch_names, known.successor_names))
    for branch in table.read(branches):
        if branch.kind not in ("two-way", "switch"):
            continue
        found = known.rows.get((branch.program, branch.function, branch.block))
        if found is None:
            raise Failure(f"{features}: no line for {branch.program}, function {branch.function}, block {branch.block}")
        collector.add(branch, found, table.by_target(branch, branch.truth), table.by_target(branch, branch.answers))
    return collector.tables()


def read_places(folder: pathlib.Path) -> Tables:
    """Reads the tables of all places, and joins them. Also reads the table of functions."""
    folders = {place: folder_of(folder, place) for place in PLACES}
    tables = {place: read(own) for place, own in folders.items() if own.exists()}
    return Tables(
        joined({place: own.two_way for place, own in tables.items()}),
        joined({place: own.switches for place, own in tables.items()}),
        functions.read(folder / functions.FILE),
    )
