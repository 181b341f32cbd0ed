"""Measures how time and memory grow with the size of one function, ours and LLVM's.

Makes each shape in two sizes, one ten times the other, and runs block frequencies from scratch on both, under a stack
of 8 MiB. The least user and system time of several runs counts, which the work of others on the machine changes less
than it does the wall clock. What the printers of both sides say is compared byte for byte, in the largest size in which
LLVM comes to an end. Memory is the peak above that of loading the file, in MiB. `--list` tells the shapes.

Exits with 0 only if ours finishes everywhere, nothing differs, and ten times the size takes us at most 12 times as
long.
"""

import argparse
import dataclasses
import pathlib
import subprocess
import tempfile
from collections.abc import Iterator

from ..measure import runs, shapes
from ..measure.table import Table
from ..paths import TARGET
from ..tools import Tools, add_options, find_tools

MOST_GROWTH = 12
#: Below this many seconds a run is over before it shows how it grows: only its end counts.
SHORT = 0.002
#: LLVM's, then ours.
PRINTERS = ("function(print<branch-prob>),function(print<block-freq>)", "print<rust-bpi>,print<rust-bfi>")
#: From this many blocks on memory is told by the block.
ENOUGH_BLOCKS = 999_000
TOO_SLOW = "LLVM too slow"
TABLE = Table((18, 9, 9, 10, 6, 10, 10, 6, 13, 7, 7), " | ")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shapes", nargs="*", type=shape, metavar="SHAPE", help="default: all of them")
    parser.add_argument("--list", action="store_true", help="tell the shapes, measure nothing")
    add_options(parser)
    parser.add_argument(
        "--runs",
        type=int,
        default=5,
        metavar="R",
        help="the shortest of R runs counts (default: 5); those that take over ten seconds are not repeated",
    )
    parser.add_argument("--scale", type=float, default=1, metavar="S", help="S times the usual sizes (default: 1)")
    parser.add_argument(
        "--timeout", type=float, default=120, metavar="SECONDS", help="for each run of opt (default: 120)"
    )
    parser.add_argument(
        "--memory", type=float, default=12, metavar="GIB", help="that a run may take before it fails (default: 12)"
    )
    parser.add_argument("--ours-only", action="store_true", help="do not run LLVM's side")


def shape(name: str) -> shapes.Shape:
    if name not in shapes.SHAPES:
        raise argparse.ArgumentTypeError(f"no shape {name}; there are {', '.join(shapes.SHAPES)}")
    return shapes.SHAPES[name]


