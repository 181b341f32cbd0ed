"""Groups the branches of a table, and evaluates the predictions of each group (docs/src/guide/profiles.md)."""

import dataclasses
import math
from collections.abc import Callable, Iterable
from typing import NamedTuple

from .packed import BETWEEN
from .table import Branch, by_target

ONE = 1 << 31
#: If a predicted probability is below this minimum, the divergence is computed with the minimum.
LEAST = 1 / (1 << 20)


class Measure(NamedTuple):
    """Fractions of the executions. `bits` is the divergence in bits per execution."""

    hits: float
    perfect: float
    predicted: float
    bits: float


@dataclasses.dataclass
class Tally:
    """The sum of the measures of branches. Each measure is multiplied by the number of executions of its branch."""

    branches: int = 0
    executions: float = 0
    sums: Measure = dataclasses.field(default_factory=lambda: Measure(0, 0, 0, 0))

    def add(self, one: Measure, executions: float) -> None:
        self.branches += 1
        self.executions += executions
        self.sums = Measure(*(total + executions * part for total, part in zip(self.sums, one, strict=True)))

    @property
    def mean(self) -> Measure:
        return Measure(*(total / self.executions if self.executions else 0.0 for total in self.sums))


def measure(branch: Branch) -> Measure:
    """Compares the predictions of a branch with the profile. Adds the probabilities of parallel edges."""
    predictions, truth = by_target(branch, branch.answers), by_target(branch, branch.truth)
    pairs = [(guess / ONE, weight / sum(truth)) for guess, weight in zip(predictions, truth, strict=True)]
    predicted = max(guess for guess, _ in pairs)
    likeliest = [profiled for guess, profiled in pairs if guess == predicted]
    return Measure(
        hits=sum(likeliest) / len(likeliest),
        perfect=max(profiled for _, profiled in pairs),
        predicted=predicted,
        bits=sum(
            profiled * math.log2(profiled / min(max(guess, LEAST), 1 - LEAST)) for guess, profiled in pairs if profiled
        ),
    )


def decided_by(branch: Branch) -> str:
    """Returns the rule, and the facts that the rule uses: the comparison, or the facts about the less likely
    successor."""
    if branch.rule != "estimated weights":
        return f"{branch.rule}: {branch.condition}" if branch.condition else branch.rule
    predictions = [int(prediction) for prediction in branch.answers.split(BETWEEN)]
    known = branch.facts.split(BETWEEN)[predictions.index(min(predictions))]
    return f"{branch.rule}: {known or 'of several'}"


def sums(branches: Iterable[Branch], key: Callable[[Branch], str]) -> dict[str, Tally]:
    found: dict[str, Tally] = {}
    for branch in branches:
        found.setdefault(key(branch), Tally()).add(measure(branch), branch.executions)
    return found
