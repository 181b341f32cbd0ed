"""What branch weights are worth in a compiler: programs built in several ways, counted and timed on the same work.

  plain    clang -O2
  llvm     LLVM's own answers written as branch weights, at one place of the pipeline
  bpa      the same with the answers of a predictor
  counts   the same, and entry counts estimated from them for the code generator, when all else has been optimised
           (also cold, attributes: less of them; early-counts, ...: for all passes; counts-alone, ...: no weights)
  weights  the branch weights of a profile of that very work, at the same place, and nothing else of the profile
  pgo      clang -O2 with a profile of that very work

Everything is made of the same IR, as the front end hands it over, so that a program is configured and read once.
Instructions, taken branches and instruction-cache misses are counted by valgrind in the code of the programs, which is
the same on every machine; times are the processor's. What every variant prints and writes has to be the same.
"""

import argparse
import dataclasses
import os
import pathlib
import sys
from collections.abc import Sequence

from bpa_dev.messages import Failure, announce, error
from bpa_dev.tools import add_options, find_tools

from . import table, timing, workloads
from .subject import Subject
from .variants import NAMES, Choice, Variant
from .ways import Ways

#: A placeholder for a program's family, in the name of a model that was trained without it.
FAMILY = "{family}"


def main(words: Sequence[str]) -> int:
    arguments = parser().parse_args(words)
    try:
        return run(arguments)
    except Failure as failure:
        error(f"lab/effect: {failure}")
        return 1


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="lab/effect", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "programs", nargs="*", metavar="PROGRAM", help="default: all with a workload that are not held out"
    )
    add_options(parser)
    parser.add_argument("--list", action="store_true", help="lists the programs and ends")
    parser.add_argument(
        "--predictor",
        default="bpa",
        metavar="NAME|FILE",
        help="a name or a file, in which {family} is the family of each program (default: bpa)",
    )
    parser.add_argument(
        "--at",
        default="pipeline-early-simplification",
        metavar="POINT",
        help="where to write weights (default: %(default)s)",
    )
    parser.add_argument(
        "--variants", default=",".join(NAMES), metavar="NAME,...", help="those to build (default: %(default)s)"
    )
    parser.add_argument(
        "--also",
        action="append",
        default=[],
        metavar="NAME=PIPELINE",
        help="one more variant: what BPA_PIPELINE is while it is compiled",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="builds and runs the variants, compares what they print, and counts nothing",
    )
    parser.add_argument("--thin", action="store_true", help="with ThinLTO, in all variants")
    parser.add_argument("--rounds", type=int, default=0, metavar="N", help="times each link is run (default: none)")
    parser.add_argument("--orders", type=int, default=3, metavar="K", help="link orders that are timed (default: 3)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="J", help="compilers at the same time")
    return parser


def run(arguments: argparse.Namespace) -> int:
    chosen = workloads.chosen(arguments.programs)
    if arguments.list:
        for program, _ in workloads.chosen(arguments.programs or list(workloads.load())):
            print(f"{program.name:<18}{'put aside' if program.aside else ''}".rstrip())
        return 0
    tools = find_tools(arguments.llvm or "16", arguments.plugin)
    names, more = tuple(arguments.variants.split(",")), tuple(pair(text) for text in arguments.also)
    ways = Ways(tools.llvm, arguments.thin)
    results: dict[str, dict[str, table.Result]] = {}
    times: dict[str, dict[str, list[float]]] = {}
    for program, commands in chosen:
        subject = Subject(tools.llvm, program, commands, arguments.jobs)
        predictor = absolute(arguments.predictor.replace(FAMILY, program.family))
        variants = Choice(names, tools.plugin, arguments.at, predictor, more).variants(subject, ways)
        if arguments.check:
            check(subject, variants)
            continue
        results[program.name] = counted(subject, variants)
        if arguments.rounds:
            # A second time under another name: what differs between the two is chance.
            twice = [*variants, dataclasses.replace(variants[0], name=table.AGAIN)]
            times[program.name] = timing.measure(subject, twice, arguments.rounds, arguments.orders)
    if arguments.check:
        return 0
    for measure in table.MEASURES:
        print(table.of_counts(results, measure), end="\n\n")
    print(table.of_savings(results))
    if times:
        print(f"\n{table.of_times(times)}")
    return 0


def check(subject: Subject, variants: Sequence[Variant]) -> None:
    for variant in variants:
        subject.seconds(variant.way, 0)
    announce(f"{subject.name}: {len(variants)} variants say the same")


def counted(subject: Subject, variants: Sequence[Variant]) -> dict[str, table.Result]:
    results = {}
    for variant in variants:
        announce(f"{subject.name}: {variant.name}")
        results[variant.name] = table.Result(subject.counts(variant.way), subject.size(variant.way))
    return results


def absolute(predictor: str) -> str:
    """A file's path, for compilers that run elsewhere; a name as it is."""
    file = pathlib.Path(predictor)
    return str(file.absolute()) if file.is_file() else predictor


def pair(text: str) -> tuple[str, str]:
    name, equals, pipeline = text.partition("=")
    if not (name and equals and pipeline):
        raise Failure(f"--also {text}: expected NAME=PIPELINE")
    return name, pipeline


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
