"""Models that are fitted: to the share of executions, by cross-entropy."""

import dataclasses
from collections.abc import Callable
from typing import Any

import lightgbm
import numpy as np

from .data import Data, Floats

SEED = 1

Answer = Callable[[Data], Floats]


@dataclasses.dataclass(frozen=True)
class Trees:
    """Boosted trees; of two leaves each, an additive model."""

    leaves: int
    rounds: int
    rate: float = 0.05
    #: Whether a row weighs as much as it ran, or as the logarithm of that.
    by_executions: bool = False

    def fit(self, data: Data) -> Answer:
        """What it answers; where LLVM knows, LLVM's answer."""
        made = self.booster(data)

        def answer(asked: Data) -> Floats:
            return np.where(asked.known, asked.llvm, np.asarray(made.predict(asked.features), dtype=np.float64))

        return answer

    def booster(self, data: Data) -> lightgbm.Booster:
        """Fitted where LLVM only guesses."""
        return lightgbm.train(self.options(), self.rows(data.chosen(~data.known)), num_boost_round=self.rounds)

    def rows(self, data: Data) -> lightgbm.Dataset:
        return lightgbm.Dataset(
            data.features,
            label=data.truth,
            weight=weights(data, self.by_executions),
            feature_name=[name.replace(".", "_") for name in data.names],
            params={"verbose": -1, "max_bin": 255, "min_data_in_bin": 20},
        )

    def options(self) -> dict[str, Any]:
        return {
            "objective": "cross_entropy",
            "num_leaves": self.leaves,
            "learning_rate": self.rate,
            "min_data_in_leaf": 100,
            "lambda_l2": 10.0,
            "feature_fraction": 0.5,
            "bagging_fraction": 0.7,
            "bagging_freq": 1,
            "seed": SEED,
            "deterministic": True,
            "force_row_wise": True,
            "num_threads": 1,
            "use_missing": False,
            "verbose": -1,
        }


def weights(data: Data, by_executions: bool) -> Floats:
    """Each program has one vote; within it, a row weighs by how often it ran. The mean is 1."""
    ran = data.executions if by_executions else np.log2(1 + np.minimum(data.executions, 2.0**20))
    programs = data.programs
    made = np.empty(len(ran))
    for program in np.unique(programs):
        own = programs == program
        made[own] = ran[own] / ran[own].sum()
    return made * len(made) / made.sum()


#: What `scripts/train` fits: of those that `scripts/dev compare-predictors` tries, the one that misses least.
BEST = Trees(leaves=16, rounds=300)
#: Fewer branches teach nothing.
FEWEST = 1000
