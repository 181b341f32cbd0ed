"""Writes the tables in lab/data/ from the programs of the corpus that `lab/run profiled` has built and run.

  lab/data/branches.tsv.xz   a line for each branch that ran, with LLVM's prediction and the profile
  lab/data/features.tsv.xz   the features of these branches for a predictor
  lab/data/selects.tsv.xz    a line for each `select` that ran, with its features and the profile
  lab/data/held-out.tsv.xz, lab/data/held-out-features.tsv.xz, lab/data/held-out-selects.tsv.xz
                             the same tables for the held-out programs; no model and no number may depend on them
  lab/data/programs.tsv      counts of branches and times of builds and runs, by program

With --place PLACE, writes the tables for the IR at this place of the pipeline. For each place except `early`, the
tables are in the folder lab/data/PLACE/.

With --figures, reads branches.tsv.xz and prints the quality of LLVM's predictions by program and by rule, as Markdown.
"""

import argparse
import os
import pathlib
from collections.abc import Callable, Iterable
from statistics import fmean

from bpa_dev import shell
from bpa_dev.messages import announce
from bpa_dev.paths import ROOT
from bpa_dev.tools import add_options, find_tools

from ..profiled import figures, manifest, selects, table
from ..profiled.build import Builder, Files
from ..profiled.figures import Tally
from ..profiled.manifest import Program
from ..profiled.places import PLACES
from ..profiled.table import Branch, Count

TRAINING = ROOT / "lab" / "data"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_options(parser)
    parser.add_argument("--figures", action="store_true", help="only print figures of the existing table")
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
    if arguments.figures:
        print_figures(table.read(out / "branches.tsv.xz"))
        return 0
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
        selects.write(made.selects, wanted, out / f"{prefix}selects.tsv.xz")
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


def print_figures(branches: list[Branch]) -> None:
    two_way = [branch for branch in branches if branch.kind == "two-way"]
    by_program = figures.sums(two_way, lambda branch: branch.program)
    print_rows("program", by_program)
    means = [one.mean for one in by_program.values()]
    hits, perfect, bits = (fmean(getattr(mean, part) for mean in means) for part in ("hits", "perfect", "bits"))
    print(f"| mean of programs | | | {1 - hits:.1%} | {1 - perfect:.1%} | {bits:.3f} |")
    whole = figures.sums(two_way, lambda _: "all executions")
    print_row("all executions", whole["all executions"])
    print_rules("rule", two_way, by_program, lambda branch: branch.rule)
    print_rules("decided by", two_way, by_program, figures.decided_by)
    print_rows("kind", figures.sums(branches, lambda branch: branch.kind))


def print_rows(what: str, sums: dict[str, Tally]) -> None:
    heading = f"| {what} | branches | executions | misses | perfect static | KL bits |"
    print(f"\n{heading}\n|" + " --- |" * 6)
    for name, one in sums.items():
        print_row(name, one)


def print_row(name: str, one: Tally) -> None:
    mean = one.mean
    shares = f"{1 - mean.hits:.1%} | {1 - mean.perfect:.1%} | {mean.bits:.3f}"
    print(f"| {name} | {one.branches:,} | {one.executions:,} | {shares} |")


def print_rules(what: str, branches: list[Branch], by_program: dict[str, Tally], key: Callable[[Branch], str]) -> None:
    """Prints how often the predictions of each rule are correct, over all executions and as the mean over programs."""
    heading = "branches | programs | share | predicted | hits | KL bits"
    heading += " | mean share | mean predicted | mean hits | mean KL bits"
    print(f"\n| {what} | {heading} |\n|" + " --- |" * 11)
    pooled = figures.sums(branches, key)
    decided: dict[str, list[Branch]] = {}
    for branch in branches:
        decided.setdefault(key(branch), []).append(branch)
    everything = sum(one.executions for one in by_program.values())
    for name, one in sorted(pooled.items(), key=lambda found: -found[1].executions):
        of_programs = figures.sums(decided[name], lambda branch: branch.program)
        share = sum(found.executions / by_program[program].executions for program, found in of_programs.items())
        words = [f"{one.branches:,}", str(len(of_programs)), f"{one.executions / everything:.1%}", *predicted(one)]
        words.append(f"{share / len(by_program):.1%}")
        words += [
            f"{fmean(found.mean.predicted for found in of_programs.values()):.1%}",
            f"{fmean(found.mean.hits for found in of_programs.values()):.1%}",
            f"{fmean(found.mean.bits for found in of_programs.values()):.3f}",
        ]
        print(f"| {name} | {' | '.join(words)} |")


def predicted(one: Tally) -> list[str]:
    return [f"{one.mean.predicted:.1%}", f"{one.mean.hits:.1%}", f"{one.mean.bits:.3f}"]
