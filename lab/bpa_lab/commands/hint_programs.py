"""Writes hints into programs of the corpus by `bpa hints --patch`, and measures their effect.

Each program is built with counters and run. Its source gets the hints that the profile of the first run supports, is
built without a profile, and has to pass its tests as before. The table has misses as docs/src/guide/profiles.md defines
them, of LLVM with the hints, on the run that the hints come from and on another; and the instructions and taken
branches of the workload of lab/effect, counted by valgrind. `--rounds` adds times.
"""

import argparse
import os

from bpa_dev.messages import Failure
from bpa_dev.tools import add_options, find_tools

from ..effect import workloads
from ..effect.table import change, markdown, mean, of_times
from ..hinting.misses import Misses
from ..hinting.subject import Result, Subject

PROGRAMS = ("cmark", "jq", "lz4", "brotli", "tcc")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=f"default: {' '.join(PROGRAMS)}")
    parser.add_argument("--rounds", type=int, default=0, metavar="N", help="time the work so often (default: never)")
    add_options(parser)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="J", help="compilers at the same time")


def run(arguments: argparse.Namespace) -> int:
    chosen = workloads.chosen(arguments.programs or list(PROGRAMS))
    if aside := [program.name for program, _ in chosen if program.aside]:
        raise Failure(f"put aside: {', '.join(aside)}")
    tools = find_tools(arguments.llvm or "16", arguments.plugin)
    results = {
        program.name: Subject(tools, program, work, arguments.jobs).result(arguments.rounds) for program, work in chosen
    }
    print(of_misses(results), of_counts(results), losers(results), sep="\n\n")
    if arguments.rounds:
        print("", of_times({name: result.seconds for name, result in results.items()}), sep="\n")
    return 0


def of_misses(results: dict[str, Result]) -> str:
    """Of each program on the run that the hints come from, and on the other."""
    ways = ("misses", "with hints", "perfect static")
    rows = [["program", "hints written", "left out", *ways, *(f"{way}, other run" for way in ways)]]
    for name, result in results.items():
        row = [name, str(result.written), str(result.left_out)]
        for before, after in result.misses:
            row += [f"{share:.1%}" for share in (before.said, after.said, before.least)]
        rows.append(row + [""] * (len(rows[0]) - len(row)))
    means = [mean(pair[0].said for pair in firsts(results)), mean(pair[1].said for pair in firsts(results))]
    rows.append(["mean of programs", "", "", *(f"{share:.1%}" for share in means), "", "", "", ""])
    return markdown(rows)


def firsts(results: dict[str, Result]) -> list[tuple[Misses, Misses]]:
    return [result.misses[0] for result in results.values()]


def of_counts(results: dict[str, Result]) -> str:
    rows = [
        [
            "program",
            "instructions",
            "with hints",
            "taken branches",
            "with hints",
            "instruction-cache misses",
            "with hints",
        ]
    ]
    changes = []
    for name, result in results.items():
        before, after = result.counts
        pairs = [(getattr(before, what), getattr(after, what)) for what in ("instructions", "taken", "misses")]
        changes.append([change(new, old) for old, new in pairs])
        cells = [[f"{old:,}", f"{change(new, old):+.2%}"] for old, new in pairs]
        rows.append([name, *(cell for pair in cells for cell in pair)])
    means = [[f"{mean(column):+.2%}"] for column in zip(*changes, strict=True)]
    rows.append(["mean of programs", *(cell for one in means for cell in ["", *one])])
    return markdown(rows)


def losers(results: dict[str, Result]) -> str:
    """Who has more to do than before."""
    worse = [
        f"{name} ({what})"
        for name, result in results.items()
        for what, field in (("instructions", "instructions"), ("taken branches", "taken"))
        if getattr(result.counts[1], field) > getattr(result.counts[0], field)
    ]
    return f"more than before: {', '.join(worse) or 'none'}"
