"""Groups the branches of a table, and evaluates the predictions of each group (docs/src/guide/profiles.md)."""

from collections.abc import Callable, Iterable

from bpa_dev.scoring.measures import Tally, measure
from bpa_dev.scoring.records import Successor

from .packed import BETWEEN
from .table import Branch, by_target

ONE = 1 << 31


def successors(branch: Branch) -> list[Successor]:
    """Returns the successors of the branch. Adds the probabilities of parallel edges."""
    predictions, truth = by_target(branch, branch.answers), by_target(branch, branch.truth)
    return [Successor(guess / ONE, weight / sum(truth)) for guess, weight in zip(predictions, truth, strict=True)]


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
        found.setdefault(key(branch), Tally()).add(measure(successors(branch)), branch.executions)
    return found
