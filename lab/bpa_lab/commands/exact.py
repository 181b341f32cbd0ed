"""Judges block frequencies by rational arithmetic: exact ones, LLVM's, and LLVM's with our header weights.

    lab/run exact --functions 10000 --seed 1 --beside 22
    lab/run exact my.bc more/
    lab/run exact --rewired 1 my.bc
    lab/run exact --reducible my.bc more/
    lab/run exact --residuals my.bc more/

Functions are those of the generator's profile `flow`, or of the files named, if they have an irreducible loop and 5 to
300 blocks. Each counts by its worst block. Beside our exact frequencies stand those that each LLVM prints, which have
five digits: as they are, with `-use-iterative-bfi-inference` (on functions with a profile, where alone it does
anything), and after `rust-bfi<annotate>`. Header weights that the files come with are LLVM's to use.

With `--reducible` the other functions count, where LLVM's scheme loses no more than digits: as it prints them to all of
their digits, and as integers of an older and a newer LLVM.

With `--residuals` every function counts, whatever its size, and what is told is by how much its exact frequencies miss
the equations of flow, relative to each block's own.

Exits with 0 only if all exact frequencies are right to 2^-40, and annotating has made no function worse.
"""

import argparse
import concurrent.futures
import pathlib
import random
import subprocess
import tempfile
from collections.abc import Sequence
from decimal import Decimal

from bpa_dev import llvm as llvms
from bpa_dev.fuzzing.rewiring import rewire
from bpa_dev.irgen.module import write_modules
from bpa_dev.measure.table import Table
from bpa_dev.messages import Failure, say
from bpa_dev.tools import Tools, add_compare_options, find_files, find_tools

from ..exactness import SIZES, Answer, Function, Judge, Judged, Shares, annotate, functions_of, with_own_probabilities

EXACT = "rust-bfi<exact>"
TABLE = Table((34, 9, 9, 9, 9, 9, 10, 10), " | ")
HEADLINE = ("whose", "functions", "2^-40", "0.1%", "1%", "10%", "median", "worst")
#: The generator draws some functions without an irreducible loop, or too large.
SPARE = 1.35
PER_MODULE = 50


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("inputs", nargs="*", metavar="FILE|DIR", help=".ll or .bc files (default: the generator's)")
    parser.add_argument("--functions", type=int, default=1000, metavar="N", help="how many to generate (default: 1000)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="where the randomness starts (default: 1)")
    parser.add_argument("--beside", action="append", default=[], metavar="N", help="judge LLVM N as well")
    parser.add_argument(
        "--opt",
        action="append",
        default=[],
        metavar="TITLE=COMMAND",
        help="judge what this `opt` prints as well, which reads from stdin, as in '24=chroot DIR opt-24'",
    )
    parser.add_argument("--rewired", type=int, metavar="S", help="the files with random changes of their branches")
    parser.add_argument("--reducible", action="store_true", help="judge LLVM's scheme on functions without such loops")
    parser.add_argument("--residuals", action="store_true", help="hold all functions against their equations")
    add_compare_options(parser)


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin, arguments.opt_flag)
    judge = Judge()
    with tempfile.TemporaryDirectory() as folder:
        files = list(find_files(arguments.inputs)) or generated(arguments, pathlib.Path(folder))
        if arguments.rewired is not None:
            files = [rewired(path, arguments.rewired, tools, pathlib.Path(folder)) for path in files]
        if arguments.residuals:
            return tell_residuals(files, tools, judge, arguments.jobs)
        if arguments.reducible:
            return tell_reducible(files, tools, judge, arguments.jobs)
        measured = Measured(tools, judge, answers(tools, arguments), arguments.functions if not arguments.inputs else 0)
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for found in pool.map(measured.judge, files):
                measured.add(found)
    return measured.tell()


