"""Counts how the work of `rust-entry-counts` grows with the number of functions, in instructions, by valgrind.

Draws each call graph in two sizes, one ten times the other, and counts the instructions of `opt` that prints the
estimate and writes it, without those that it takes to load the module. Exits with 0 only if ten times the functions
take at most 12 times the instructions. `--list` tells the shapes. Calls that multiply from function to function come to
numbers of thousands of digits in a large graph, and the more digits, the longer one takes to be printed; `--writing`
counts what is only written.
"""

import argparse
import pathlib
import re
import subprocess
import tempfile

from ..entry_counts.shapes import SHAPES
from ..measure.table import Table
from ..messages import Failure
from ..tools import Tools, add_options, find_tools

MOST_GROWTH = 12
WRITING = "rust-entry-counts<annotate;write=counts>"
PASSES = f"rust-entry-counts<output=/dev/null>,{WRITING}"
COLLECTED = re.compile(r"Collected : (\d+)")
TABLE = Table((10, 10, 14, 14, 7, 14), " | ")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", help="default: all of them")
    parser.add_argument("--list", action="store_true", help="tell the shapes, count nothing")
    parser.add_argument(
        "--functions", type=int, default=100_000, metavar="K", help="in the larger size (default: 100,000)"
    )
    parser.add_argument("--writing", action="store_true", help="without what printing takes")
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    if arguments.list:
        for name, (_, what) in SHAPES.items():
            print(f"{name:10} {what}")
        return 0
    unknown = [name for name in arguments.shapes if name not in SHAPES]
    if unknown:
        raise Failure(f"no shape {unknown[0]}; there are {', '.join(SHAPES)}")
    tools = find_tools(arguments.llvm, arguments.plugin)
    TABLE.print_row("shape", "functions", "1/10", "instructions", "times", "a function")
    too_much = []
    passes = WRITING if arguments.writing else PASSES
    for name in arguments.shapes or SHAPES:
        small, large = (
            instructions(name, size, passes, tools) for size in (arguments.functions // 10, arguments.functions)
        )
        each = large // arguments.functions
        growth = large / small
        TABLE.print_row(name, f"{arguments.functions:,}", f"{small:,}", f"{large:,}", f"{growth:.1f}", f"{each:,}")
        if growth > MOST_GROWTH:
            too_much.append(name)
    for name in too_much:
        print(f"{name}: more than {MOST_GROWTH} times the instructions for ten times the functions")
    return 1 if too_much else 0


def instructions(name: str, size: int, passes: str, tools: Tools) -> int:
    """What the passes take on a shape of that size, beyond loading the module."""
    draw, _ = SHAPES[name]
    with tempfile.TemporaryDirectory() as folder:
        text, module = pathlib.Path(folder) / "module.ll", pathlib.Path(folder) / "module.bc"
        text.write_text("\n".join(draw(size)))
        subprocess.run([tools.llvm.tool("llvm-as"), text, "-o", module], check=True)
        with_passes, without = (
            counted([*tools.opt_command(ran, "-disable-output", "-disable-verify", *load), str(module)])
            for ran, load in ((passes, ()), ("no-op-module", (f"-load-pass-plugin={tools.plugin}",)))
        )
    return with_passes - without


def counted(command: list[str]) -> int:
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--main-stacksize=8388608"]
    done = subprocess.run([*valgrind, *command], stderr=subprocess.PIPE, text=True, errors="replace")
    collected = COLLECTED.search(done.stderr)
    if done.returncode or collected is None:
        raise Failure(f"valgrind or opt failed: {done.stderr.strip()[-300:]}")
    return int(collected[1])
