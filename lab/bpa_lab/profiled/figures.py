"""The quality of the predictions of a table, by program, rule and family (docs/src/guide/profiles.md)."""

import dataclasses
import math
from collections.abc import Callable, Iterable

from .packed import BETWEEN
from .table import Branch

ONE = 1 << 31
LEAST = 2.0**-20


@dataclasses.dataclass
class Sum:
    """Over branches, each counted as often as it ran."""

    branches: int = 0
    executions: int = 0
    misses: float = 0.0
    least_misses: float = 0.0
    bits: float = 0.0
    #: How likely the likeliest side was said to be.
    said: float = 0.0

    def add(self, executions: int, answers: list[float], truth: list[float]) -> None:
        self.branches += 1
        self.executions += executions
        likeliest = max(answers)
        hits = [share for answer, share in zip(answers, truth, strict=True) if answer == likeliest]
        self.misses += executions * (1 - sum(hits) / len(hits))
        self.said += executions * likeliest
        self.least_misses += executions * (1 - max(truth))
        bounded = [min(max(answer, LEAST), 1 - LEAST) for answer in answers]
        terms = (t * math.log2(t / p) for t, p in zip(truth, bounded, strict=True) if t > 0)
        self.bits += executions * sum(terms)

    def share(self, amount: float) -> float:
        return amount / self.executions if self.executions else 0.0


def sides(branch: Branch) -> tuple[list[float], list[float]]:
    """The answer and the truth for each block that the branch leads to."""
    answers: dict[str, float] = {}
    truth: dict[str, float] = {}
    fields = (branch.targets, branch.answers, branch.truth)
    for target, answer, weight in zip(*(field.split(BETWEEN) for field in fields), strict=True):
        answers[target] = answers.get(target, 0.0) + int(answer) / ONE
        truth[target] = truth.get(target, 0.0) + int(weight)
    whole = sum(truth.values())
    return list(answers.values()), [weight / whole for weight in truth.values()]


def decided_by(branch: Branch) -> str:
    """The rule, and of what it knows that which decided: the reason against the unlikely side, or the comparison."""
    if branch.rule != "estimated weights":
        return f"{branch.rule}: {branch.condition}" if branch.condition else branch.rule
    answers = [int(answer) for answer in branch.answers.split(BETWEEN)]
    known = branch.facts.split(BETWEEN)[answers.index(min(answers))]
    return f"{branch.rule}: {known or 'of several'}"


def sums(branches: Iterable[Branch], key: Callable[[Branch], str]) -> dict[str, Sum]:
    found: dict[str, Sum] = {}
    for branch in branches:
        found.setdefault(key(branch), Sum()).add(branch.executions, *sides(branch))
    return found
