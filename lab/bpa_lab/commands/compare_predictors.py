"""Compares predictors on the programs of lab/data/, with cross-validation by family.

All programs have equal weight. docs/src/guide/profiles.md defines misses and divergence (KL bits). The chosen model is
the simplest model whose KL bits are at most 1% above the minimum. With --held-out, models are trained on all other
programs and evaluated on the held-out programs. Use --held-out only once, after all decisions about the
models. The decisions must not depend on the results for the held-out programs.
"""

import argparse
import pathlib
from typing import Any

from bpa_dev import environment
from bpa_dev.paths import ROOT

from ..profiled.places import PLACES

TRAINING = ROOT / "lab" / "data"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--training", type=pathlib.Path, default=TRAINING, metavar="DIR", help="default: lab/data/")
    parser.add_argument("--held-out", action="store_true", help="evaluate on the held-out programs")
    parser.add_argument(
        "--places", nargs="+", choices=PLACES, help="compare models on IR from these places of the pipeline"
    )
    parser.add_argument(
        "--switches", action="store_true", help="compare predictions of switches, not of two-way branches"
    )


def run(arguments: argparse.Namespace) -> int:
    environment.add_library("lightgbm")
    from ..training import comparison, data, measures, tables

    kind = "switches" if arguments.switches else "two_way"
    measure = measures.of_switches if arguments.switches else measures.of_program

    def read(*, held_out: bool) -> dict[str, Any]:
        folders = {place: data.folder_of(arguments.training, place) for place in arguments.places or ("early",)}
        return {place: getattr(data.read(own, held_out=held_out), kind) for place, own in folders.items()}

    known = read(held_out=False)
    evaluated = read(held_out=True) if arguments.held_out else known
    if arguments.places:
        found = comparison.at_places(known, evaluated)
    else:
        found = {"early": comparison.predictions_of(known["early"], evaluated["early"])}
    for place, predictions in found.items():
        print(f"\nplace: {place}")
        rows = evaluated[place]
        tables.print_tables(rows, predictions, measure)
        if kind == "two_way":
            print("\nthe second run")
            tables.print_second_input(rows, predictions)
    return 0
