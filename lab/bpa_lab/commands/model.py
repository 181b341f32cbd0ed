"""Learns crates/model/predictors/bpa.model, which `predictor=bpa` answers by, from the tables in lab/data/.

`lab/train -o crates/model/predictors/bpa.model` does the same; --check compares instead.
"""

import argparse

from bpa_dev import environment
from bpa_dev.messages import Failure, announce
from bpa_dev.paths import ROOT

TARGET = ROOT / "crates" / "model" / "predictors" / "bpa.model"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--check", action="store_true", help="fails if that file is not what comes of the tables")


def run(arguments: argparse.Namespace) -> int:
    environment.add_library("lightgbm")
    from ..training import data, models

    text = models.as_text(data.read(ROOT / "lab" / "data"))
    if not arguments.check:
        TARGET.write_text(text)
        announce(f"wrote {TARGET}")
    elif TARGET.read_text() != text:
        raise Failure(f"{TARGET} is not what is learned from the tables: `lab/run model` makes it")
    return 0
