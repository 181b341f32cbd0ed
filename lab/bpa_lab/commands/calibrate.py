"""Computes the numbers of the rule file crates/profile/predictors/calibrated.toml from lab/data/branches.tsv.xz.

The fit also computes numbers for comparisons for which LLVM predicts 50%. The numbers in the file are fitted to all
programs. Only two-way branches count, and all programs have equal weight. Without --write and --check, prints the
numbers. In `lab/run compare-predictors`, the numbers for each family of programs are fitted to the other families.
"""

import argparse
import pathlib

from bpa_dev.messages import Failure, announce
from bpa_dev.paths import ROOT

from ..calibration import cells, fit
from ..calibration.numbers import PREDICTORS, as_text

TABLE = ROOT / "lab" / "data" / "branches.tsv.xz"
TARGET = PREDICTORS / "calibrated.toml"
HEADING = """LLVM's rules in LLVM's order, with numbers fitted to the programs of lab/data/branches.tsv.xz.
`lab/run calibrate --write` writes this file. docs/src/guide/predictors.md describes its accuracy."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--table", type=pathlib.Path, default=TABLE, metavar="FILE", help="default: lab/data/branches.tsv.xz"
    )
    parser.add_argument("--write", action="store_true", help="write crates/profile/predictors/calibrated.toml")
    parser.add_argument("--check", action="store_true", help="fail if calibrated.toml differs from the fitted numbers")


def run(arguments: argparse.Namespace) -> int:
    if not arguments.table.exists():
        raise Failure(f"{arguments.table} does not exist")
    programs = cells.read(arguments.table)
    text = as_text(fit.fit(programs, fit.compared(programs)), HEADING)
    if arguments.check:
        if TARGET.read_text() != text:
            raise Failure(
                f"{TARGET} differs from the numbers fitted to {arguments.table}: run `lab/run calibrate --write`"
            )
    elif arguments.write:
        TARGET.write_text(text)
        announce(f"wrote {TARGET}")
    else:
        print(text, end="")
    return 0
