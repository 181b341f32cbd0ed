"""Runs the steps of scripts/test, which installs first what they take; the last line says how many passed."""

import argparse
import itertools
import os
from collections.abc import Iterable, Iterator

from .. import llvm
from ..messages import error
from ..paths import TARGET
from ..steps import Run, Step
from ..suite import Comparisons, all_comparisons, all_source_checks, like_others, main_comparisons, source_checks
from ..tools import Tools, add_llvm_option, find_tools

#: Without --full, the plugin is optimised less, because linking takes longer than that saves, and property
#: tests try fewer cases.
QUICK = {"CARGO_PROFILE_RELEASE_LTO": "off", "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16", "PROPTEST_CASES": "64"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_llvm_option(parser)
    parser.add_argument("--full", action="store_true", help="every comparison, at full size; what CI runs")
    parser.add_argument("--only", default="", metavar="TEXT", help="the build, and steps whose name contains TEXT")


def run(arguments: argparse.Namespace) -> int:
    chosen = llvm.choose(arguments.llvm)
    version = str(chosen.version)
    if not arguments.full:
        for name, value in QUICK.items():
            os.environ.setdefault(name, value)
    full = " --full" if arguments.full else ""
    steps = Run(TARGET / "test-logs" / f"llvm-{version}", f"scripts/test --llvm {version}{full} --only")
    found: list[Tools] = []

    def build() -> bool:
        found.append(find_tools(version))
        # The FileCheck tests take these; built here, they do not wait for the other lane.
        chosen.build(debug=True)
        chosen.cargo("build", "--quiet", "--examples")
        return True

    def chosen_of(all_steps: Iterable[Step]) -> Iterator[Step]:
        return (step for step in all_steps if arguments.only in step.what)

    steps.one(Step(f"building the plugin for {chosen}", build))
    sources = all_source_checks(chosen) if arguments.full else source_checks(chosen)
    if found:
        on = Comparisons(found[0])
        lanes = [chosen_of(sources), chosen_of(comparisons(on, full=arguments.full))]
        # Some of the steps of the full run use the same files.
        steps.side_by_side(*([itertools.chain(*lanes)] if arguments.full else lanes))
    else:
        error("without a plugin the FileCheck tests and the comparisons cannot run")
        steps.side_by_side(chosen_of(sources))
    return steps.report()


def comparisons(on: Comparisons, *, full: bool) -> Iterator[Step]:
    yield on.lit()
    yield from all_comparisons(on) if full else main_comparisons(on)
    if full:
        yield from like_others(on)
