"""The table of selects. Each line describes one `select` in one run of a program: features and profile."""

import dataclasses
import lzma
import pathlib
from collections.abc import Container
from typing import Any

from .manifest import Program
from .normal import Body
from .packed import BETWEEN, BETWEEN_SUCCESSORS, joined, pack

#: The field `kind` of `select` instructions in the output of `rust-bpi<features>`.
KIND = "select"
#: The columns before the features. The first line of a table has the names of these columns and of the features.
COLUMNS = ("program", "family", "run", "function", "block", "select", "place", "executions", "truth")


@dataclasses.dataclass(frozen=True)
class Select:
    program: str
    family: str
    #: The index of the run in the list of the program's runs.
    run: int
    #: The hash of the normalised body of the function.
    function: str
    #: The number of the block, and the number of the `select` in the block.
    block: int
    select: int
    #: The source position as FILE:LINE.
    place: str
    executions: int
    #: The profiled branch weights: first for a true condition, then for a false condition.
    truth: tuple[int, int]
    #: The features of the `select`, of its first value, and of its second value.
    features: tuple[tuple[int, ...], ...]


@dataclasses.dataclass
class SelectTable:
    names: tuple[str, ...] = ()
    value_names: tuple[str, ...] = ()
    rows: list[Select] = dataclasses.field(default_factory=list)
    #: Maps the hash of a function's body to the name of the first program that has the function. Copies in other
    #: programs are skipped.
    owners: dict[str, str] = dataclasses.field(default_factory=dict)

    def add(self, program: Program, run: int, body: Body, line: dict[str, Any]) -> None:
        if self.owners.setdefault(body.early, program.name) != program.name:
            return
        first, second = line["values"]
        self.names, self.value_names = tuple(line["features"]), tuple(first["features"])
        where = (program.name, program.family, run, body.own, line["number"], line["select"], position(line))
        features = tuple(tuple(part["features"].values()) for part in (line, first, second))
        self.rows.append(Select(*where, int(line["executions"]), (first["truth"], second["truth"]), features))


def position(line: dict[str, Any]) -> str:
    return f"{line['file']}:{line['line']}" if "file" in line else ""


def write(table: SelectTable, programs: Container[str], file: pathlib.Path) -> None:
    """Writes the rows of `table` that belong to `programs`. If rows are equal, the files are equal, byte for byte."""
    lines: list[tuple[str, ...]] = [(*COLUMNS, joined(table.names), joined(table.value_names))]
    for row in table.rows:
        if row.program in programs:
            words = [str(getattr(row, name)) for name in COLUMNS[:-1]]
            own, *values = map(joined, row.features)
            lines.append((*words, joined(row.truth), own, BETWEEN_SUCCESSORS.join(values)))
    pack("".join("\t".join(line) + "\n" for line in lines), file)


def read(file: pathlib.Path) -> SelectTable:
    with lzma.open(file, "rt", encoding="utf-8") as stream:
        *_, names, value_names = next(stream).rstrip("\n").split("\t")
        table = SelectTable(tuple(names.split(BETWEEN)), tuple(value_names.split(BETWEEN)))
        table.rows = [of_words(line.rstrip("\n").split("\t")) for line in stream]
    return table


def of_words(words: list[str]) -> Select:
    program, family, run, function, block, select, place, executions, truth, own, values = words
    held, failed = integers(truth)
    features = (integers(own), *map(integers, values.split(BETWEEN_SUCCESSORS)))
    numbers = (int(block), int(select))
    return Select(program, family, int(run), function, *numbers, place, int(executions), (held, failed), features)


def integers(words: str) -> tuple[int, ...]:
    return tuple(map(int, words.split(BETWEEN)))
