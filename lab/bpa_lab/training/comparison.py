"""All predictors on the same branches."""

from collections.abc import Mapping

import numpy as np
from bpa_dev.messages import announce

from ..calibration import cells, fit
from . import odds
from .data import Floats, Rows, Selects, Sides, TwoWay
from .models import Trees, Weighing

MODELS = {
    "additive": Trees(leaves=2, rounds=600),
    "trees of 8": Trees(leaves=8, rounds=300),
    "trees of 16, by logarithm": Trees(leaves=16, rounds=300, weighing=Weighing.LOGARITHM),
    "trees of 16, by executions": Trees(leaves=16, rounds=300, weighing=Weighing.EXECUTIONS),
    "fewer trees of 8": Trees(leaves=8, rounds=200, rate=0.1),
    "trees of 16": Trees(leaves=16, rounds=300),
    "fewer trees of 16": Trees(leaves=16, rounds=150, rate=0.1),
    "trees of 32": Trees(leaves=32, rounds=300),
}
#: Of switches and of selects there are fewer.
MODELS_OF_FEW = {
    "additive": Trees(leaves=2, rounds=300, weighing=Weighing.LOGARITHM),
    "trees of 4": Trees(leaves=4, rounds=150, weighing=Weighing.LOGARITHM),
    "trees of 8": Trees(leaves=8, rounds=150, weighing=Weighing.LOGARITHM),
    "trees of 8, by executions": Trees(leaves=8, rounds=150, weighing=Weighing.EXECUTIONS),
    "trees of 16": Trees(leaves=16, rounds=150, weighing=Weighing.LOGARITHM),
}

#: By the name of a predictor, its answer for each row.
Answers = Mapping[str, Floats]


def answers_of(known: Rows, judged: Rows) -> Answers:
    """For `judged`: of predictors trained on `known`, or on all other families if both are the same."""
    return left_out(known) if judged is known else of_others(known, judged)


def left_out(data: Rows) -> Answers:
    """Predictions of models that are trained on all other families."""
    families = data.families
    made = dict[str, Floats]()
    for family in dict.fromkeys(families):
        announce(f"without {family}")
        own = families == family
        for name, found in of_others(data.chosen(~own), data.chosen(own)).items():
            made.setdefault(name, np.empty(len(families)))[own] = found
    return made


def of_others(known: Rows, judged: Rows) -> Answers:
    """Predictions of models that are trained on `known`, and of predictors without training."""
    if isinstance(known, TwoWay) and isinstance(judged, TwoWay):
        learned = {name: model.fit(known)(judged) for name, model in MODELS.items()}
        return {**published(judged), "calibrated": calibrated(known, judged), **learned}
    if isinstance(judged, Selects):
        learned = {name: model.fit(known)(judged) for name, model in MODELS_OF_FEW.items()}
        return {**published_of_selects(judged), **learned}
    assert isinstance(judged, Sides)
    shares = {name: model.fit(known)(judged) for name, model in MODELS_OF_FEW.items()}
    return {
        "perfect static": judged.truth,
        "LLVM": judged.llvm,
        **{name: made_one(judged, found) for name, found in shares.items()},
    }


def published(data: TwoWay) -> dict[str, Floats]:
    perfect = np.where(data.truth > 0.5, 1.0, 0.0)
    return {"perfect static": perfect, "LLVM": data.llvm, "Wu-Larus": odds.wu_larus(data), "GCC": odds.gcc(data)}


def published_of_selects(data: Selects) -> dict[str, Floats]:
    """LLVM's comparisons are what its rules would say of a branch with the same condition."""
    perfect = np.where(data.truth > 0.5, 1.0, 0.0)
    return {"perfect static": perfect, "LLVM": data.llvm, "LLVM's comparisons": data.column("answer") / 1024}


def calibrated(known: TwoWay, judged: TwoWay) -> Floats:
    programs = cells.of_rows(vars(branch) for branch in known.branches)
    numbers = fit.fit(programs, fit.compared(programs))
    return np.array([numbers.answer(cells.cell_of(vars(branch))) for branch in judged.branches])


def made_one(data: Sides, answers: Floats) -> Floats:
    """Sides that LLVM knows keep its answer; the others part the rest."""

    def sums(values: Floats) -> Floats:
        return np.repeat(np.add.reduceat(values, data.starts), data.sizes)

    rest = 1 - sums(np.where(data.known, data.llvm, 0.0))
    shares = sums(np.where(data.known, 0.0, answers))
    return np.where(data.known, data.llvm, rest * answers / np.where(shares > 0, shares, 1.0))
