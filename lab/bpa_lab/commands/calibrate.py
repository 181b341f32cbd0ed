"""Fits the numbers of LLVM's rules to lab/data/branches.tsv.xz: makes crates/profile/predictors/calibrated.toml.

Comparisons that LLVM's rules recognise but leave undecided get numbers as well. The printed table uses, for each
program, numbers fitted without the programs of its family; the file has numbers fitted to all programs. Fixed
beforehand: two-way branches alone count, each program has one vote, misses and divergence (KL bits) are those of
docs/src/guide/profiles.md.
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
HEADING = """LLVM's rules, in LLVM's order, with numbers that are fitted to the programs of lab/data/branches.tsv.xz.
`lab/run calibrate --write` makes this file; docs/src/guide/predictors.md says how good it is."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--table", type=pathlib.Path, default=TABLE, metavar="FILE", help="default: lab/data/branches.tsv.xz"
    )
    parser.add_argument("--write", action="store_true", help="writes crates/profile/predictors/calibrated.toml")
    parser.add_argument("--check", action="store_true", help="fails if that file is not what comes of the table")


def run(arguments: argparse.Namespace) -> int:
    if not arguments.table.exists():
        raise Failure(f"{arguments.table} is not there")
    programs = cells.read(arguments.table)
    text = as_text(fit.fit(programs, fit.compared(programs)), HEADING)
    if arguments.check:
        if TARGET.read_text() != text:
            raise Failure(f"{TARGET} is not what comes of {arguments.table}: `lab/run calibrate --write` makes it")
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
    print(f"\nKL bits of LLVM's: {mean[5] / mean[4]:.3f} with LLVM's comparisons, {mean[6] / mean[4]:.3f} with all")
    print(f"with all it is better on {better[0]} of {len(programs)} programs in misses, on {better[1]} in KL bits")


def without_family(programs: Sequence[Program], names: list[str] | None) -> dict[str, Numbers]:
    """Numbers for each family, fitted to all others."""
    fitted = {}
    for family in cells.families(programs):
        others = [program for program in programs if program.family != family]
        if not others:
            raise Failure("the programs are all of one family: nothing is left to fit numbers to")
        fitted[family] = fit.fit(others, names)
    return fitted


def row(name: str, family: str, figures: Sequence[float]) -> str:
    words = [f"{figure:.1%}" for figure in figures[:4]] + [f"{figure:.3f}" for figure in figures[4:]]
    return f"| {' | '.join([name, family, *words])} |"
