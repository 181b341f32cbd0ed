"""Writes the tables in lab/data/ from the programs of the corpus that `lab/run profiled` has built and run.

  lab/data/branches.tsv.xz   a line for each branch that ran, with LLVM's prediction and the profile
  lab/data/features.tsv.xz   the features of these branches for a predictor
  lab/data/held-out.tsv.xz, lab/data/held-out-features.tsv.xz
                             the same tables for the held-out programs; no model and no number may depend on them
  lab/data/programs.tsv      counts of branches and times of builds and runs, by program

With --place PLACE, writes the tables for the IR at this place of the pipeline. For each place except `early`, the
tables are in the folder lab/data/PLACE/.
"""

import argparse
import os
import pathlib
from collections.abc import Iterable

from bpa_dev import shell
from bpa_dev.messages import announce
from bpa_dev.paths import ROOT
from bpa_dev.tools import add_options, find_tools

from ..profiled import manifest, table
from ..profiled.build import Builder, Files
from ..profiled.manifest import Program
from ..profiled.places import PLACES
from ..profiled.table import Count

TRAINING = ROOT / "lab" / "data"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_options(parser)
    parser.add_argument("--programs", nargs="*", default=[], metavar="PROGRAM|FAMILY", help="use only these programs")
    parser.add_argument(
        "--place",
        choices=PLACES,
        default="early",
        help="place of the pipeline from which the IR comes (default: early)",
    )
    parser.add_argument("--out", type=pathlib.Path, metavar="DIR", help="folder (default: the folder of --place)")


def run(arguments: argparse.Namespace) -> int:
    out = arguments.out or (TRAINING if arguments.place == "early" else TRAINING / arguments.place)
    tools = find_tools(arguments.llvm or shell.output_of("default_llvm"), arguments.plugin)
    builder = Builder(tools.llvm, 1)
    programs = manifest.chosen(manifest.load(), arguments.programs)
    # Only the first copy of a function counts. Held-out programs are last. Therefore the tables of held-out programs
    # omit each function that another program also contains.
    ordered = sorted(programs, key=lambda program: program.held_out)
    corpus = {program: builder.files(program.name, arguments.place) for program in ordered}
    for program in [program for program, files in corpus.items() if not has_run(program, files)]:
        announce(f"skipping {program.name}: run `lab/run profiled {program.name}` first")
        del corpus[program]
    made = table.collect(tools, list(corpus.items()), os.cpu_count() or 1)
    held_out = {program.name for program in corpus if program.held_out}
    others = {program.name for program in corpus} - held_out
    for name, prefix, wanted in (("branches", "", others), ("held-out", "held-out-", held_out)):
        if not wanted:
            continue
        rows = [branch for branch in made.branches if branch.program in wanted]
        table.write(rows, out / f"{name}.tsv.xz")
        table.write_features(made.features, wanted, out / f"{prefix}features.tsv.xz")
    kept = [(program, files) for program, files in corpus.items() if not program.held_out]
    (out / "programs.tsv").write_text("".join(programs_table(kept, made.counts)))
    return 0


def has_run(program: Program, files: Files) -> bool:
    return all(files.stamp(f"truth-{number}").exists() for number, _ in enumerate(program.runs))


def programs_table(corpus: Iterable[tuple[Program, Files]], counts: dict[str, Count]) -> Iterable[str]:
    names = "program family language source runs functions copies branches executions build_seconds run_seconds"
    yield "\t".join(names.split()) + "\n"
    for program, files in corpus:
        count, seconds = counts[program.name], files.seconds()
        ran = sum(time for step, time in seconds.items() if step.startswith("run-"))
        words = [program.name, program.family, program.language, program.archive, len(program.runs)]
        words += [count.functions, count.copies, count.branches, count.executions]
        words += [round(seconds.get("build", 0)), round(ran)]
        yield "\t".join(map(str, words)) + "\n"
