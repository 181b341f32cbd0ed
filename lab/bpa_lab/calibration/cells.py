"""Groups the branches of each program into cells. Branches are in one cell if LLVM's rules cannot distinguish them."""

import csv
import dataclasses
import lzma
import math
import pathlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from bpa_dev.messages import Failure

COLUMNS = ("program", "family", "kind", "rule", "condition", "executions", "facts", "weights", "truth", "targets")


class Edge(NamedTuple):
    """The properties of an edge that the rules use."""

    #: The reason why the successor is unlikely. "raised" means that the successor is in a
    #: loop that never completes. The weight of such a loop is 1, not 0.
    reason: str
    leaves_cycle: bool
    unlikely: bool

    @property
    def is_known(self) -> bool:
        return self != UNKNOWN


UNKNOWN = Edge("", False, False)


class Cell(NamedTuple):
    """The properties of a two-way branch that the rules use."""

    first: Edge
    second: Edge
    condition: str

    @property
    def is_estimated(self) -> bool:
        """Whether the estimated weights of the successors predict the branch. If both successors lead to
        `unreachable`, the estimated weights do not predict the branch."""
        edges = (self.first, self.second)
        return any(edge.is_known for edge in edges) and any(edge.reason != "unreachable" for edge in edges)


@dataclasses.dataclass
class Sum:
    """A sum over the branches of one program that are in one cell. All fields are divided by the executions of all
    branches of the program."""

    #: The executions of the branches.
    share: float = 0.0
    #: The executions that took the first edge.
    first: float = 0.0
    #: The entropy in bits. The divergence is the cross-entropy minus this entropy.
    entropy: float = 0.0


@dataclasses.dataclass
class Program:
    name: str
    family: str
    executions: int = 0
    cells: dict[Cell, Sum] = dataclasses.field(default_factory=dict)

    def add(self, cell: Cell, executions: int, first: float) -> None:
        found = self.cells.setdefault(cell, Sum())
        self.executions += executions
        found.share += executions
        found.first += executions * first
        found.entropy += executions * sum(part * math.log2(1 / part) for part in (first, 1 - first) if part > 0)

    def finish(self) -> None:
        for found in self.cells.values():
            for field in dataclasses.fields(found):
                setattr(found, field.name, getattr(found, field.name) / self.executions)


def read(file: pathlib.Path) -> list[Program]:
    return of_rows(rows(file))


def of_rows(rows: Iterable[Mapping[str, Any]]) -> list[Program]:
    """For each program and cell, adds up the rows of the two-way branches."""
    programs: dict[str, Program] = {}
    for row in rows:
        if row["kind"] == "two-way":
            program = programs.setdefault(row["program"], Program(row["program"], row["family"]))
            first, second = (int(weight) for weight in row["truth"].split(","))
            program.add(cell_of(row), int(row["executions"]), first / (first + second))
    for program in programs.values():
        program.finish()
    return list(programs.values())


def rows(file: pathlib.Path) -> Iterator[dict[str, str]]:
    with lzma.open(file, "rt", encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream, dialect="excel-tab")
        missing = set(COLUMNS) - set(reader.fieldnames or ())
        if missing:
            raise Failure(f"{file} has no column {', '.join(sorted(missing))}")
        yield from reader


def cell_of(row: Mapping[str, Any]) -> Cell:
    weights = [int(weight) for weight in row["weights"].split(",")]
    known = [set(words.split("+")) - {""} for words in row["facts"].split(",")]
    is_estimated = row["rule"] == "estimated weights"
    first, second = (edge(words, is_estimated and weight > 0) for words, weight in zip(known, weights, strict=True))
    return Cell(first, second, row["condition"])


def edge(words: set[str], has_weight: bool) -> Edge:
    reasons = words - {"leaves-cycle", "unlikely"}
    reason = next(iter(reasons), "")
    if reason == "unreachable" and has_weight:
        reason = "raised"
    return Edge(reason, "leaves-cycle" in words, "unlikely" in words)
