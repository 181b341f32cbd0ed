"""How often branches go another way than is said, where what is said has the hints of the source in it.

Each branch is looked at as clang makes it of the source. What it did is read from a profile, as `rust-bpi<score>`
reads it; what is said are LLVM's answers after `lower-expect`. An edit of a condition makes no blocks, so that the
branches of a patched source are those of the source that was measured.
"""

import dataclasses
import json
import pathlib
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any

from bpa_dev.checked_tools import check
from bpa_dev.messages import Failure
from bpa_dev.scoring.measures import Tally, measure
from bpa_dev.scoring.records import WHOLE, Side
from bpa_dev.tools import Tools

from .tree import Command, arguments

UNOPTIMISED = ("-O2", "-w", "-gline-tables-only", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c")

#: By function and block: how often it goes to each block that it may go to.
Answers = dict[tuple[str, int], dict[int, float]]


@dataclasses.dataclass(frozen=True)
class Truth:
    """What a two-way branch did."""

    place: tuple[str, int]
    #: Other modules may not have another function of that name.
    is_local: bool
    executions: int
    shares: dict[int, float]


@dataclasses.dataclass(frozen=True)
class Misses:
    """Shares of all executions."""

    said: float
    #: What the best fixed answers would miss.
    least: float
    branches: int
    executions: float


def misses(truths: Sequence[Sequence[Truth]], answers: Sequence[Answers]) -> Misses:
    """Of a program, by module: of a function that several modules have, the first one counts."""
    home: dict[str, int] = {}
    tally = Tally()
    for module, (of_module, said) in enumerate(zip(truths, answers, strict=True)):
        for truth in of_module:
            function = truth.place[0]
            if truth.is_local or home.setdefault(function, module) == module:
                tally.add(measure(sides(truth, said)), truth.executions)
    return Misses(1 - tally.mean.hits, 1 - tally.mean.perfect, tally.branches, tally.executions)


def sides(truth: Truth, answers: Answers) -> list[Side]:
    said = answers.get(truth.place)
    if said is None or said.keys() != truth.shares.keys():
        raise Failure(f"block {truth.place[1]} of {truth.place[0]} is not the branch that was measured")
    return [Side(said[to], share) for to, share in truth.shares.items()]


class Reader:
    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    def truths(self, commands: Sequence[Command], profile: pathlib.Path) -> list[list[Truth]]:
        options = [*UNOPTIMISED, f"-fprofile-instr-use={profile}"]
        return [
            [truth(row) for row in self._rows(entry, options, "rust-bpi<score;json>") if is_measured(row)]
            for entry in commands
        ]

    def answers(self, commands: Sequence[Command]) -> list[Answers]:
        passes = "function(lower-expect),rust-bpi<json>"
        return [answers(self._rows(entry, UNOPTIMISED, passes)) for entry in commands]

    def _rows(self, entry: Command, options: Sequence[str], passes: str) -> Iterator[dict[str, Any]]:
        with tempfile.TemporaryDirectory() as folder:
            bitcode, output = pathlib.Path(folder, "module.bc"), pathlib.Path(folder, "rows")
            clang = [str(self._tools.llvm.tool("clang")), *arguments(entry, options), "-o", str(bitcode)]
            check(clang, pathlib.Path(entry["directory"]))
            check(
                [*self._tools.opt_command(passes.replace("json", f"json;output={output}")), "-disable-output", bitcode]
            )
            if output.exists():
                for line in output.read_text(errors="replace").splitlines():
                    yield json.loads(line)


def is_measured(row: dict[str, Any]) -> bool:
    return bool(row["kind"] == "two-way" and row["executions"] != "0")


def truth(row: dict[str, Any]) -> Truth:
    weights = {edge["to"]: edge["true_weight"] for edge in row["edges"]}
    total = sum(weights.values())
    shares = {to: weight / total for to, weight in weights.items()}
    return Truth((row["function"], row["number"]), row["local"], int(row["executions"]), shares)


def answers(rows: Iterator[dict[str, Any]]) -> Answers:
    found: Answers = {}
    for row in rows:
        for edge in row["edges"]:
            ways = found.setdefault((row["function"], edge["from"]), {})
            ways[edge["to"]] = ways.get(edge["to"], 0.0) + edge["numerator"] / WHOLE
    return found
