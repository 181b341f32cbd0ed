"""Measures of predictions against a profile. docs/src/guide/profiles.md defines them."""

import dataclasses
import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .records import Branch, Successor

#: If a predicted probability is below this minimum, the divergence is computed with the minimum.
LEAST = 1 / (1 << 20)


class Measure(NamedTuple):
    """Fractions of the executions. `bits` is the divergence in bits per execution."""

    hits: float
    perfect: float
    predicted: float
    profiled: float
    bits: float


def measure(successors: Sequence[Successor]) -> Measure:
    highest = max(successor.predicted for successor in successors)
    likeliest = [successor.profiled for successor in successors if successor.predicted == highest]
    return Measure(
        hits=sum(likeliest) / len(likeliest),
        perfect=max(successor.profiled for successor in successors),
        predicted=highest,
        profiled=likeliest[0],
        bits=sum(
            one.profiled * math.log2(one.profiled / min(max(one.predicted, LEAST), 1 - LEAST))
            for one in successors
            if one.profiled
        ),
    )


@dataclasses.dataclass
class Tally:
    """The sum of the measures of branches. Each measure is multiplied by the number of executions of its branch."""

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
        """The number of misses of this predictor, minus the number of misses of a perfect static predictor."""
        return self.sums.perfect - self.sums.hits


def tally(branches: Iterable[Branch]) -> Tally:
    result = Tally()
    for branch in branches:
        result.add(measure(branch.successors), branch.executions)
    return result


def by_rule(branches: Iterable[Branch]) -> dict[str, Tally]:
    result: dict[str, Tally] = {}
    for branch in branches:
        result.setdefault(branch.rule, Tally()).add(measure(branch.successors), branch.executions)
    return result
