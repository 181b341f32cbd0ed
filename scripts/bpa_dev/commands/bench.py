"""Compares the time of bpa and LLVM for block frequencies, on bitcode files or on functions of growing size.

Each time is the processor time of `opt` with a pass, minus the processor time of a run that only loads the file and
the plugin. `function(require<block-freq>)` needs all analyses of LLVM that block frequencies need. LLVM skips functions
with the attribute `optnone`, so the attribute is removed first. `--instructions` counts instructions with valgrind.
Other load on the machine does not change this count. `--passes` measures another pass of bpa, for example
`rust-bfi<exact>`.

With `--shapes`, each shape is measured in two sizes with the ratio 1 : 10, with a stack of 8 MiB.
`rust-bfi<check>` compares the frequencies. The exit status is 0 only if every run succeeds, all frequencies are equal,
and the ratio of the times is at most 12.
"""

import argparse
import pathlib
import statistics
import subprocess
from collections.abc import Sequence

from .. import shapes, timing
from ..comparing import optnone
from ..comparing.runs import shown
from ..corpus import Corpus
from ..messages import Failure
from ..paths import TARGET
from ..table import Table
from ..tools import Tools, add_options, find_tools

PROGRAMS = ["sqlite-O0", "sqlite-O2", "sqlite-Os", "cxx-O0", "cxx-O2"]
MOST_GROWTH = 12
CHECK = "rust-bfi<check>"
#: A pass that takes less than this many seconds is too short to measure growth.
SHORT = 0.02
#: With `--shapes`, the time limit of each run in seconds.
TIMEOUT = 120
FILES = Table((18, 26, 26, 9))
SHAPES = Table((28, 10, 10, 10, 7, 10, 7, 11, 9, 9), " | ")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    programs = ", ".join(PROGRAMS)
    parser.add_argument("files", nargs="*", metavar="FILE", type=pathlib.Path, help=f"default: {programs}")
    add_options(parser)
    parser.add_argument("--runs", type=int, default=7, metavar="R", help="runs of each analysis (default: 7)")
    parser.add_argument("--instructions", action="store_true", help="count instructions with valgrind")
    parser.add_argument("--passes", default=timing.OURS, help=f"passes of bpa to measure (default: {timing.OURS})")
    parser.add_argument(
        "--shapes", nargs="*", choices=[*shapes.SHAPES, []], metavar="SHAPE", help="measure these shapes (default: all)"
    )
    parser.add_argument("--list", action="store_true", help="list the shapes and measure nothing")
    parser.add_argument("--scale", type=float, default=1, metavar="S", help="multiply all sizes by S (default: 1)")


def run(arguments: argparse.Namespace) -> int:
    if arguments.list:
        for one in shapes.SHAPES.values():
            print(f"{one.name:28} {one.what}")
        return 0
    tools = find_tools(arguments.llvm, arguments.plugin)
    if arguments.shapes is not None:
        names = arguments.shapes or list(shapes.SHAPES)
        return measure_shapes(names, arguments.scale, tools.with_flags("-disable-verify"), arguments.runs)
    files = arguments.files or [Corpus(tools.llvm).make(program) for program in PROGRAMS]
    for file in files:
        if not file.exists():
            raise Failure(f"no such file: {file}")
        path = optnone.forms_for(file, tools)[1]
        if arguments.instructions:
            ours, llvms = (timing.instructions(tools, passes, path) for passes in (arguments.passes, timing.LLVMS))
            FILES.print_row(file.stem, f"{ours / 1e6:.2f} million", f"{llvms / 1e6:.2f}", f"{ours / llvms:.3f}")
        else:
            measure(file.stem, path, tools, arguments)
    return 0


# ---- files ---------------------------------------------------------------------------------------------------------


