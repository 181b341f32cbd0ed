"""Markdown tables of results: values of the first variant, and relative differences of the other variants."""

import dataclasses
import random
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence

from .callgrind import Counts

#: The number of resamples of the bootstrap.
RESAMPLES = 2000
SAVED = ("instructions", "taken branches")


@dataclasses.dataclass(frozen=True)
class Result:
    counts: Counts
    #: The size of the code in bytes.
    size: int


#: The result of each variant of each program.
Results = Mapping[str, Mapping[str, Result]]

MEASURES: dict[str, Callable[[Result], int]] = {
    "instructions": lambda result: result.counts.instructions,
    "taken branches": lambda result: result.counts.taken,
    "instruction-cache misses": lambda result: result.counts.misses,
    "bytes of code": lambda result: result.size,
}


def of_counts(results: Results, measure: str) -> str:
    read = MEASURES[measure]
    values = {program: {name: read(one) for name, one in variants.items()} for program, variants in results.items()}
    return relative(values, measure)


def relative(values: Mapping[str, Mapping[str, int]], title: str) -> str:
    base, *others = next(iter(values.values()))
    rows = [[title, base, *others]]
    for program, variants in values.items():
        changes = [f"{change(variants[name], variants[base]):+.2%}" for name in others]
        rows.append([program, f"{variants[base]:,}", *changes])
    means = [mean(change(variants[name], variants[base]) for variants in values.values()) for name in others]
    rows.append(["mean of programs", "", *(f"{value:+.2%}" for value in means)])
    return markdown(rows)


def of_savings(results: Results) -> str:
    """Formats the mean, the median and the worst change of each variant, and lists the programs that execute over 1%
    more instructions."""
    base, *others = next(iter(results.values()))
    columns = [f"{measure}: {kind}" for measure in SAVED for kind in ("mean (90% interval)", "median", "worst")]
    rows = [["variant", *columns, "programs with over 1% more instructions"]]
    for name in others:
        losers = [program for program, value in changes(results, SAVED[0], base, name).items() if value > 0.01]
        cells = [cell for measure in SAVED for cell in summary([*changes(results, measure, base, name).values()])]
        rows.append([name, *cells, ", ".join(losers) or "none"])
    return markdown(rows)


def summary(values: Sequence[float]) -> list[str]:
    """Formats the mean, the median and the maximum. The interval of the mean comes from a bootstrap over programs."""
    draw = random.Random(1)
    means = sorted(mean(draw.choices(values, k=len(values))) for _ in range(RESAMPLES))
    low, high = means[RESAMPLES // 20], means[-RESAMPLES // 20]
    cells = [f"{mean(values):+.2%} ({low:+.2%} to {high:+.2%})"]
    return [*cells, *(f"{value:+.2%}" for value in (statistics.median(values), max(values)))]


def changes(results: Results, measure: str, base: str, name: str) -> dict[str, float]:
    read = MEASURES[measure]
    return {program: change(read(made[name]), read(made[base])) for program, made in results.items()}


def mean(values: Iterable[float]) -> float:
    return statistics.fmean(values)


def change(value: float, base: float) -> float:
    return value / base - 1 if base else 0.0


def markdown(rows: Sequence[Sequence[str]]) -> str:
    head, *body = rows
    lines = [head, ["---"] * len(head), *body]
    return "\n".join(f"| {' | '.join(row)} |" for row in lines)
