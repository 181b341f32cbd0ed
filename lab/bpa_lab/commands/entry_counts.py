"""Compares estimated entry counts with profiles, on the programs of the corpus, each linked into one module.

`lab/run profiled` has to have built and run them. Held-out programs are left out, unless they are named;
and those that are several programs, since their modules cannot be linked.
"""

import argparse
import contextlib
import pathlib
import subprocess
import tempfile
from collections import defaultdict
from statistics import fmean

from bpa_dev.messages import Failure, announce
from bpa_dev.table import Table
from bpa_dev.tools import Tools, add_options, find_tools

from .. import synthetic
from ..profiled import manifest
from ..profiled.build import Place

PERCENTS = (5, 10, 25)
KINDS = ("functions by calls", "functions by time", "blocks", "call sites")
#: By kind and who guesses, for each number in a hundred.
Scores = dict[tuple[str, str], list[float | None]]
TABLE = Table((20, 20, 8, 8, 8), " | ")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("programs", nargs="*", metavar="PROGRAM|FAMILY", help="default: all that are not held out")
    parser.add_argument(
        "--predictor",
        action="append",
        default=[],
        metavar="NAME|FILE",
        help="beside LLVM's rules; {family} in it is the family of the program",
    )
    parser.add_argument("--corpus", type=pathlib.Path, metavar="DIR", help="where the programs are")
    parser.add_argument(
        "--synthetic", action="store_true", help="LLVM's own pass as well, which versions before 20 have"
    )
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin)
    folder = arguments.corpus or tools.llvm.corpus / "profiled"
    programs = manifest.chosen(manifest.load(), arguments.programs)
    wanted = [program for program in programs if arguments.programs or not program.aside]
    predictors = ["llvm", *arguments.predictor]
    by_program: list[Scores] = []
    for program in wanted:
        name = program.name
        with tempfile.TemporaryDirectory() as temporary:
            module = pathlib.Path(temporary) / f"{name}.bc"
            if not link(Place(folder / name).truth(0), module, tools):
                announce(f"{name} is left out: it has not run, or is not one program")
                continue
            by_program.append(score(module, program.family, tools, predictors, arguments.synthetic))
            print_scores(name, by_program[-1])
    if by_program:
        print_scores(f"mean of {len(by_program)}", mean(by_program))
    return 0


def link(folder: pathlib.Path, module: pathlib.Path, tools: Tools) -> bool:
    """Links the modules of a program, with the profile of its first run."""
    files = sorted(map(str, folder.rglob("*.bc")))
    command = [str(tools.llvm.tool("llvm-link")), *files, "-o", str(module)]
    return bool(files) and subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0


def score(module: pathlib.Path, family: str, tools: Tools, predictors: list[str], with_synthetic: bool) -> Scores:
    scores: Scores = {}
    for predictor in predictors:
        whose = predictor.replace("{family}", family)
        passes = f"rust-entry-counts<score;predictor={whose};output=->"
        command = [*tools.opt_command(passes, "-disable-output"), str(module)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if done.returncode:
            raise Failure(f"no score of {module.name}")
        for (kind, guess), row in read(done.stdout).items():
            # With every function alike, it is LLVM's rules that say how often blocks run.
            scores.setdefault((kind, f"predictor={predictor}" if guess == "estimate" else guess), row)
    if with_synthetic:
        scores[KINDS[0], "LLVM's pass"] = synthetic.score(module, tools, PERCENTS)
    return scores


def read(text: str) -> Scores:
    """The rows of what `rust-entry-counts<score>` prints."""
    scores: Scores = {}
    for line in text.splitlines():
        for kind in KINDS:
            if line.startswith(kind):
                *guess, first, second, third = line.removeprefix(kind).split()
                shares = (first, second, third)
                scores[kind, " ".join(guess)] = [
                    None if part == "-" else float(part.rstrip("%")) / 100 for part in shares
                ]
    return scores


def mean(scores: list[Scores]) -> Scores:
    """One program, one vote."""
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