def run(arguments: argparse.Namespace) -> int:
    if arguments.list:
        for one in shapes.SHAPES.values():
            print(f"{one.name:18} {one.what}")
        return 0
    tools = find_tools(arguments.llvm, arguments.plugin, ["-disable-verify"])
    limits = Limits(arguments.runs, arguments.timeout, int(arguments.memory * (1 << 30)))
    headline()
    failures: list[str] = []
    for one in arguments.shapes or shapes.SHAPES.values():
        size = max(10, int(one.size * arguments.scale))
        growth = Growth(one.name, (size // 10, size), tools, limits)
        growth.measure(with_llvm=not arguments.ours_only)
        growth.print_row()
        failures += growth.faults()
    for failure in failures:
        print(failure)
    return 1 if failures else 0


# ---- making functions ------------------------------------------------------------------------


def bitcode(name: str, size: int, tools: Tools) -> pathlib.Path:
    """The shape in that size, made anew if its generator is younger."""
    folder = TARGET / "growth" / f"llvm-{tools.llvm.version}"
    path = folder / f"{name}-{size}.bc"
    if path.exists() and path.stat().st_mtime > pathlib.Path(shapes.__file__).stat().st_mtime:
        return path
    folder.mkdir(parents=True, exist_ok=True)
    source, partial = path.with_suffix(".ll"), path.with_suffix(".partial")
    with source.open("w") as file:
        file.writelines(f"{line}\n" for line in shapes.text(name, size))
    subprocess.run([tools.llvm.bin / "llvm-as", "-disable-verify", source, "-o", partial], check=True)
    source.unlink()
    return partial.rename(path)


def count_blocks(name: str, size: int) -> int:
    return sum(line.endswith(":") for line in shapes.text(name, size))


# ---- measuring -------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Limits:
    runs: int
    #: Of each run, in seconds.
    timeout: float
    #: Of each run, in bytes.
    memory: int


@dataclasses.dataclass
class Side:
    """What one side came to in one size."""

    seconds: float | None = None
    trouble: str | None = None
    peak: int = 0

    def text(self) -> str:
        return self.trouble or f"{self.seconds:.3f} s"


def run_side(passes: str, path: pathlib.Path, tools: Tools, limits: Limits) -> Side:
    side = Side()
    for _ in range(limits.runs):
        times, outcome = runs.timed(tools, passes, path, limits.timeout, limits.memory)
        if times is None:
            side.trouble = outcome.trouble
            return side
        side.seconds = min(times.cpu, side.seconds or times.cpu)
        side.peak = max(side.peak, outcome.peak)
        if outcome.seconds > 10:
            break
    return side


class Growth:
    """One shape in two sizes."""

    def __init__(self, name: str, sizes: tuple[int, int], tools: Tools, limits: Limits) -> None:
        self.name = name
        self.sizes = sizes
        self._tools = tools
        self._limits = limits
        self._paths = [bitcode(name, size, tools) for size in sizes]
        self.ours: list[Side] = []
        self.llvms: list[Side] = []
        self.printed = ""
        #: Bytes on top of loading the file, ours and LLVM's.
        self.memory: list[int | None] = []

    def measure(self, *, with_llvm: bool) -> None:
        self.ours = self._in_both_sizes(runs.OURS)
        if with_llvm:
            self.llvms = self._in_both_sizes(runs.LLVMS)
            self.printed = self._compare_sizes()
        self.memory = list(self._extra_memory())

    def _in_both_sizes(self, passes: str) -> list[Side]:
        small, large = self._paths
        first = run_side(passes, small, self._tools, self._limits)
        # What is too slow in the small size is left at that.
        return [first, first if first.trouble else run_side(passes, large, self._tools, self._limits)]

    def _compare_sizes(self) -> str:
        """What comparing the printers came to, in the largest size in which LLVM finishes."""
        for size, path, side in reversed(list(zip(self.sizes, self._paths, self.llvms, strict=True))):
            if side.trouble:
                continue
            verdict = self._compare(path)
            if verdict != TOO_SLOW:
                return verdict if size == self.sizes[-1] else f"{verdict} ({size:,})"
        return TOO_SLOW

    def _compare(self, path: pathlib.Path) -> str:
        """Whether both printers say the same on both sides."""
        with tempfile.TemporaryFile() as llvms, tempfile.TemporaryFile() as ours:
            for passes, output in zip(PRINTERS, (llvms, ours), strict=True):
                command = [*runs.opt_command(self._tools, passes), str(path)]
                outcome = runs.run(command, output, self._limits.timeout, self._limits.memory)
                if outcome.trouble:
                    return TOO_SLOW if output is llvms else f"DIFFERENT: {outcome.trouble}"
            return "same" if runs.same_bytes(ours, llvms) else "DIFFERENT"

    def _extra_memory(self) -> Iterator[int | None]:
        loading = runs.opt_command(self._tools, runs.NOTHING)
        with_plugin = [*loading, f"-load-pass-plugin={self._tools.plugin}"]
        for sides, command in ((self.ours, with_plugin), (self.llvms, loading)):
            if not sides or sides[1].trouble:
                yield None
            else:
                yield sides[1].peak - max(runs.run([*command, self._paths[1]]).peak for _ in range(2))

    # ---- telling -----------------------------------------------------------------------------

    def print_row(self) -> None:
        extra = ["" if memory is None else f"{memory / runs.MEBIBYTE:.1f}" for memory in self.memory]
        llvms = both(self.llvms) if self.llvms else ["", "", ""]
        TABLE.print_row(self.name, f"{self.sizes[1]:,}", *both(self.ours), *llvms, self.printed, *extra)
        blocks = count_blocks(self.name, self.sizes[1])
        if blocks >= ENOUGH_BLOCKS and self.memory[0] is not None:
            ours, llvms_bytes = (f"{memory / blocks:.0f}" if memory else "?" for memory in self.memory)
            print(f"    {blocks:,} blocks, extra bytes a block: {ours} ours, {llvms_bytes} LLVM's", flush=True)

    def faults(self) -> list[str]:
        """What is wrong with it."""
        wrong = [f"{self.name}: {side.trouble}" for side in self.ours if side.trouble]
        if "DIFFERENT" in self.printed:
            wrong.append(f"{self.name}: the printers differ")
        growth = growth_of(self.ours)
        if growth and growth > MOST_GROWTH and (self.ours[1].seconds or 0) > SHORT:
            wrong.append(f"{self.name}: ten times the size takes {growth:.1f} times as long")
        ours, llvms = self.memory
        if ours is not None and llvms is not None and ours > llvms and self._is_large():
            wrong.append(f"{self.name}: we need more memory than LLVM")
        return wrong

    def _is_large(self) -> bool:
        return count_blocks(self.name, self.sizes[1]) >= ENOUGH_BLOCKS


def growth_of(sides: list[Side]) -> float | None:
    small, large = (side.seconds for side in sides)
    if any(side.trouble for side in sides) or small is None or large is None:
        return None
    return large / max(small, 0.0001)


def both(sides: list[Side]) -> list[str]:
    growth = growth_of(sides)
    return [sides[0].text(), sides[1].text(), f"{growth:.1f}" if growth else ""]


def headline() -> None:
    TABLE.print_row("shape", "size", "1/10", "ours", "times", "1/10", "LLVM's", "times", "printed", "MiB", "LLVM's")
    TABLE.print_row(*("-" * width for width in TABLE.widths))
