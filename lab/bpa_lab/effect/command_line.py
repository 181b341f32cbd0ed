"""Measures the effect of branch weights: builds variants of each program, and counts a common workload.

  plain    clang -O2
  llvm     writes LLVM's own predictions as branch weights, at one point of the pipeline (--at)
  bpa      writes the predictions of a predictor as branch weights, at the same point
  counts   bpa, and estimated entry counts for the code generator, at the end of the pipeline
           (cold, attributes: only a part of the counts; early-counts, ...: at the point that --at names;
           counts-alone, ...: without branch weights)
  weights  the branch weights of a profile of the same workload, at the same point, without the rest of the profile
  pgo      clang -O2 with a profile of the same workload
  both-pgo pgo, and a second profile of the same workload, which counts the branches of the optimised IR, and which only
           the code generator uses. late-pgo compiles the same IR without the second profile

With the prefix `late-`, a variant writes weights at the point `optimizer-last`, so only the code generator uses them.

All variants come from the same IR of the front end, so a program is configured and parsed only once. Valgrind counts
instructions, taken branches and instruction-cache misses in the code of the programs. These counts do not depend on the
machine. All variants must have equal output.
"""

import argparse
import os
import pathlib
import sys
from collections.abc import Sequence

from bpa_dev.messages import Failure, announce, error
from bpa_dev.tools import add_options, find_tools

from . import table, workloads
from .recipes import Recipes
from .subject import Subject
from .variants import NAMES, Choice, Variant

#: In `--predictor`, the family of the measured program replaces this text.
FAMILY = "{family}"
#: In `--also`, the value of `--predictor` replaces this text.
PREDICTOR = "{predictor}"


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
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="default: all workloads that are not held out")
    add_options(parser)
    parser.add_argument("--list", action="store_true", help="only list the programs")
    parser.add_argument(
        "--predictor", default="bpa", metavar="NAME|FILE", help="{family} is the family of the program (default: bpa)"
    )
    parser.add_argument(
        "--at",
        default="pipeline-early-simplification",
        metavar="POINT",
        help="point of the pipeline (default: %(default)s)",
    )
    parser.add_argument("--variants", default=",".join(NAMES), metavar="NAME,...", help="default: %(default)s")
    parser.add_argument(
        "--also",
        action="append",
        default=[],
        metavar="NAME=PIPELINE",
        help="add the variant NAME, with BPA_PIPELINE=PIPELINE. {predictor} is the value of --predictor",
    )
    parser.add_argument("--check", action="store_true", help="only build, run and compare the output of the variants")
    parser.add_argument("--thin", action="store_true", help="use ThinLTO in all variants")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="J", help="parallel compilers")
    return parser


def run(arguments: argparse.Namespace) -> int:
    chosen = workloads.chosen(arguments.programs)
    if arguments.list:
        for program, _ in workloads.chosen(arguments.programs or list(workloads.load())):
            print(f"{program.name:<18}{'held out' if program.held_out else ''}".rstrip())
        return 0
    tools = find_tools(arguments.llvm or "16", arguments.plugin)
    names, more = tuple(arguments.variants.split(",")), tuple(pair(text) for text in arguments.also)
    recipes = Recipes(tools.llvm, arguments.thin)
    results: dict[str, dict[str, table.Result]] = {}
    for program, commands in chosen:
        subject = Subject(tools.llvm, program, commands, arguments.jobs)
        predictor = absolute(arguments.predictor.replace(FAMILY, program.family))
        also = tuple((name, pipeline.replace(PREDICTOR, predictor)) for name, pipeline in more)
        variants = Choice(names, tools.plugin, arguments.at, predictor, also).variants(subject, recipes)
        if arguments.check:
            check(subject, variants)
            continue
        results[program.name] = counted(subject, variants)
    if arguments.check:
        return 0
    for measure in table.MEASURES:
        print(table.of_counts(results, measure), end="\n\n")
    print(table.of_savings(results))
    return 0


def check(subject: Subject, variants: Sequence[Variant]) -> None:
    for variant in variants:
        subject.check(variant.recipe)
    announce(f"{subject.name}: {len(variants)} variants have the same output")


def counted(subject: Subject, variants: Sequence[Variant]) -> dict[str, table.Result]:
    results = {}
    for variant in variants:
        announce(f"{subject.name}: {variant.name}")
        results[variant.name] = table.Result(subject.counts(variant.recipe), subject.size(variant.recipe))
    return results


def absolute(predictor: str) -> str:
    """Returns the absolute path of a predictor file, because compilers run in other folders. If `predictor` is the name
    of a predictor, returns the name."""
    file = pathlib.Path(predictor)
    return str(file.absolute()) if file.is_file() else predictor


def pair(text: str) -> tuple[str, str]:
    name, equals, pipeline = text.partition("=")
    if not (name and equals and pipeline):
        raise Failure(f"--also {text}: expected NAME=PIPELINE")
    return name, pipeline


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
