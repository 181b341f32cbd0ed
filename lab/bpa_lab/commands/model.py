"""Trains crates/model/predictors/bpa.model, the model of `predictor=bpa`, on the tables in lab/data/.

`lab/train -o crates/model/predictors/bpa.model` writes the same file.
"""

import argparse

from bpa_dev import environment
from bpa_dev.messages import Failure, announce
from bpa_dev.paths import ROOT

TARGET = ROOT / "crates" / "model" / "predictors" / "bpa.model"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail if the file differs from the trained model"
    )


def run(arguments: argparse.Namespace) -> int:
    environment.add_library("lightgbm")
    from ..training import data, models

    text = models.as_text(data.read_places(ROOT / "lab" / "data"))
    if not arguments.check:
        TARGET.write_text(text)
        announce(f"wrote {TARGET}")
    elif TARGET.read_text() != text:
        raise Failure(f"{TARGET} differs from the model trained on the tables: run `lab/run model`")
    return 0
