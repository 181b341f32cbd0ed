"""Counts the instructions that exact block frequencies take, beside those that LLVM's scheme takes.

    scripts/dev exact-cost my.bc
    scripts/dev exact-cost --shapes

Both are printed from scratch, to no file. Counted is all of `opt` with the pass, less `opt` with none (valgrind). With
`--shapes`, functions of `scripts/dev growth` are counted in several sizes; "times" is how many times as many
instructions a size takes as a tenth of it.
"""

import argparse
import pathlib
import tempfile

from ..measure import shapes
from ..measure.table import Table
from ..tools import Tools, add_options, find_tools
from .bench import count

NOTHING = "no-op-module"
LLVMS, EXACT = "rust-bfi<output=/dev/null>", "rust-bfi<exact;output=/dev/null>"
#: The shapes, and how often their pattern repeats in the largest size.
SHAPES = {"irreducible": 100_000, "nested-irreducible-regions": 33_333, "tangle": 100_000}
TABLE = Table((28, 12, 8, 12, 8, 8), " | ")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", type=pathlib.Path, metavar="FILE", help=".ll or .bc files")
    parser.add_argument("--shapes", action="store_true", help="functions that are hard to solve")
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin)
    TABLE.print_row("millions of instructions", "rust-bfi", "times", "exact", "times", "ratio")
    for path in arguments.files:
        TABLE.print_row(path.stem, *cells(*counts(path, tools), None))
    if arguments.shapes:
        for name, size in SHAPES.items():
            measure(name, size, tools)
    return 0


def measure(name: str, largest: int, tools: Tools) -> None:
    before = None
    for divisor in (1000, 100, 10, 1):
        size = largest // divisor
        with tempfile.NamedTemporaryFile("w", suffix=".ll") as file:
            file.writelines(line + "\n" for line in shapes.text(name, size))
            file.flush()
            now = counts(pathlib.Path(file.name), tools)
        TABLE.print_row(f"{name} {size:,}", *cells(*now, before))
        before = now


def counts(path: pathlib.Path, tools: Tools) -> tuple[int, int]:
    """Instructions of LLVM's scheme, and of the solution."""
    loading = f"-load-pass-plugin={tools.plugin}"
    nothing = count(tools, NOTHING, path, loading)
    llvms, exact = (count(tools, passes, path, loading) - nothing for passes in (LLVMS, EXACT))
    return llvms, exact


def cells(llvms: int, exact: int, before: tuple[int, int] | None) -> list[str]:
    growth = ["", ""] if before is None else [f"{llvms / before[0]:.1f}", f"{exact / before[1]:.1f}"]
    return [f"{llvms / 1e6:,.1f}", growth[0], f"{exact / 1e6:,.1f}", growth[1], f"{exact / llvms:.3f}"]
