"""Counts the instructions that exact block frequencies take, beside those that LLVM's scheme takes.

    scripts/dev exact-cost my.bc
    scripts/dev exact-cost --shapes

Both are printed from scratch, to no file. Counted is all of `opt` with the pass, less `opt` with none (valgrind). With
`--shapes`, functions of `scripts/dev growth` are counted in several sizes, and of each the solution alone: their
frequencies have thousands of digits, which take longer to print. "times" is how many times as many instructions a size
takes as a tenth of it.
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
#: The shapes, how often their pattern repeats in the largest size, and how many blocks that makes.
SHAPES = {
    "irreducible": (100_000, 100_000),
    "nested-irreducible-regions": (33_333, 100_000),
    "tangle": (100_000, 100_000),
}
#: Solving alone, in a plugin with symbols.
SOLVING = "*FrequencyAnalysis*compute_exact*"
TABLE = Table((28, 12, 12, 8), " | ")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", type=pathlib.Path, metavar="FILE", help=".ll or .bc files")
    parser.add_argument("--shapes", nargs="*", choices=SHAPES, metavar="SHAPE", help="functions that are hard to solve")
    parser.add_argument("--largest", type=int, metavar="N", help="of the shapes, at most so many blocks")
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin)
    if arguments.files:
        TABLE.print_row("millions of instructions", "rust-bfi", "exact", "ratio")
    for path in arguments.files:
        llvms, exact = counts(path, tools)
        TABLE.print_row(path.stem, f"{llvms / 1e6:,.1f}", f"{exact / 1e6:,.1f}", f"{exact / llvms:.3f}")
    if arguments.shapes is not None:
        TABLE.print_row("millions of instructions", "blocks", "solving", "times")
        for name in arguments.shapes or SHAPES:
            measure(name, arguments.largest, tools)
    return 0


def measure(name: str, largest: int | None, tools: Tools) -> None:
    before = None
    repeats, blocks = SHAPES[name]
    for divisor in (1000, 100, 10, 1):
        if largest and blocks // divisor > largest:
            break
        with tempfile.NamedTemporaryFile("w", suffix=".ll") as file:
            file.writelines(line + "\n" for line in shapes.text(name, repeats // divisor))
            file.flush()
            now = count(tools, EXACT, pathlib.Path(file.name), f"-load-pass-plugin={tools.plugin}", within=SOLVING)
        times = f"{now / before:.1f}" if before else ""
        TABLE.print_row(name, f"{blocks // divisor:,}", f"{now / 1e6:,.1f}", times)
        before = now


def counts(path: pathlib.Path, tools: Tools) -> tuple[int, int]:
    """Instructions of LLVM's scheme, and of the solution."""
    loading = f"-load-pass-plugin={tools.plugin}"
    nothing = count(tools, NOTHING, path, loading)
    llvms, exact = (count(tools, passes, path, loading) - nothing for passes in (LLVMS, EXACT))
    return llvms, exact