def measure(name: str, path: pathlib.Path, tools: Tools, arguments: argparse.Namespace) -> None:
    """Prints median, minimum and maximum in ms, and the ratio of the medians."""
    times: dict[str, list[float]] = {arguments.passes: [], timing.LLVMS: []}
    for _ in range(arguments.runs):
        for passes, seconds in times.items():
            found = timing.cost(tools, passes, path)
            if found.trouble:
                raise Failure(f"{found.trouble}: {shown(tools.opt_command(passes))} {path}")
            seconds.append(found.seconds)
    ours, llvms = times.values()
    FILES.print_row(name, spread(ours), spread(llvms), f"{statistics.median(ours) / statistics.median(llvms):.3f}")


def spread(seconds: Sequence[float]) -> str:
    low, middle, high = (1000 * value for value in (min(seconds), statistics.median(seconds), max(seconds)))
    return f"{middle:.1f} ({low:.1f} .. {high:.1f})"


# ---- growth --------------------------------------------------------------------------------------------------------


def measure_shapes(names: Sequence[str], scale: float, tools: Tools, runs: int) -> int:
    SHAPES.print_row("shape", "size", "1/10", "ours", "times", "LLVM's", "times", "numbers", "MiB", "LLVM's")
    faults = []
    for name in names:
        size = max(10, int(shapes.SHAPES[name].size * scale))
        small, large = (bitcode(name, repetitions, tools) for repetitions in (size // 10, size))
        ours = [measure_shape(timing.OURS, path, tools, runs) for path in (small, large)]
        llvms = [measure_shape(timing.LLVMS, path, tools, 1) for path in (small, large)]
        trouble = None
        if not llvms[1].trouble:
            # The check also runs LLVM's analyses, so the timeout is doubled.
            trouble = timing.run([*tools.opt_command(CHECK, "-disable-output"), large], timeout=2 * TIMEOUT).trouble
        numbers = "not checked" if llvms[1].trouble else trouble or "same"
        cells = [text(ours[0]), text(ours[1]), growth(ours), text(llvms[1]), growth(llvms), numbers]
        memory = [f"{pair[1].peak / (1 << 20):.1f}" for pair in (ours, llvms)]
        SHAPES.print_row(name, f"{size:,}", *cells, *memory)
        faults += [f"{name}: {measured.trouble}" for measured in ours if measured.trouble]
        if trouble:
            faults.append(f"{name}: {CHECK}: {trouble}")
        if ours[1].seconds > SHORT and ours[1].seconds > MOST_GROWTH * ours[0].seconds:
            faults.append(f"{name}: ten times the size takes {growth(ours)} times as long")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


def measure_shape(passes: str, path: pathlib.Path, tools: Tools, runs: int) -> timing.Outcome:
    """Returns the run with the lowest time."""
    found = []
    for _ in range(runs):
        found.append(timing.cost(tools, passes, path, TIMEOUT))
        if found[-1].trouble or found[-1].seconds > TIMEOUT / 12:
            break
    return found[-1] if found[-1].trouble else min(found, key=lambda one: one.seconds)


def text(found: timing.Outcome) -> str:
    return found.trouble or f"{found.seconds:.3f} s"


def growth(pair: Sequence[timing.Outcome]) -> str:
    small, large = pair
    return "" if small.trouble or large.trouble else f"{large.seconds / max(small.seconds, 0.001):.1f}"


def bitcode(name: str, size: int, tools: Tools) -> pathlib.Path:
    """Writes the shape as bitcode. If shapes.py is not newer than an existing file, keeps the file."""
    folder = TARGET / "shapes" / f"llvm-{tools.llvm.version}"
    path = folder / f"{name}-{size}.bc"
    if path.exists() and path.stat().st_mtime > pathlib.Path(shapes.__file__).stat().st_mtime:
        return path
    folder.mkdir(parents=True, exist_ok=True)
    source, partial = path.with_suffix(".ll"), path.with_suffix(".partial")
    with source.open("w") as file:
        file.writelines(f"{line}\n" for line in shapes.text(name, size))
    subprocess.run([tools.llvm.tool("llvm-as"), "-disable-verify", source, "-o", partial], check=True)
    source.unlink()
    return partial.rename(path)
