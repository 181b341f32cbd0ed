"""Compares estimated entry counts with profiles. Each program of the corpus is linked into one module.

Run `lab/run profiled` first. Held-out programs are skipped if the command line does not list them. If an entry of the
corpus has several programs, the entry is skipped because its modules cannot be linked.

`{family}` in the name of a predictor is replaced by the family of the program. With --table, also writes the features
of all functions with --predictor, from which `lab/train` learns to estimate calls.
"""

import argparse
import contextlib
import pathlib
import subprocess
import tempfile
from collections import defaultdict
from statistics import fmean

from bpa_dev import environment
from bpa_dev.messages import Failure, announce
from bpa_dev.table import Table
from bpa_dev.tools import Tools, add_options, find_tools

from ..profiled import manifest
from ..profiled.build import Files
from ..profiled.places import PLACES

PERCENTS = (5, 10, 25)
KINDS = ("functions by calls", "functions by time", "blocks", "call sites")
#: The scores by kind and predictor. Each list has one score for each percentage in PERCENTS.
Scores = dict[tuple[str, str], list[float | None]]
TABLE = Table((20, 20, 8, 8, 8), " | ")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "programs", nargs="*", metavar="PROGRAM|FAMILY", help="default: all programs that are not held out"
    )
    parser.add_argument(
        "--predictor", action="append", default=[], metavar="NAME|FILE", help="also compare this predictor"
    )
    parser.add_argument(
        "--place", choices=PLACES, default="early", help="place of the pipeline where the IR was written"
    )
    parser.add_argument("--table", type=pathlib.Path, metavar="FILE", help="write a table of functions")
    parser.add_argument("--corpus", type=pathlib.Path, metavar="DIR", help="folder of the corpus")
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin)
    folder = arguments.corpus or tools.llvm.corpus / "profiled"
    programs = manifest.chosen(manifest.load(), arguments.programs)
    wanted = [program for program in programs if arguments.programs or not program.held_out]
    predictors = ["llvm", *arguments.predictor]
    if arguments.table and len(arguments.predictor) != 1:
        raise Failure("--table needs one --predictor")
    by_program: list[Scores] = []
    features: list[tuple[str, str, str]] = []
    for program in wanted:
        name, truth = program.name, Files(folder / program.name, arguments.place).truth(0)
        with tempfile.TemporaryDirectory() as temporary:
            module = pathlib.Path(temporary) / f"{name}.bc"
            if not link(truth, module, tools):
                announce(f"skipping {name}: it has not run, or its modules cannot be linked")
                continue
            by_program.append(score(module, program.family, tools, predictors))
            print_scores(name, by_program[-1])
            if arguments.table:
                text = printed("features", module, program.family, tools, predictors[-1])
                features.append((name, program.family, text))
    if features:
        environment.add_library("lightgbm")
        from ..training import functions

        functions.write(features, arguments.table)
    if by_program:
        print_scores(f"mean of {len(by_program)}", mean(by_program))
    return 0


def link(folder: pathlib.Path, module: pathlib.Path, tools: Tools) -> bool:
    """Links the modules of a program, with the profile of its first run."""
    files = sorted(map(str, folder.rglob("*.bc")))
    command = [str(tools.llvm.tool("llvm-link")), *files, "-o", str(module)]
    return bool(files) and subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0


def score(module: pathlib.Path, family: str, tools: Tools, predictors: list[str]) -> Scores:
    scores: Scores = {}
    for predictor in predictors:
        text = printed("score", module, family, tools, predictor)
        for (kind, guess), row in read(text).items():
            # Only the row "estimate" depends on the predictor.
            scores.setdefault((kind, f"predictor={predictor}" if guess == "estimate" else guess), row)
    return scores


def printed(mode: str, module: pathlib.Path, family: str, tools: Tools, predictor: str) -> str:
    """Returns the output of `rust-entry-counts` in this mode."""
    name = predictor.replace("{family}", family)
    passes = f"rust-entry-counts<{mode};predictor={name};output=->"
    done = subprocess.run(
        [*tools.opt_command(passes, "-disable-output"), str(module)], stdout=subprocess.PIPE, text=True
    )
    if done.returncode:
        raise Failure(f"rust-entry-counts failed on {module.name}")
    return done.stdout


def read(text: str) -> Scores:
    """Reads the output of `rust-entry-counts<score>`."""
    scores: Scores = {}
    for line in text.splitlines():
        for kind in KINDS:
            if line.startswith(kind):
                *guess, first, second, third = line.removeprefix(kind).split()
                shares = [None if part == "-" else float(part.rstrip("%")) / 100 for part in (first, second, third)]
                scores[kind, " ".join(guess)] = shares
    return scores


def mean(scores: list[Scores]) -> Scores:
    """Returns the unweighted mean over programs."""
    columns: dict[tuple[str, str], list[list[float]]] = defaultdict(lambda: [[] for _ in PERCENTS])
    for one in scores:
        for key, shares in one.items():
            for column, share in zip(columns[key], shares, strict=True):
                if share is not None:
                    column.append(share)
    return {key: [fmean(column) if column else None for column in kept] for key, kept in columns.items()}


def print_scores(title: str, scores: Scores) -> None:
    TABLE.print_row(title, "", *(f"{percent}%" for percent in PERCENTS))
    for kind in KINDS:
        for (own, guess), shares in scores.items():
            if own == kind:
                TABLE.print_row(kind, guess, *("-" if share is None else f"{share:.1%}" for share in shares))
    with contextlib.suppress(BrokenPipeError):
        print(flush=True)
