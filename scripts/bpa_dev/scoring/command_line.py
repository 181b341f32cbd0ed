"""Adds up what rust-bpi<score;json> says of the modules of programs, and prints how well the rules do.

PROGRAM is a file of such lines, or a folder of files: all of them are one program. If there are several programs, their
mean is printed as well, in which each has one vote. docs/src/guide/profiles.md has the definitions.
"""

import argparse
import pathlib
import sys
from collections.abc import Sequence

from ..environment import add_library
from ..messages import Failure, error, say
from . import chart, report
from .records import Program, files_of, read


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="scripts/score", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("programs", nargs="+", metavar="PROGRAM", type=pathlib.Path)
    parser.add_argument("--costliest", type=int, default=20, metavar="N", help="branches to tell of (default: 20)")
    parser.add_argument(
        "--chart", type=pathlib.Path, metavar="FILE", help="draws predictions against the truth (.svg or .png)"
    )
    arguments = parser.parse_args(words)
    try:
        run(arguments.programs, arguments.costliest, arguments.chart)
    except (Failure, OSError) as failure:
        error(f"scripts/score: {failure}")
        return 1
    except BrokenPipeError:  # whoever reads has seen enough, as `head` has
        sys.stderr.close()
        return 1
    return 0


def run(paths: Sequence[pathlib.Path], costliest: int, picture: pathlib.Path | None) -> None:
    if picture and picture.suffix not in (".svg", ".png"):
        raise Failure(f"{picture}: expected a name that ends in .svg or .png")
    programs = read_all(paths)
    if not any(program.branches for program in programs):
        raise Failure("no branch has run, or none has a profile")
    report.print_programs(programs)
    report.print_rules(programs)
    report.print_branches(programs, costliest)
    never_ran = sum(program.never_ran for program in programs)
    repeated = sum(program.repeated for program in programs)
    print(f"never ran: {never_ran} branches; not counted again in another module: {repeated}")
    if picture:
        chart.draw(programs, picture)
        say(f"wrote {picture}")


def read_all(paths: Sequence[pathlib.Path]) -> list[Program]:
    files = {path: files_of(path) for path in paths}
    add_library("tqdm")
    import tqdm

    size = sum(file.stat().st_size for parts in files.values() for file in parts)
    with tqdm.tqdm(total=size, unit="B", unit_scale=True, desc="reading", disable=None, leave=False) as bar:
        return [read(path.stem if path.is_file() else path.name, parts, bar.update) for path, parts in files.items()]
