"""Adds up the lines of rust-bpi<score;json> of the modules of programs, and prints a table of the rules.

PROGRAM is a file of such lines, or a folder of files: all of them are one program. If there are several programs, their
mean is printed as well, in which each has one vote. docs/src/guide/profiles.md has the definitions.
"""

import argparse
import pathlib
import sys
from collections.abc import Sequence

from ..messages import Failure, error
from . import report
from .records import files_of, read


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="scripts/score", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("programs", nargs="+", metavar="PROGRAM", type=pathlib.Path)
    parser.add_argument("--costliest", type=int, default=20, metavar="N", help="branches that are listed (default: 20)")
    arguments = parser.parse_args(words)
    try:
        run(arguments.programs, arguments.costliest)
    except (Failure, OSError) as failure:
        error(f"scripts/score: {failure}")
        return 1
    except BrokenPipeError:  # the reader has closed its end, as `head` does
        sys.stderr.close()
        return 1
    return 0


def run(paths: Sequence[pathlib.Path], costliest: int) -> None:
    files = {path: files_of(path) for path in paths}
    programs = [read(path.stem if path.is_file() else path.name, parts) for path, parts in files.items()]
    if not any(program.branches for program in programs):
        raise Failure("no branch has run, or none has a profile")
    report.print_programs(programs)
    report.print_rules(programs)
    report.print_branches(programs, costliest)
    never_ran = sum(program.never_ran for program in programs)
    repeated = sum(program.repeated for program in programs)
    print(f"never ran: {never_ran} branches; not counted again in another module: {repeated}")