def generated(arguments: argparse.Namespace, folder: pathlib.Path) -> list[pathlib.Path]:
    count = int(arguments.functions * SPARE)
    write_modules(folder, functions=count, per_module=PER_MODULE, seed=arguments.seed, profile="flow", llvm=16)
    return sorted(folder.glob("*.ll"), key=lambda path: int(path.stem.rsplit("-", 1)[1]))


def rewired(path: pathlib.Path, seed: int, tools: Tools, folder: pathlib.Path) -> pathlib.Path:
    """The file with branches that go elsewhere, and random weights."""
    demoted, changed = folder / "demoted.ll", folder / f"{path.stem}-rewired.ll"
    runs: list[list[str | pathlib.Path]] = [
        [*tools.opt_command("function(reg2mem)", "-S", "-o", str(demoted)), path],
        [*tools.opt_command("function(mem2reg)", "-S", "-o", str(changed)), demoted],
    ]
    for place, command in enumerate(runs):
        if place == 1:
            demoted.write_text(rewire(demoted.read_text(), random.Random(f"{path.stem} {seed}")))
        if subprocess.run(command).returncode != 0:
            raise Failure(f"opt fails on {path}")
    return changed


def answers(tools: Tools, arguments: argparse.Namespace) -> list[Answer]:
    """Who is judged beside us: the host first."""
    inference = "-use-iterative-bfi-inference"
    found = []
    opts = {f"LLVM {tools.llvm.version}": tools.opt}
    for version in arguments.beside:
        opts[f"LLVM {version}"] = (str(llvms.choose(version).tool("opt")), *arguments.opt_flag)
    for given in arguments.opt:
        title, _, command = given.partition("=")
        opts[f"LLVM {title}"] = tuple(command.split())
    for title, opt in opts.items():
        found.append(Answer(title, title, opt))
        found.append(Answer(f"{title}, inference", title, (*opt, inference), profiled=True))
        found.append(Answer(f"{title}, after annotating", title, opt, annotated=True))
    return found


#: The worst error of each function by each answer, and of the exact frequencies.
Errors = list[dict[str, Decimal]]


class Measured:
    """The errors of all functions so far."""

    def __init__(self, tools: Tools, judge: Judge, beside: Sequence[Answer], most: int) -> None:
        self._tools = tools
        self._judge = judge
        self._answers = beside
        #: How many functions are wanted; 0 is all.
        self._most = most
        self._errors: Errors = []

    def judge(self, path: pathlib.Path) -> Errors:
        """The errors of the functions of a file."""
        drawn = [one for one in functions_of(path, self._tools) if one.is_irreducible and one.blocks in SIZES]
        if not drawn:
            return []
        judged = dict(zip((one.name for one in drawn), self._judge.solve(one.row for one in drawn), strict=True))
        errors = {one.name: {EXACT: Decimal(2) ** Decimal(judged[one.name].log2_error)} for one in drawn}
        with tempfile.TemporaryDirectory() as folder:
            annotated = pathlib.Path(folder, "annotated.ll")
            annotate(path, self._tools, annotated)
            own: dict[str, dict[str, Judged]] = {}
            for answer in self._answers:
                if answer.llvm not in own:
                    own[answer.llvm] = self._by_own_probabilities(answer, path, drawn)
                printed = answer.frequencies(annotated if answer.annotated else path)
                for one in drawn:
                    if one.name in printed and (one.has_profile or not answer.profiled):
                        right = own[answer.llvm].get(one.name, judged[one.name])
                        errors[one.name][answer.title] = right.worst(printed[one.name])
        return list(errors.values())

    def _by_own_probabilities(
        self, answer: Answer, path: pathlib.Path, functions: Sequence[Function]
    ) -> dict[str, Judged]:
        """The true frequencies of the functions for which this LLVM says other probabilities than ours."""
        told = answer.probabilities(path)
        rows = {one.name: with_own_probabilities(one, told[one.name]) for one in functions if one.name in told}
        other = {name: row for name, row in rows.items() if row}
        return dict(zip(other, self._judge.solve(other.values()), strict=True))

    def add(self, errors: Errors) -> None:
        before = len(self._errors)
        self._errors += errors[: self._most - len(self._errors) if self._most else None]
        if len(self._errors) // 1000 > before // 1000:
            say(f"{len(self._errors):,} functions judged")

    def tell(self) -> int:
        """Prints the table; whether we are as good as our word."""
        TABLE.print_row(*HEADLINE)
        TABLE.print_row(*("-" * width for width in TABLE.widths))
        faults = []
        shares = Shares([errors[EXACT] for errors in self._errors])
        TABLE.print_row(EXACT, *shares.cells())
        if any(error > Shares.LIMITS[0] for error in shares.errors):
            faults.append("exact frequencies are not exact")
        for answer in self._answers:
            counted = [errors for errors in self._errors if answer.title in errors]
            TABLE.print_row(answer.title, *Shares([errors[answer.title] for errors in counted]).cells())
            if answer.profiled:
                plain = [errors[answer.llvm] for errors in counted]
                TABLE.print_row(f"{answer.llvm}, the same functions", *Shares(plain).cells())
        for answer in self._answers:
            if answer.annotated:
                judged = [errors for errors in self._errors if answer.title in errors]
                pairs = [(errors[answer.llvm], errors[answer.title]) for errors in judged]
                worse, better = sum(b < a for b, a in pairs), sum(a < b for b, a in pairs)
                same = len(pairs) - better - worse
                say(f"{answer.title}: {better:,} functions better, {worse:,} worse, {same:,} the same")
                if worse:
                    faults.append(f"{answer.title}: {worse} functions are worse")
        for fault in faults:
            print(fault)
        return 1 if faults else 0


