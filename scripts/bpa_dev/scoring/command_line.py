"""Sums the numbers that rust-bpi<score;json> prints for the modules of programs. Prints tables of rules and branches.

PROGRAM is a file with output lines of rust-bpi<score;json>, or a folder of such files. For several programs, the
tables also have unweighted means over the programs. docs/src/guide/profiles.md defines the columns.
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
    parser.add_argument(
        "--costliest", type=int, default=20, metavar="N", help="number of branches to list (default: 20)"
    )
    arguments = parser.parse_args(words)
    try:
        run(arguments.programs, arguments.costliest)
    except (Failure, OSError) as failure:
        error(f"scripts/score: {failure}")
        return 1
    except BrokenPipeError:  # The program that reads the output, for example `head`, has ended.
        sys.stderr.close()
        return 1
    return 0


def run(paths: Sequence[pathlib.Path], costliest: int) -> None:
    files = {path: files_of(path) for path in paths}
    programs = [read(path.stem if path.is_file() else path.name, parts) for path, parts in files.items()]
    if not any(program.branches for program in programs):
        raise Failure("the files have no branch with profiled executions")
    report.print_programs(programs)
    report.print_rules(programs)
    report.print_branches(programs, costliest)
    never_ran = sum(program.never_ran for program in programs)
    repeated = sum(program.repeated for program in programs)
    print(f"branches that never ran: {never_ran}; copies in other modules, not counted: {repeated}")
