"""The table of selects: a line a `select` that ran in a run, with what a predictor may look at and the truth."""

import dataclasses
import lzma
import pathlib
from collections.abc import Container, Iterable
from typing import Any

from .manifest import Program
from .packed import BETWEEN, BETWEEN_SIDES, pack

#: What `rust-bpi<features>` calls lines about selects.
KIND = "select"
#: The columns before the features. The first line has the names of the features.
COLUMNS = ("program", "family", "run", "function", "block", "select", "place", "executions", "truth")


@dataclasses.dataclass(frozen=True)
class Select:
    """A `select` that ran."""

    program: str
    family: str
    #: Which of the program's runs, from 0.
    run: int
    #: The hash of the normalised body of its function.
    function: str
    #: The number of its block, and which of the selects of that it is.
    block: int
    select: int
    #: Its place in the source, as FILE:LINE.
    place: str
    executions: int
    #: How often its condition held, and how often not: the branch weights of the profile.
    truth: tuple[int, int]
    #: Integers about it, about its first value, about its second.
    features: tuple[tuple[int, ...], ...]


@dataclasses.dataclass
class SelectTable:
    """Selects, and what their features are called."""

    names: tuple[str, ...] = ()
    value_names: tuple[str, ...] = ()
    rows: list[Select] = dataclasses.field(default_factory=list)
    #: By the hash of a function's body, the first program in which a `select` of it ran: copies are left out.
    owners: dict[str, str] = dataclasses.field(default_factory=dict)

    def add(self, program: Program, run: int, function: str, line: dict[str, Any]) -> None:
        if self.owners.setdefault(function, program.name) != program.name:
            return
        first, second = line["values"]
        self.names, self.value_names = tuple(line["features"]), tuple(first["features"])
        select = Select(
            program=program.name,
            family=program.family,
            run=run,
            function=function,
            block=line["number"],
            select=line["select"],
            place=f"{line['file']}:{line['line']}" if "file" in line else "",
            executions=int(line["executions"]),
            truth=(first["truth"], second["truth"]),
            features=tuple(tuple(part["features"].values()) for part in (line, first, second)),
        )
        self.rows.append(select)


def write(table: SelectTable, programs: Container[str], file: pathlib.Path) -> None:
    """The selects of these programs, with a line of names on top; the same selects give the same bytes."""
    lines: list[tuple[str, ...]] = [(*COLUMNS, joined(table.names), joined(table.value_names))]
    for row in table.rows:
        if row.program in programs:
            words = [str(getattr(row, name)) for name in COLUMNS[:-1]]
            own, *values = map(joined, row.features)
            lines.append((*words, joined(row.truth), own, BETWEEN_SIDES.join(values)))
    pack("".join("\t".join(line) + "\n" for line in lines), file)


def joined(values: Iterable[object]) -> str:
    return BETWEEN.join(map(str, values))


def read(file: pathlib.Path) -> SelectTable:
    with lzma.open(file, "rt", encoding="utf-8") as stream:
        *_, names, value_names = next(stream).rstrip("\n").split("\t")
        table = SelectTable(tuple(names.split(BETWEEN)), tuple(value_names.split(BETWEEN)))
        table.rows = [of_words(line.rstrip("\n").split("\t")) for line in stream]
    return table


def of_words(words: list[str]) -> Select:
    program, family, run, function, block, select, place, executions, truth, own, values = words
    held, failed = integers(truth)
    features = (integers(own), *map(integers, values.split(BETWEEN_SIDES)))
    numbers = (int(block), int(select))
    return Select(program, family, int(run), function, *numbers, place, int(executions), (held, failed), features)


def integers(words: str) -> tuple[int, ...]:
    return tuple(map(int, words.split(BETWEEN)))
