"""Compares the IR that a pass of bpa writes with the IR that an LLVM pass writes, byte for byte.

    scripts/dev transform-parity 'rust-analyses,default<O2>' 'default<O2>' FILE|DIR...

With --use-lists, the order of the users of each value is compared as well.

For every file, `opt -S` runs with the pass of bpa, with LLVM's pass and without a pass. The run without a pass shows
whether LLVM's pass changes the file. The files must not contain functions with the attribute `optnone`, because LLVM
skips such functions.

The exit status is 0 only if LLVM's pass changed at least one file, no line differs and nothing crashed.
"""

import argparse
import pathlib

from ..comparing import many, transforms
from ..comparing.verdict import Verdict
from ..tools import add_file_options, find_files, find_tools


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ours", metavar="OURS", help="a pipeline with a pass of bpa")
    parser.add_argument("theirs", metavar="THEIRS", help="a pipeline with a pass of LLVM")
    parser.add_argument("--use-lists", action="store_true", help="compare the order of use lists")
    add_file_options(parser)


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin, arguments.opt_flag)

    def compare(path: pathlib.Path) -> Verdict:
        flags = ("-preserve-ll-uselistorder",) if arguments.use_lists else ()
        return transforms.compare(path, arguments.ours, arguments.theirs, tools, arguments.timeout, flags=flags)

    files = list(find_files(arguments.inputs))
    verdicts = many.compare_all(files, compare, jobs=arguments.jobs, show=arguments.show)
    changed = sum(v.changed for v in verdicts)
    nothing = "" if changed else ": nothing compared"
    print(
        f"transform-parity: {len(verdicts)} files, {changed} of them changed by {arguments.theirs}, "
        f"{many.figures(verdicts)}{nothing}"
    )
    return 0 if changed and many.all_well(verdicts) else 1
