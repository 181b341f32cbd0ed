"""Compares the time of bpa and LLVM for block frequencies, on bitcode files or on functions of growing size.

For bitcode files, each measurement is a pair of runs of `opt -time-passes`: one run of bpa, and one run of LLVM. The
time of bpa is the time of `require<rust-bfi>`. The time of LLVM is the sum of the times of all analyses that block
frequencies need. LLVM skips functions with the attribute `optnone`, so the attribute is removed first.
`--instructions` counts instructions with valgrind. Other load on the machine does not change this count. `--passes`
measures another pass of bpa, for example `rust-bfi<exact>`.

With `--shapes`, each shape is measured in two sizes with the ratio 1 : 10. The time is the lowest processor time of
several runs with a stack of 8 MiB. The memory is the peak memory of a run, minus the peak memory of a run that only
loads the file.
`rust-bfi<check>` compares the frequencies. The exit status is 0 only if every run succeeds, all frequencies are equal,
and the ratio of the times is at most 12.
"""

import argparse
import dataclasses
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
#: If the times of runs differ by more than this fraction of the median, other load on the machine disturbs the runs.
NOISE = 0.30
MOST_GROWTH = 12
CHECK = "rust-bfi<check>"
#: A run that takes less than this many seconds is too short to measure growth.
SHORT = 0.002
#: With `--shapes`, the time limit of each run in seconds.
TIMEOUT = 120
FILES = Table((18, 26, 26, 9, 9))
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
    """Prints median, minimum and maximum in ms, the ratio of the medians, and the median ratio of paired runs."""
    ours: list[float] = []
    llvms: list[float] = []
    for number in range(arguments.runs):
        # In every second pair, LLVM runs first.
        pair = [(arguments.passes, ours), (timing.LLVMS, llvms)]
        for passes, seconds in pair if number % 2 == 0 else reversed(pair):
            times, outcome = timing.timed(tools, passes, path)
            if times is None:
                raise Failure(f"{outcome.trouble}: {shown(tools.opt_command(passes))} {path}")
            seconds.append(times.wall)
    ratio = statistics.median(ours) / statistics.median(llvms)
    of_pairs = statistics.median(our / llvm for our, llvm in zip(ours, llvms, strict=True))
    FILES.print_row(name, spread(ours), spread(llvms), f"{ratio:.3f}", f"{of_pairs:.3f}")
    if any(max(times) - min(times) > NOISE * statistics.median(times) for times in (ours, llvms)):
        print(f"    noisy: runs differ by more than {NOISE:.0%}")


def spread(seconds: Sequence[float]) -> str:
    low, middle, high = (1000 * value for value in (min(seconds), statistics.median(seconds), max(seconds)))
    return f"{middle:.1f} ({low:.1f} .. {high:.1f})"


# ---- growth --------------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Measured:
    seconds: float = 0
    #: The peak memory in bytes, without the memory for loading the file.
    memory: int = 0
    trouble: str | None = None

    def text(self) -> str:
        return self.trouble or f"{self.seconds:.3f} s"


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
        cells = [ours[0].text(), ours[1].text(), growth(ours), llvms[1].text(), growth(llvms), numbers]
        memory = [f"{pair[1].memory / (1 << 20):.1f}" for pair in (ours, llvms)]
        SHAPES.print_row(name, f"{size:,}", *cells, *memory)
        faults += [f"{name}: {measured.trouble}" for measured in ours if measured.trouble]
        if trouble:
            faults.append(f"{name}: {CHECK}: {trouble}")
        if ours[1].seconds > SHORT and ours[1].seconds > MOST_GROWTH * ours[0].seconds:
            faults.append(f"{name}: ten times the size takes {growth(ours)} times as long")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


def measure_shape(passes: str, path: pathlib.Path, tools: Tools, runs: int) -> Measured:
    measured = Measured(seconds=float("inf"))
    for _ in range(runs):
        times, outcome = timing.timed(tools, passes, path, TIMEOUT)
        if times is None:
            return Measured(trouble=outcome.trouble)
        measured.seconds = min(measured.seconds, times.cpu)
        measured.memory = max(measured.memory, outcome.peak)
        if outcome.seconds > TIMEOUT / 12:
            break
    plugin = [f"-load-pass-plugin={tools.plugin}"] if passes == timing.OURS else []
    loading = timing.run([*tools.opt_command(timing.NOTHING, "-disable-output", *plugin), path])
    measured.memory -= loading.peak
    return measured


def growth(pair: Sequence[Measured]) -> str:
    small, large = pair
    return "" if small.trouble or large.trouble else f"{large.seconds / max(small.seconds, 0.0001):.1f}"


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
