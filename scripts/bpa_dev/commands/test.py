"""Runs the steps of scripts/test, which installs first what they take; the last line says how many passed.

How much random input is compared comes from the environment: BPA_STRESS llvm-stress modules (default 400),
BPA_GENERATED functions of our generator (8000), BPA_IRREDUCIBLE of it with irreducible control flow above all (2000),
BPA_EXPECT of it with expectations (5000), BPA_FOLDING of it that test constants in loops (5000).
"""

import argparse
import os

from .. import llvm
from ..messages import error
from ..steps import Run, Step
from ..suite import Comparisons, all_comparisons, like_others, quick_comparisons, source_checks
from ..tools import Tools, add_llvm_option, find_tools


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_llvm_option(parser)
    parser.add_argument(
        "--quick",
        action="store_true",
        help="the heart of it: lit, and a small set of programs and functions to compare on",
    )


def run(arguments: argparse.Namespace) -> int:
    chosen = llvm.choose(arguments.llvm)
    steps = Run()
    found: list[Tools] = []

    def build() -> bool:
        found.append(find_tools(str(chosen.version)))
        return True

    steps.one(Step(f"building the plugin for {chosen}", build))
    steps.all_of(source_checks(chosen))
    if found:
        on = Comparisons(found[0])
        steps.one(on.lit())
        steps.all_of(quick_comparisons(on) if arguments.quick else all_comparisons(on, os.environ))
        steps.all_of(like_others(on))
    else:
        error("without a plugin the FileCheck tests and the comparisons cannot run")
    return steps.report()
