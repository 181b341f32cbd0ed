"""Prints the Markdown tables of `lab/run compare-predictors`."""

from collections.abc import Callable, Iterable, Sequence
from statistics import fmean

import numpy as np

from . import measures
from .comparison import Predictions
from .data import Floats, Made, Mask, TwoWay

#: Computes the figures of a program from all rows, a predictor's predictions and the name of the program.
Measure = Callable[[Made, Floats, str], measures.Figures]


def print_tables(data: Made, predictions: Predictions, measure: Measure[Made]) -> None:
    """Prints the misses and KL bits of each program, their means, and a comparison of each predictor with LLVM."""
    names = list(dict.fromkeys(branch.program for branch in data.branches))
    figures = {predictor: [measure(data, found, name) for name in names] for predictor, found in predictions.items()}
    for title in ("misses", "KL bits"):

        def cell(found: measures.Figures, title: str = title) -> str:
            return f"{found.misses:.1%}" if title == "misses" else f"{found.bits:.3f}"

        print_heading(f"{title}\n\n", ["program", *predictions])
        for name, of_all in zip(names, zip(*figures.values(), strict=True), strict=True):
            print_row(name, [cell(one) for one in of_all])
        print_row("mean of programs", [cell(mean(found)) for found in figures.values()])
    print_against_llvm(names, figures)


def print_against_llvm(names: Sequence[str], figures: dict[str, list[measures.Figures]]) -> None:
    columns = (
        "predictor|misses|misses relative to LLVM|KL bits|KL bits relative to LLVM|programs with fewer misses than LLVM"
        "|programs with fewer KL bits than LLVM|programs whose miss rate exceeds LLVM's by over 3 percentage points"
    )
    print_heading("", columns.split("|"))
    llvm, reference = figures["LLVM"], mean(figures["LLVM"])
    for predictor, own in figures.items():
        total = mean(own)
        fewer_misses = sum(one.misses < other.misses for one, other in zip(own, llvm, strict=True))
        fewer_bits = sum(one.bits < other.bits for one, other in zip(own, llvm, strict=True))
        worse = [name for name, one, other in zip(names, own, llvm, strict=True) if one.misses > other.misses + 0.03]
        words = [f"{total.misses:.1%}", f"{total.misses / reference.misses:.2f}", f"{total.bits:.3f}"]
        words += [
            f"{total.bits / reference.bits:.2f}",
            f"{fewer_misses} of {len(names)}",
            f"{fewer_bits} of {len(names)}",
        ]
        print_row(predictor, [*words, ", ".join(worse) or "none"])


def print_second_input(data: TwoWay, predictions: Predictions) -> None:
    """Evaluates predictions on the second run of each program, and prints tables. The profile of the first run is an
    additional predictor."""
    runs = np.array([branch.run for branch in data.branches])
    keys = [(branch.program, branch.function, branch.block) for branch in data.branches]
    of_first = {key: share for key, run, share in zip(keys, runs, data.truth, strict=True) if run == 0}
    # For a branch that the first run did not execute, `profile` has LLVM's prediction.
    profile = np.array([of_first.get(key, llvm) for key, llvm in zip(keys, data.llvm, strict=True)])
    second: Mask = runs == 1
    evaluated = data.chosen(second)
    print_tables(
        evaluated,
        {**{name: found[second] for name, found in predictions.items()}, "profile of the first run": profile[second]},
        measures.of_program,
    )


def mean(found: Iterable[measures.Figures]) -> measures.Figures:
    both = [(one.misses, one.bits) for one in found]
    return measures.Figures(*(fmean(column) for column in zip(*both, strict=True)))


def print_heading(title: str, columns: Sequence[str]) -> None:
    print(f"\n{title}| {' | '.join(columns)} |\n|{' --- |' * len(columns)}")


def print_row(name: str, words: Iterable[str]) -> None:
    print(f"| {name} | {' | '.join(words)} |", flush=True)
