"""Holds predictors against each other on the programs of training/, each family left out of what is learned in turn.

Fixed beforehand: two-way branches, each program has one vote, misses and divergence (KL bits) as docs/score.md has
them. The programs that are put aside are not read, but with --aside, which fits to all others: that is to be looked at
once.
"""

import argparse
import pathlib

from .. import environment
from ..paths import ROOT

TRAINING = ROOT / "training"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--training", type=pathlib.Path, default=TRAINING, metavar="DIR", help="default: training/")
    parser.add_argument("--aside", action="store_true", help="judges by the programs that are put aside")


def run(arguments: argparse.Namespace) -> int:
    environment.add_library("lightgbm")
    from ..training import comparison

    folder = arguments.training
    known = comparison.read(folder / "branches.tsv.xz", folder / "features.tsv.xz")
    if arguments.aside:
        judged = comparison.read(folder / "aside.tsv.xz", folder / "aside-features.tsv.xz")
        comparison.print_table(judged, comparison.answers_of_others(known, judged))
    else:
        comparison.print_table(known, comparison.answers_left_out(known))
    return 0
