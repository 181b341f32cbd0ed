"""How far answers are from the truth: the definitions of docs/src/guide/profiles.md."""

import dataclasses
import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .records import Branch, Side

#: Answers nearer to never or always than this count as this.
LEAST = 1 / (1 << 20)


class Measure(NamedTuple):
    """Shares of executions, but for `bits`."""

    hits: float
    perfect: float
    predicted: float
    truth: float
    bits: float


def measure(sides: Sequence[Side]) -> Measure:
    highest = max(side.answer for side in sides)
    likeliest = [side.truth for side in sides if side.answer == highest]
    return Measure(
        hits=sum(likeliest) / len(likeliest),
        perfect=max(side.truth for side in sides),
        predicted=highest,
        truth=likeliest[0],
        bits=sum(
            side.truth * math.log2(side.truth / min(max(side.answer, LEAST), 1 - LEAST)) for side in sides if side.truth
        ),
    )


@dataclasses.dataclass
class Tally:
    """Measures added up, each as often as its branch ran."""

    branches: int = 0
    executions: float = 0
    sums: Measure = dataclasses.field(default_factory=lambda: Measure(0, 0, 0, 0, 0))

    def add(self, one: Measure, executions: float, branches: int = 1) -> None:
        self.branches += branches
        self.executions += executions
        self.sums = Measure(*(total + executions * part for total, part in zip(self.sums, one, strict=True)))

    @property
    def mean(self) -> Measure:
        return Measure(*(total / self.executions if self.executions else 0.0 for total in self.sums))

    @property
    def avoidable(self) -> float:
        """The executions that went another way than was said, and need not have."""
        return self.sums.perfect - self.sums.hits


def tally(branches: Iterable[Branch]) -> Tally:
    result = Tally()
    for branch in branches:
        result.add(measure(branch.sides), branch.executions)
    return result


def by_rule(branches: Iterable[Branch]) -> dict[str, Tally]:
    result: dict[str, Tally] = {}
    for branch in branches:
        result.setdefault(branch.rule, Tally()).add(measure(branch.sides), branch.executions)
    return result
