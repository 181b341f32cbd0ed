"""Evaluates all predictors on a common set of branches."""

from collections.abc import Mapping

import numpy as np
from bpa_dev.messages import announce

from ..calibration import cells, fit
from . import odds
from .data import Floats, Rows, Selects, SwitchEdges, TwoWay, joined
from .models import BEST, Trees, Weighing

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
#: The models of switches and selects. These models are smaller because the tables have few switches and selects.
MODELS_OF_FEW = {
    "additive": Trees(leaves=2, rounds=300, weighing=Weighing.LOGARITHM),
    "trees of 4": Trees(leaves=4, rounds=150, weighing=Weighing.LOGARITHM),
    "trees of 8": Trees(leaves=8, rounds=150, weighing=Weighing.LOGARITHM),
    "trees of 8, by executions": Trees(leaves=8, rounds=150, weighing=Weighing.EXECUTIONS),
    "trees of 16": Trees(leaves=16, rounds=150, weighing=Weighing.LOGARITHM),
}

#: The predictions for all rows, by the name of the predictor.
Predictions = Mapping[str, Floats]


def predictions_of(known: Rows, evaluated: Rows) -> Predictions:
    """Predicts the rows of `evaluated`. The models are trained on the rows of `known`. If `evaluated` is `known`,
    each row is predicted with a model that was trained without the family of the row."""
    return left_out(known) if evaluated is known else of_others(known, evaluated)


def at_places(tables: Mapping[str, TwoWay]) -> Mapping[str, Predictions]:
    """Predicts the branches at each pipeline place with three models. One model is trained at `early`, one model at the
    same place, and one model at all places. No model is trained on the family of the branch."""
    sets = {**tables, "all places": joined(tables)}
    made: dict[str, dict[str, Floats]] = {place: published(data) for place, data in tables.items()}
    for family in dict.fromkeys(sets["all places"].families):
        announce(f"without {family}")
        known = {name: data.chosen(data.families != family) for name, data in sets.items()}
        models = {name: BEST.fit(data) for name, data in known.items()}
        for place, data in tables.items():
            own = data.families == family
            evaluated = data.chosen(own)
            found = {"calibrated": calibrated(known["early"], evaluated)}
            found |= {f"trained at {name}": models[name](evaluated) for name in ("early", place, "all places")}
            for name, predictions in found.items():
                made[place].setdefault(name, np.empty(len(own)))[own] = predictions
    return made


def left_out(data: Rows) -> Predictions:
    """Predicts each family with models trained on all other families."""
    families = data.families
    made = dict[str, Floats]()
    for family in dict.fromkeys(families):
        announce(f"without {family}")
        own = families == family
        for name, found in of_others(data.chosen(~own), data.chosen(own)).items():
            made.setdefault(name, np.empty(len(families)))[own] = found
    return made


def of_others(known: Rows, evaluated: Rows) -> Predictions:
    """Predicts the rows of `evaluated` with models trained on the rows of `known`, and with predictors that need no
    training."""
    if isinstance(known, TwoWay) and isinstance(evaluated, TwoWay):
        learned = {name: model.fit(known)(evaluated) for name, model in MODELS.items()}
        return {**published(evaluated), "calibrated": calibrated(known, evaluated), **learned}
    if isinstance(evaluated, Selects):
        learned = {name: model.fit(known)(evaluated) for name, model in MODELS_OF_FEW.items()}
        return {**published_of_selects(evaluated), **learned}
    assert isinstance(evaluated, SwitchEdges)
    shares = {name: model.fit(known)(evaluated) for name, model in MODELS_OF_FEW.items()}
    return {
        "perfect static": evaluated.truth,
        "LLVM": evaluated.llvm,
        **{name: made_one(evaluated, found) for name, found in shares.items()},
    }


def published(data: TwoWay) -> dict[str, Floats]:
    perfect = np.where(data.truth > 0.5, 1.0, 0.0)
    return {"perfect static": perfect, "LLVM": data.llvm, "Wu-Larus": odds.wu_larus(data), "GCC": odds.gcc(data)}


def published_of_selects(data: Selects) -> dict[str, Floats]:
    """Predicts selects. "LLVM's comparisons" are LLVM's predictions for branches with the conditions of the selects."""
    perfect = np.where(data.truth > 0.5, 1.0, 0.0)
    return {"perfect static": perfect, "LLVM": data.llvm, "LLVM's comparisons": data.column("answer") / 1024}


def calibrated(known: TwoWay, evaluated: TwoWay) -> Floats:
    programs = cells.of_rows(vars(branch) for branch in known.branches)
    numbers = fit.fit(programs, fit.compared(programs))
    return np.array([numbers.predict(cells.cell_of(vars(branch))) for branch in evaluated.branches])


def made_one(data: SwitchEdges, predictions: Floats) -> Floats:
    """Scales the predictions of a switch so that their sum is 1. If `data.known` is true for an edge, the edge keeps
    LLVM's prediction."""

    def sums(values: Floats) -> Floats:
        return np.repeat(np.add.reduceat(values, data.starts), data.sizes)

    rest = 1 - sums(np.where(data.known, data.llvm, 0.0))
    shares = sums(np.where(data.known, 0.0, predictions))
    return np.where(data.known, data.llvm, rest * predictions / np.where(shares > 0, shares, 1.0))
