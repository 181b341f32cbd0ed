"""Runs the steps of scripts/test. The last line has the numbers of passed and failed steps, and of skipped tests."""

import argparse
import itertools
import os
from collections.abc import Iterable, Iterator

from .. import llvm
from ..paths import TARGET
from ..steps import Run, Step
from ..suite import (
    BUILD_WITHOUT_LLVM,
    WITH_LLVM,
    Comparisons,
    all_comparisons,
    all_source_checks,
    cargo,
    like_others,
    main_comparisons,
    source_checks,
)
from ..tools import add_llvm_option, find_tools


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_llvm_option(parser)
    parser.add_argument(
        "--full", action="store_true", help="run every comparison at full size, with the optimised plugin"
    )
    only = "run the build, and steps with TEXT in their name; may be repeated"
    parser.add_argument("--only", action="append", metavar="TEXT", help=only)


def run(arguments: argparse.Namespace) -> int:
    chosen = llvm.choose(arguments.llvm)
    version = str(chosen.version)
    if not arguments.full:
        os.environ.setdefault("PROPTEST_CASES", "64")
    full = " --full" if arguments.full else ""
    steps = Run(TARGET / "test-logs" / f"llvm-{version}", f"scripts/test --llvm {version}{full} --only")

    def build() -> bool:
        # A build during the tests would wait for cargo's lock.
        chosen.cargo("build", "--quiet", *WITH_LLVM, "--lib", "--examples")
        return cargo(*BUILD_WITHOUT_LLVM)()

    def chosen_of(all_steps: Iterable[Step]) -> Iterator[Step]:
        return (step for step in all_steps if any(text in step.what for text in arguments.only or [""]))

    if steps.one(Step(f"building the plugin for {chosen} and the tests", build)):
        # Only a full run tests the optimised plugin, because its build takes minutes.
        tools = find_tools(version, None if arguments.full else chosen.debug_plugin)
        sources = all_source_checks(tools) if arguments.full else source_checks(tools)
        lanes = [chosen_of(sources), chosen_of(comparisons(Comparisons(tools), full=arguments.full))]
        # Some steps of the full run use common files, so these steps run one after another.
        steps.run_lanes(*([itertools.chain(*lanes)] if arguments.full else lanes))
    return steps.report()


def comparisons(on: Comparisons, *, full: bool) -> Iterator[Step]:
    yield on.lit()
    yield from all_comparisons(on) if full else main_comparisons(on)
    if full:
        yield from like_others(on)
