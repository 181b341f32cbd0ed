"""All predictors on the same branches."""

from collections.abc import Iterable, Mapping
from statistics import fmean

import numpy as np

from ..calibration import cells, fit
from ..messages import say
from . import measures, odds
from .data import Data, Floats, read
from .models import Trees

__all__ = ["answers_left_out", "answers_of_others", "print_table", "read"]

MODELS = {
    "additive": Trees(leaves=2, rounds=600),
    "additive, by executions": Trees(leaves=2, rounds=600, by_executions=True),
    "trees of 8": Trees(leaves=8, rounds=300),
    "trees of 8, by executions": Trees(leaves=8, rounds=300, by_executions=True),
    "trees of 16": Trees(leaves=16, rounds=300),
    "trees of 32": Trees(leaves=32, rounds=400),
}

#: By the name of a predictor, its answer for the first side of each branch.
Answers = Mapping[str, Floats]


def answers_left_out(data: Data) -> Answers:
    """Those that are learned, from all other families."""
    answers = published(data)
    families = data.families
    for name in ("calibrated", *MODELS):
        answers[name] = np.empty(len(data.truth))
    for family in dict.fromkeys(families):
        say(f"without {family}")
        own = families == family
        for name, found in learned(data.chosen(~own), data.chosen(own)).items():
            answers[name][own] = found
    return answers


def answers_of_others(known: Data, judged: Data) -> Answers:
    return {**published(judged), **learned(known, judged)}


def published(data: Data) -> dict[str, Floats]:
    perfect = np.where(data.truth > 0.5, 1.0, 0.0)
    return {"perfect static": perfect, "LLVM": data.llvm, "Wu-Larus": odds.wu_larus(data), "GCC": odds.gcc(data)}


def learned(known: Data, judged: Data) -> dict[str, Floats]:
    answers = {"calibrated": calibrated(known, judged)}
    for name, model in MODELS.items():
        answers[name] = model.fit(known)(judged)
    return answers


def calibrated(known: Data, judged: Data) -> Floats:
    programs = cells.of_rows(vars(branch) for branch in known.branches)
    numbers = fit.fit(programs, fit.compared(programs))
    return np.array([numbers.answer(cells.cell_of(vars(branch))) for branch in judged.branches])


def print_table(data: Data, answers: Answers) -> None:
    """Misses and KL bits by program; the mean of programs below; and how each stands to LLVM."""
    names = list(dict.fromkeys(branch.program for branch in data.branches))
    figures = {
        predictor: [measures.of_program(data, found, name) for name in names] for predictor, found in answers.items()
    }
    means = {predictor: mean(found) for predictor, found in figures.items()}
    for title in ("misses", "KL bits"):

        def cell(found: measures.Figures, title: str = title) -> str:
            return f"{found.misses:.1%}" if title == "misses" else f"{found.bits:.3f}"

        print(f"\n{title}\n\n| program | {' | '.join(answers)} |\n|{' --- |' * (1 + len(answers))}")
        for name, of_all in zip(names, zip(*figures.values(), strict=True), strict=True):
            print_row(name, [cell(one) for one in of_all])
        print_row("mean of programs", [cell(one) for one in means.values()])
    print("\n| predictor | misses | of LLVM's | KL bits | of LLVM's | better in misses | more than 3 points worse |")
    print("|" + " --- |" * 7)
    llvm, reference = figures["LLVM"], means["LLVM"]
    for predictor, own in figures.items():
        total = means[predictor]
        better = sum(one.misses < other.misses for one, other in zip(own, llvm, strict=True))
        worse = [name for name, one, other in zip(names, own, llvm, strict=True) if one.misses > other.misses + 0.03]
        words = [f"{total.misses:.1%}", f"{total.misses / reference.misses:.2f}", f"{total.bits:.3f}"]
        words += [f"{total.bits / reference.bits:.2f}", f"{better} of {len(names)}", ", ".join(worse) or "none"]
        print_row(predictor, words)


def mean(found: Iterable[measures.Figures]) -> measures.Figures:
    both = [(one.misses, one.bits) for one in found]
    return measures.Figures(*(fmean(column) for column in zip(*both, strict=True)))


def print_row(name: str, words: Iterable[str]) -> None:
    print(f"| {name} | {' | '.join(words)} |")
