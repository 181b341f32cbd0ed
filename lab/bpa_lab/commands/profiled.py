"""Makes the corpus: builds each program, runs its workloads with counters, and stores the IR with the profiles.

If several places are given, the workloads run once for each place. Each profile belongs to the IR at one place of
LLVM's pipeline.

The command does not build unchanged programs again. Each program has a log beside its results.
docs/src/reports/corpus.md lists the programs and describes how to add one.
"""

import argparse
import concurrent.futures
import functools
import os
from collections.abc import Sequence

from bpa_dev import llvm, shell
from bpa_dev.messages import Failure, announce, error
from bpa_dev.tools import add_llvm_option

from ..profiled import manifest
from ..profiled.build import Builder
from ..profiled.manifest import Program
from ..profiled.places import PLACES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="PROGRAM|FAMILY", help="names or patterns (default: all)")
    add_llvm_option(parser)
    parser.add_argument("--list", action="store_true", help="only list the programs")
    parser.add_argument("--place", nargs="+", choices=PLACES, default=["early"], help="default: early")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="J", help="programs built in parallel")


def run(arguments: argparse.Namespace) -> int:
    programs = manifest.chosen(manifest.load(), arguments.names)
    if arguments.list:
        for program in programs:
            print(f"{program.family:<14}{program.name:<18}{program.language:<5}{program.archive}")
        return 0
    builder = Builder(
        llvm.choose(arguments.llvm or shell.output_of("default_llvm")), 1 if arguments.jobs > 1 else os.cpu_count() or 1
    )
    failed = 0
    make = functools.partial(succeeds, builder, arguments.place)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for number, fine in enumerate(pool.map(make, programs), 1):
            failed += not fine
            announce(f"{number} of {len(programs)} programs done{f', {failed} failed' if failed else ''}")
    return 1 if failed else 0


def succeeds(builder: Builder, places: Sequence[str], program: Program) -> bool:
    """Builds and runs a program. If the build or a run fails, prints the error and returns false."""
    try:
        for place in places:
            builder.make(program, place)
    except Failure as failure:
        error(str(failure))
        return False
    return True
