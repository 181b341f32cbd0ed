"""Evaluates all predictors on a common set of branches."""

from collections.abc import Mapping

import numpy as np
from bpa_dev.messages import announce

from .data import Floats, Made, Rows, SwitchEdges, TwoWay, joined
from .models import BEST, Trees, Weighing

MODELS = {
    "additive": Trees(leaves=2, rounds=600),
    "trees with 12 leaves": Trees(leaves=12, rounds=150, rate=0.1),
    "trees with 32 leaves": Trees(leaves=32, rounds=300),
}
#: The models of switches. These models are smaller because the tables have few switches.
MODELS_OF_FEW = {
    "additive": Trees(leaves=2, rounds=300, weighing=Weighing.LOGARITHM),
    "trees with 8 leaves": Trees(leaves=8, rounds=150, weighing=Weighing.LOGARITHM),
    "trees with 16 leaves": Trees(leaves=16, rounds=150, weighing=Weighing.LOGARITHM),
}

#: The predictions for all rows, by the name of the predictor.
Predictions = Mapping[str, Floats]


def predictions_of(known: Rows, evaluated: Rows) -> Predictions:
    """Predicts the rows of `evaluated`. The models are trained on the rows of `known`. If `evaluated` is `known`,
    each row is predicted with a model that was trained without the family of the row."""
    if evaluated is not known:
        return of_others(known, evaluated)
    families = known.families
    made = dict[str, Floats]()
    for family in dict.fromkeys(families):
        announce(f"without {family}")
        own = families == family
        for name, found in of_others(known.chosen(~own), known.chosen(own)).items():
            made.setdefault(name, np.empty(len(families)))[own] = found
    return made


def at_places(known: Mapping[str, Made], evaluated: Mapping[str, Made]) -> Mapping[str, Predictions]:
    """Predicts the branches of `evaluated` at each place with three models: a model trained at `early`, a model trained
    at the same place, and a model trained at all places. If `evaluated` is `known`, no model is trained on the family
    of the branch."""
    sets = {**known, "all places": joined(known)}
    made = {place: untrained(data) for place, data in evaluated.items()}
    # No family has an empty name, so all rows are used for training if `evaluated` is not `known`.
    for family in dict.fromkeys(sets["all places"].families) if evaluated is known else [""]:
        announce(f"without {family or 'the held-out programs'}")
        rest = {name: data.chosen(data.families != family) for name, data in sets.items()}
        models = {name: BEST[type(data)].fit(data) for name, data in rest.items()}
        for place, data in evaluated.items():
            own = (data.families == family) | (family == "")
            rows = data.chosen(own)
            found = {f"trained at {name}": scaled(rows, models[name](rows)) for name in ("early", place, "all places")}
            for name, predictions in found.items():
                made[place].setdefault(name, np.empty(len(own)))[own] = predictions
    return made


def of_others(known: Rows, evaluated: Rows) -> Predictions:
    """Predicts the rows of `evaluated` with models trained on the rows of `known`, and with predictors that need no
    training."""
    made = untrained(evaluated)
    models = MODELS if isinstance(known, TwoWay) else MODELS_OF_FEW
    return made | {name: scaled(evaluated, model.fit(known)(evaluated)) for name, model in models.items()}


def untrained(data: Rows) -> dict[str, Floats]:
    """Predicts without training."""
    made = {"perfect static": np.where(data.truth > 0.5, 1.0, 0.0), "LLVM": data.llvm}
    if isinstance(data, SwitchEdges):
        made["perfect static"] = data.truth
    return made


def scaled(data: Rows, predictions: Floats) -> Floats:
    """Scales the predictions of a switch so that their sum is 1. If `data.known` is true for an edge, the edge keeps
    LLVM's prediction."""
    if not isinstance(data, SwitchEdges):
        return predictions
    starts, sizes = data.starts, data.sizes

    def sums(values: Floats) -> Floats:
        return np.repeat(np.add.reduceat(values, starts), sizes)

    rest = 1 - sums(np.where(data.known, data.llvm, 0.0))
    shares = sums(np.where(data.known, 0.0, predictions))
    return np.where(data.known, data.llvm, rest * predictions / np.where(shares > 0, shares, 1.0))
