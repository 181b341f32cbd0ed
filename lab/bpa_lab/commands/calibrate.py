"""Fits the numbers of LLVM's rules to lab/data/branches.tsv.xz, for crates/profile/predictors/calibrated.toml.

The fit also gives numbers to comparisons for which LLVM's rules predict 50%. The numbers in the file are fitted to all
programs. For the printed table, each program is evaluated with numbers that are fitted to the programs of all other
families. Only two-way branches count, and all programs have equal weight. docs/src/guide/profiles.md defines misses and
divergence (KL bits).
"""

import argparse
import pathlib
from collections.abc import Sequence
from statistics import fmean

from bpa_dev.messages import Failure, announce
from bpa_dev.paths import ROOT

from ..calibration import cells, fit
from ..calibration.cells import Program
from ..calibration.numbers import PREDICTORS, Numbers, as_text, bits, llvm, misses

TABLE = ROOT / "lab" / "data" / "branches.tsv.xz"
TARGET = PREDICTORS / "calibrated.toml"
HEADING = """LLVM's rules in LLVM's order, with numbers fitted to the programs of lab/data/branches.tsv.xz.
`lab/run calibrate --write` writes this file. docs/src/guide/predictors.md describes its accuracy."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--table",
        type=pathlib.Path,
        default=TABLE,
        metavar="FILE",
        help="table of branches for the fit (default: lab/data/branches.tsv.xz)",
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
        return 0
    if arguments.write:
        TARGET.write_text(text)
        announce(f"wrote {TARGET}")
    print_figures(programs)
    return 0


def print_figures(programs: Sequence[Program]) -> None:
    left_out = without_family(programs, None)
    more = without_family(programs, fit.compared(programs))
    heading = "program | family | least misses | LLVM: misses | LLVM's comparisons | all | LLVM: KL bits"
    print(f"| {heading} | LLVM's comparisons | all |")
    print("|" + " --- |" * 9)
    columns = []
    for program in programs:
        least = sum(found.least for found in program.cells.values())
        predictors = (llvm(), left_out[program.family], more[program.family])
        figures = [least, *(misses(one, program) for one in predictors), *(bits(one, program) for one in predictors)]
        columns.append(figures)
        print(row(program.name, program.family, figures))
    print(row("mean of programs", "", [fmean(column) for column in zip(*columns, strict=True)]))
    median = [sorted(column)[len(column) // 2] for column in zip(*columns, strict=True)]
    print(row("median", "", median))
    mean = [fmean(column) for column in zip(*columns, strict=True)]
    better = [sum(figures[place] < figures[of_llvm] for figures in columns) for place, of_llvm in ((3, 1), (6, 4))]
    print(
        f"\nKL bits relative to LLVM: {mean[5] / mean[4]:.3f} with LLVM's comparisons, {mean[6] / mean[4]:.3f} with all"
    )
    print(f"of {len(programs)} programs, all comparisons improve {better[0]} in misses and {better[1]} in KL bits")


def without_family(programs: Sequence[Program], names: list[str] | None) -> dict[str, Numbers]:
    """Returns numbers for each family, fitted to all other families."""
    fitted = {}
    for family in cells.families(programs):
        others = [program for program in programs if program.family != family]
        if not others:
            raise Failure("all programs are of one family: fitting needs programs of another family")
        fitted[family] = fit.fit(others, names)
    return fitted


def row(name: str, family: str, figures: Sequence[float]) -> str:
    words = [f"{figure:.1%}" for figure in figures[:4]] + [f"{figure:.3f}" for figure in figures[4:]]
    return f"| {' | '.join([name, family, *words])} |"
