"""Compares predictors on the programs of lab/data/, with cross-validation by family.

All programs have equal weight. docs/src/guide/profiles.md defines misses and divergence (KL bits). The chosen model is
the simplest model whose KL bits are at most 1% above the minimum. With --held-out, models are trained on all other
programs and evaluated on the held-out programs. Use --held-out only once, after all decisions about the
models. The decisions must not depend on the results for the held-out programs.
"""

import argparse
import pathlib

from bpa_dev import environment
from bpa_dev.paths import ROOT

from ..profiled.places import PLACES

TRAINING = ROOT / "lab" / "data"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--training", type=pathlib.Path, default=TRAINING, metavar="DIR", help="default: lab/data/")
    parser.add_argument("--held-out", action="store_true", help="evaluate on the held-out programs")
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--switches", action="store_true", help="compare on switches instead of two-way branches")
    kinds.add_argument("--places", nargs="+", choices=PLACES, help="compare models of these places")
    kinds.add_argument("--selects", action="store_true", help="compare on selects instead of two-way branches")


def run(arguments: argparse.Namespace) -> int:
    environment.add_library("lightgbm")
    from ..training import comparison, data, measures, tables

    folder = arguments.training
    if arguments.places:
        at_places = {place: data.read(data.folder_of(folder, place)).two_way for place in arguments.places}
        for place, predictions in comparison.at_places(at_places).items():
            print(f"\nplace: {place}")
            tables.print_tables(at_places[place], predictions, measures.of_program)
        return 0
    known = data.read(folder)
    evaluated = data.read(folder, held_out=True) if arguments.held_out else known
    if arguments.switches:
        found = comparison.predictions_of(known.switches, evaluated.switches)
        tables.print_tables(evaluated.switches, found, measures.of_switches)
        return 0
    if arguments.selects:
        predictions = comparison.predictions_of(known.selects, evaluated.selects)
        tables.print_tables(evaluated.selects, predictions, measures.of_program)
        print("\ncalibration")
        tables.print_calibration(evaluated.selects, predictions)
        return 0
    predictions = comparison.predictions_of(known.two_way, evaluated.two_way)
    tables.print_tables(evaluated.two_way, predictions, measures.of_program)
    print("\ncalibration")
    tables.print_calibration(evaluated.two_way, predictions)
    print("\nthe second run")
    tables.print_second_input(evaluated.two_way, predictions)
    return 0
