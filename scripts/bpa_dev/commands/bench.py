"""Measures us and LLVM side by side: block frequencies from scratch, on the same bitcode.

Runs of `opt -time-passes` alternate. LLVM's time is the sum of all that its block frequencies need (dominators,
post-dominators, loops, library info, branch probabilities), ours the whole pass `require<rust-bfi>`, from the first
look at the IR. LLVM skips functions marked `optnone`; a file that has some is measured without the mark,
on both sides.

Times are from the wall clock. `--instructions` counts instructions instead (valgrind), which the machine's other work
does not change; `--startup` measures what loading the plugin adds to `opt`.
"""

import argparse
import pathlib
import re
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence

from ..comparing import optnone
from ..comparing.runs import shown
from ..corpus import Corpus
from ..measure import runs
from ..measure.table import Table
from ..messages import Failure
from ..tools import Tools, add_options, find_tools

PROGRAMS = ["sqlite-O0", "sqlite-O2", "sqlite-Os", "cxx-O0", "cxx-O2"]
#: Runs that are further apart than this share of their median say more of the machine than of us.
NOISE = 0.30
#: What `--instructions` is counted within.
PASSES_RUN = "llvm::PassManager<llvm::Module, *>::run*"
#: What drops all results, so that this is counted, too.
DROP = "invalidate<all>"
COUNTED = re.compile(r"Collected *: *(\d+)")
TABLE = Table((18, 26, 26, 9, 9))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    programs = ", ".join(PROGRAMS)
    parser.add_argument(
        "files", nargs="*", metavar="FILE", type=pathlib.Path, help=f".ll or .bc files (default: {programs})"
    )
    add_options(parser)
    parser.add_argument(
        "--runs", type=int, default=7, metavar="R", help="of each side (default: 7; --startup makes ten times as many)"
    )
    parser.add_argument("--cpu", action="store_true", help="user and system time rather than that of the wall clock")
    parser.add_argument("--instructions", action="store_true", help="count instructions instead of measuring time")
    parser.add_argument("--predictor", metavar="NAME|FILE", help="ours by this predictor")
    parser.add_argument("--startup", action="store_true", help="measure `opt` on an empty module")


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin)
    if arguments.startup:
        startup(tools, 10 * arguments.runs)
        return 0
    inputs = {file.stem: without_optnone(file, tools) for file in arguments.files or default_files(tools)}
    ours = runs.OURS if arguments.predictor is None else f"require<rust-bfi;predictor={arguments.predictor}>"
    if arguments.instructions:
        count_instructions(inputs, tools, ours)
    else:
        measure(inputs, tools, ours, arguments.runs, cpu=arguments.cpu)
    return 0


def default_files(tools: Tools) -> list[pathlib.Path]:
    corpus = Corpus(tools.llvm)
    return [corpus.make(program) for program in PROGRAMS]


def without_optnone(file: pathlib.Path, tools: Tools) -> pathlib.Path:
    if not file.exists():
        raise Failure(f"no such file: {file}")
    return optnone.forms_for(file, tools)[1]


# ---- time ------------------------------------------------------------------------------------


def measure(
    inputs: Mapping[str, pathlib.Path], tools: Tools, our_passes: str, number_of_runs: int, *, cpu: bool
) -> None:
    clock = "user and system time" if cpu else "wall time"
    print(f"{clock}, {number_of_runs} alternating runs: median (least .. most), in ms\n")
    TABLE.print_row("file", "ours", "LLVM's", "ratio", "of pairs")
    noisy = []
    for name, path in inputs.items():
        ours: list[float] = []
        llvms: list[float] = []
        for number in range(number_of_runs):
            # Who goes first alternates too.
            pair = [(our_passes, ours), (runs.LLVMS, llvms)]
            for passes, times in pair if number % 2 == 0 else reversed(pair):
                times.append(one_run(tools, passes, path, cpu=cpu))
        ratio = statistics.median(ours) / statistics.median(llvms)
        of_pairs = statistics.median(our / llvm for our, llvm in zip(ours, llvms, strict=True))
        TABLE.print_row(name, spread(ours), spread(llvms), f"{ratio:.3f}", f"{of_pairs:.3f}")
        noisy += [f"{name} ({whose})" for whose, times in (("ours", ours), ("LLVM's", llvms)) if is_noisy(times)]
    if noisy:
        print(f"\nthe machine was too noisy, runs are more than {NOISE:.0%} apart: {', '.join(noisy)}")


