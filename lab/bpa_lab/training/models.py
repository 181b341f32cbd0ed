"""Boosted trees, fitted to profiled probabilities by cross-entropy."""

import collections
import dataclasses
import enum
from collections.abc import Callable
from typing import Any

import lightgbm
import numpy as np

from . import export
from .data import INVERTED, Floats, Rows, SwitchEdges, Tables, TwoWay, program_of
from .functions import COMMON

Predictor = Callable[[Rows], Floats]


class Weighing(enum.Enum):
    """The weight of a row within its program."""

    LOGARITHM = enum.auto()
    EXECUTIONS = enum.auto()
    #: Each weight is the mean of the weights that LOGARITHM and EXECUTIONS give.
    BOTH = enum.auto()


@dataclasses.dataclass(frozen=True)
class Trees:
    """Parameters of boosted trees. A model in which each tree has two leaves is additive."""

    leaves: int
    rounds: int
    rate: float = 0.05
    weighing: Weighing = Weighing.BOTH

    def fit(self, data: Rows) -> Predictor:
        """Trains a model. For rows in `known`, the predictor returns LLVM's prediction."""
        made = self.booster(data)

        def predict(rows: Rows) -> Floats:
            return np.where(rows.known, rows.llvm, np.asarray(made.predict(rows.features), dtype=np.float64))

        return predict

    def booster(self, data: Rows) -> lightgbm.Booster:
        """Trains trees on the rows for which LLVM does not use estimated weights."""
        return lightgbm.train(self.options(), self.rows(data), num_boost_round=self.rounds)

    def rows(self, data: Rows) -> lightgbm.Dataset:
        # The other rows also count in the weights: a program in which LLVM decides most executions has less weight.
        wanted = ~data.known
        chosen, weight = data.chosen(wanted), weights(data, self.weighing)[wanted]
        # The rows are in the order of the canonical test. The original order of the successors is not a feature.
        return lightgbm.Dataset(
            np.where(np.array(data.names) == INVERTED, 0, chosen.features),
            label=chosen.truth,
            weight=weight * len(weight) / weight.sum(),
            feature_name=[name.replace(".", "_") for name in data.names],
            params={"verbose": -1, "max_bin": 255, "min_data_in_bin": 20},
        )

    def options(self) -> dict[str, Any]:
        return {
            "objective": "cross_entropy",
            "num_leaves": self.leaves,
            "learning_rate": self.rate,
            "feature_fraction": 0.5,
            **COMMON,
        }


def weights(data: Rows, weighing: Weighing) -> Floats:
    """Returns a weight for each row. All programs have the same sum of weights. In each program, the rows of each
    place of the pipeline have the same sum of weights. The sum of all weights is 1."""
    if weighing is Weighing.BOTH:
        return (weights(data, Weighing.LOGARITHM) + weights(data, Weighing.EXECUTIONS)) / 2
    is_logarithm = weighing is Weighing.LOGARITHM
    ran = np.log2(1 + np.minimum(data.executions, 2.0**20)) if is_logarithm else data.executions
    programs = data.programs
    made = np.empty(len(ran))
    names = np.unique(programs)
    places = collections.Counter(program_of(name) for name in names)
    for name in names:
        own = programs == name
        made[own] = ran[own] / ran[own].sum() / places[program_of(name)]
    return made / made.sum()


#: The parameters of `lab/train`. These are the simplest models of `lab/run compare-predictors` whose KL bits are at
#: most 1% above the minimum. Models that take more instructions than LLVM's analyses are excluded.
BEST: dict[type[Rows], Trees] = {
    TwoWay: Trees(leaves=12, rounds=150, rate=0.1),
    SwitchEdges: Trees(leaves=16, rounds=150, weighing=Weighing.LOGARITHM),
}
#: The minimum number of rows for training. If the table of switches has fewer rows than this minimum, the model
#: has no part for switches.
FEWEST = 1000


def as_text(known: Tables) -> str:
    """Trains a model on `known`, and formats it for the plugin."""
    kinds: dict[str, Rows] = {"two-way": known.two_way, "switch": known.switches}
    used = {name: rows for name, rows in kinds.items() if name == "two-way" or len(rows.truth) >= FEWEST}
    parts = {name: (BEST[type(rows)].booster(rows), rows.names) for name, rows in used.items()}
    if known.functions:
        parts |= {name: (booster, known.functions.names) for name, booster in known.functions.boosters().items()}
    return export.as_text(parts)
