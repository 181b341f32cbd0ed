"""Compares predictors on the programs of lab/data/; each family is left out of the training in turn.

Fixed beforehand: each program has one vote, misses and divergence (KL bits) are those of docs/src/guide/profiles.md. Of
the learned models, the simplest within a hundredth of the fewest KL bits is the one in use. The held-out programs are
read with --aside alone, which trains on all others: that is to be looked at once.
"""

import argparse
import pathlib

from bpa_dev import environment
from bpa_dev.paths import ROOT

TRAINING = ROOT / "lab" / "data"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--training", type=pathlib.Path, default=TRAINING, metavar="DIR", help="default: lab/data/")
    parser.add_argument("--aside", action="store_true", help="evaluates on the held-out programs")
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--switches", action="store_true", help="of switches, not of two-way branches")
    kinds.add_argument("--selects", action="store_true", help="of selects")


def run(arguments: argparse.Namespace) -> int:
    environment.add_library("lightgbm")
    from ..training import comparison, data, measures, tables

    folder = arguments.training
    known = data.read(folder)
    judged = data.read(folder, aside=True) if arguments.aside else known
    if arguments.switches:
        found = comparison.answers_of(known.switches, judged.switches)
        tables.print_tables(judged.switches, found, measures.of_switches)
        return 0
    if arguments.selects:
        answers = comparison.answers_of(known.selects, judged.selects)
        tables.print_tables(judged.selects, answers, measures.of_program)
        print("\ncalibration")
        tables.print_calibration(judged.selects, answers)
        return 0
    answers = comparison.answers_of(known.two_way, judged.two_way)
    tables.print_tables(judged.two_way, answers, measures.of_program)
    print("\ncalibration")
    tables.print_calibration(judged.two_way, answers)
    print("\nthe second run")
    tables.print_second_input(judged.two_way, answers)
    return 0
