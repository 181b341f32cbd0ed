"""Runs the steps of scripts/test. The last line has the numbers of passed and failed steps."""

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

#: Settings without --full: the plugin is optimised less, and property tests try fewer cases. With less
#: optimisation, the link is faster and the tests are slower, but the total time is shorter.
QUICK = {"CARGO_PROFILE_RELEASE_LTO": "off", "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16", "PROPTEST_CASES": "64"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_llvm_option(parser)
    parser.add_argument("--full", action="store_true", help="run every comparison at full size (CI uses this option)")
    only = "run the build, and steps with TEXT in their name; may be repeated"
    parser.add_argument("--only", action="append", metavar="TEXT", help=only)


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
        # FileCheck and browser tests need these files. A build during the tests would wait for cargo's lock.
        chosen.build(debug=True)
        chosen.cargo("build", "--quiet", "--workspace", "--bins", "--examples")
        return True

    def chosen_of(all_steps: Iterable[Step]) -> Iterator[Step]:
        return (step for step in all_steps if any(text in step.what for text in arguments.only or [""]))

    steps.one(Step(f"building the plugin for {chosen}", build))
    sources = all_source_checks(chosen) if arguments.full else source_checks(chosen)
    if found:
        on = Comparisons(found[0])
        lanes = [chosen_of(sources), chosen_of(comparisons(on, full=arguments.full))]
        # Some steps of the full run use common files, so these steps run one after another.
        steps.run_lanes(*([itertools.chain(*lanes)] if arguments.full else lanes))
    else:
        error("the plugin was not built: skipping the FileCheck tests and the comparisons")
        steps.run_lanes(chosen_of(sources))
    return steps.report()


def comparisons(on: Comparisons, *, full: bool) -> Iterator[Step]:
    yield on.lit()
    yield from all_comparisons(on) if full else main_comparisons(on)
    if full:
        yield from like_others(on)
