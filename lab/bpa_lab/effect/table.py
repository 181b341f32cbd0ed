"""Markdown tables of results: values of the first variant, and relative differences of the other variants."""

import dataclasses
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence

from .callgrind import Counts

#: The variant with the branch weights of a profile. Tables compare the savings of all other variants with the savings
#: of this variant.
TRUTH = "weights"
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
    """Formats the mean savings of each variant, and lists the programs that execute over 1% more instructions."""
    base, *others = next(iter(results.values()))
    rows = [["variant", *(f"{measure} saved" for measure in SAVED), "programs with over 1% more instructions"]]
    for name in others:
        row = [name]
        for measure in SAVED:
            saved = mean_change(results, measure, base, name)
            most = mean_change(results, measure, base, TRUTH) if TRUTH in others else 0.0
            row.append(f"{-saved:.2%}" + (f", {saved / most:.0%} of the savings of true weights" if most else ""))
        read = MEASURES["instructions"]
        losers = [p for p, variants in results.items() if change(read(variants[name]), read(variants[base])) > 0.01]
        rows.append([*row, ", ".join(losers) or "none"])
    return markdown(rows)


def mean_change(results: Results, measure: str, base: str, name: str) -> float:
    read = MEASURES[measure]
    return mean(change(read(variants[name]), read(variants[base])) for variants in results.values())


def mean(values: Iterable[float]) -> float:
    return statistics.fmean(values)


def change(value: float, base: float) -> float:
    return value / base - 1 if base else 0.0


def markdown(rows: Sequence[Sequence[str]]) -> str:
    head, *body = rows
    lines = [head, ["---"] * len(head), *body]
    return "\n".join(f"| {' | '.join(row)} |" for row in lines)