def tell_reducible(files: Sequence[pathlib.Path], tools: Tools, judge: Judge, jobs: int) -> int:
    """Prints what LLVM's scheme loses where all loops are natural."""
    titles = ("float", "int of LLVM 16", "int of LLVM 22")

    def one(path: pathlib.Path) -> dict[str, list[Decimal]]:
        found: dict[str, list[Decimal]] = {title: [] for title in titles}
        older, newer = (functions_of(path, tools, f"like={version}") for version in (16, 22))
        pairs = [pair for pair in zip(older, newer, strict=True) if not pair[0].is_irreducible]
        pairs = [pair for pair in pairs if pair[0].blocks in SIZES]
        for (old, new), right in zip(pairs, judge.solve(old.row for old, _ in pairs), strict=True):
            for title, told in zip(titles, (old.frequencies(), old.integers(), new.integers()), strict=True):
                found[title].append(right.worst(told))
        return found

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        rows = list(pool.map(one, files))
    TABLE.print_row(*HEADLINE)
    TABLE.print_row(*("-" * width for width in TABLE.widths))
    for title in titles:
        TABLE.print_row(title, *Shares([error for row in rows for error in row[title]]).cells())
    return 0


def tell_residuals(files: Sequence[pathlib.Path], tools: Tools, judge: Judge, jobs: int) -> int:
    """Prints by how much the worst equation of all functions is missed."""

    def one(path: pathlib.Path) -> tuple[int, int, float, int]:
        found = list(judge.residuals(function.row for function in functions_of(path, tools)))
        blocks = sum(residual.blocks for residual in found)
        worst = max((residual.log2_worst for residual in found), default=float("-inf"))
        return len(found), blocks, worst, sum(residual.saturated for residual in found)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        rows = list(pool.map(one, files))
    functions, blocks, saturated = (sum(row[place] for row in rows) for place in (0, 1, 3))
    worst = max((row[2] for row in rows), default=float("-inf"))
    print(f"{functions:,} functions, {blocks:,} equations, worst residual 2^{worst:.1f}, {saturated} saturated")
    return 0 if worst <= -40 else 1
