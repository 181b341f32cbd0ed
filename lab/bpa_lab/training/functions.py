"""The table of functions, and the trees that estimate the calls and the time of functions.

`lab/run function-table` writes the table. The features depend on the branch probabilities, so the branch model
for the features of a program must not have been trained on this program's family.
"""

import dataclasses
import json
import lzma
import pathlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..profiled.packed import BETWEEN, joined, pack

if TYPE_CHECKING:  # The module is imported also where lightgbm is not installed.
    import lightgbm

FILE = "functions.tsv.xz"
#: The columns before the features.
COLUMNS = ("program", "family", "calls", "instructions")
#: The label of a function is at most this number times the mean label of its program. A few functions with many calls
#: would otherwise decide the training.
MOST = 256.0
#: The number of trees for calls, and the number of trees for time.
ROUNDS = 200


@dataclasses.dataclass(frozen=True)
class Functions:
    """The functions of the corpus that have a profile."""

    names: tuple[str, ...]
    features: npt.NDArray[np.int32]
    programs: npt.NDArray[np.str_]
    families: npt.NDArray[np.str_]
    #: The profiled calls of each function, and the instructions that it executed without its callees.
    calls: npt.NDArray[np.float64]
    instructions: npt.NDArray[np.float64]

    def without(self, family: str) -> "Functions":
        kept = self.families != family
        parts = (self.features, self.programs, self.families, self.calls, self.instructions)
        return Functions(self.names, *(part[kept] for part in parts))

    def boosters(self) -> dict[str, "lightgbm.Booster"]:
        """Trains the parts of a model that describe functions."""
        return {"calls": self._booster(self.calls), "time": self._booster(self.instructions)}

    def _booster(self, counts: npt.NDArray[np.float64]) -> "lightgbm.Booster":
        import lightgbm

        label, weight = np.empty(len(counts)), np.empty(len(counts))
        for program in np.unique(self.programs):
            own = self.programs == program
            label[own] = np.minimum(counts[own] / max(counts[own].mean(), 1.0), MOST)
            weight[own] = 1 / own.sum()
        data = lightgbm.Dataset(
            self.features,
            label=label,
            weight=weight * len(weight) / weight.sum(),
            feature_name=list(self.names),
            params={"verbose": -1},
        )
        return lightgbm.train(OPTIONS, data, num_boost_round=ROUNDS)


#: The options of all models.
COMMON = {
    "lambda_l2": 10.0,
    "min_data_in_leaf": 100,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "seed": 1,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
    "use_missing": False,
    "verbose": -1,
}
OPTIONS = {
    **COMMON,
    # The labels have a mean of 1 and a long tail. For such data, the variance grows with a power of the mean.
    "objective": "tweedie",
    "tweedie_variance_power": 1.5,
    "num_leaves": 12,
    "learning_rate": 0.025,
    "feature_fraction": 0.4,
}


def write(printed: Iterable[tuple[str, str, str]], file: pathlib.Path) -> None:
    """Writes a table. `printed` has the name, the family, and the output of `rust-entry-counts<features>` of each
    program."""
    rows = [(program, family, json.loads(line)) for program, family, text in printed for line in text.splitlines()]
    lines: list[tuple[str, ...]] = [(*COLUMNS, joined(rows[0][-1]["features"]))]
    for program, family, row in rows:
        if "calls" in row:
            lines.append((program, family, row["calls"], row["instructions"], joined(row["features"].values())))
    pack("".join("\t".join(line) + "\n" for line in lines), file)


def read(file: pathlib.Path) -> Functions:
    with lzma.open(file, "rt", encoding="utf-8") as stream:
        names = next(stream).rstrip("\n").split("\t")[-1].split(BETWEEN)
        rows = [line.rstrip("\n").split("\t") for line in stream]
    programs, families, calls, instructions, features = zip(*rows, strict=True)
    return Functions(
        tuple(names),
        np.array([words.split(BETWEEN) for words in features], dtype=np.int32),
        np.array(programs),
        np.array(families),
        np.array(calls, dtype=np.float64),
        np.array(instructions, dtype=np.float64),
    )