def one_run(tools: Tools, passes: str, path: pathlib.Path, *, cpu: bool) -> float:
    times, outcome = runs.timed(tools, passes, path)
    if times is None:
        raise Failure(f"{outcome.trouble}: {shown(runs.opt_command(tools, passes))} {path}")
    return times.cpu if cpu else times.wall


def is_noisy(times: Sequence[float]) -> bool:
    return max(times) - min(times) > NOISE * statistics.median(times)


def spread(seconds: Sequence[float]) -> str:
    low, middle, high = (1000 * value for value in (min(seconds), statistics.median(seconds), max(seconds)))
    return f"{middle:.1f} ({low:.1f} .. {high:.1f})"


# ---- instructions ----------------------------------------------------------------------------


def count_instructions(inputs: Mapping[str, pathlib.Path], tools: Tools, our_passes: str) -> None:
    """Those from when LLVM's pass manager enters the module until it leaves it, and has dropped all results again.

    Those of all of `opt`, less those of `opt` that does nothing, say less: what reads a file and tidies up after it
    looks addresses up in hash tables, and the length of a path moves that by nine millions.
    """
    if not shutil.which("valgrind"):
        raise Failure("--instructions needs valgrind (package valgrind)")
    print("millions of instructions while passes run\n")
    TABLE.print_row("file", "ours", "LLVM's", "ratio")
    loading = f"-load-pass-plugin={tools.plugin}"
    for name, path in inputs.items():
        ours = count(tools, f"{our_passes},{DROP}", path, loading, within=PASSES_RUN)
        llvms = count(tools, f"{runs.LLVMS},{DROP}", path, within=PASSES_RUN)
        TABLE.print_row(name, f"{ours / 1e6:.2f}", f"{llvms / 1e6:.2f}", f"{ours / llvms:.3f}")


def count(tools: Tools, passes: str, path: pathlib.Path, *options: str, within: str = "") -> int:
    """The instructions of `opt`, or those from when it enters a function `within` until it leaves it."""
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    if within:
        valgrind += ["--collect-atstart=no", f"--toggle-collect={within}"]
    opt = [*tools.opt, "-disable-output", *options, "-disable-verify", f"-passes={passes}", str(path)]
    done = subprocess.run([*valgrind, *opt], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    counted = COUNTED.search(done.stdout)
    if done.returncode != 0 or not counted:
        raise Failure(f"{shown([*valgrind, *opt])}\n{done.stdout[-2000:]}")
    return int(counted[1])


# ---- start-up --------------------------------------------------------------------------------


def startup(tools: Tools, number_of_runs: int) -> None:
    """`opt` on an empty module, with and without the plugin, and the plugin's size."""
    with tempfile.TemporaryDirectory() as folder:
        empty = pathlib.Path(folder, "empty.ll")
        empty.touch()
        plain = [*tools.opt, "-disable-output", f"-passes={runs.NOTHING}", str(empty)]
        loaded = [plain[0], f"-load-pass-plugin={tools.plugin}", *plain[1:]]
        without: list[float] = []
        with_plugin: list[float] = []
        for number in range(number_of_runs):
            pair = [(without, plain), (with_plugin, loaded)]
            for times, command in pair if number % 2 == 0 else reversed(pair):
                times.append(elapsed(command))
        stripped = pathlib.Path(folder, "libbpa.so")
        subprocess.run(["strip", "-o", stripped, tools.plugin], check=True)
        size = stripped.stat().st_size
    differences = sorted(one - other for one, other in zip(with_plugin, without, strict=True))
    quarter = len(differences) // 4
    of_interest = (differences[quarter], statistics.median(differences), differences[-quarter - 1])
    low, middle, high = (1000 * value for value in of_interest)
    print(f"`opt` on an empty module, {number_of_runs} alternating runs: median (least .. most), in ms")
    print(f"without the plugin  {spread(without)}")
    print(f"with the plugin     {spread(with_plugin)}")
    print(f"difference of pairs {middle:.2f}, the middle half {low:.2f} .. {high:.2f}")
    print(f"libbpa.so stripped  {size:,} bytes")


def elapsed(command: Sequence[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return time.perf_counter() - start
