"""Checks that LLVM takes what `rust-entry-counts<annotate>` writes, on any IR or bitcode.

On each file LLVM's print-profile-summary has to tell hot and cold functions as the written counts and summary have
them, and with each degree `default<O2>,verify` has to go well. What LLVM does not optimise without counts either is
counted apart.
"""

import argparse
import concurrent.futures
import pathlib

from ..entry_counts import read_back
from ..tools import Tools, add_file_options, find_files, find_tools


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_options(parser)


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin, arguments.opt_flag)
    files = list(find_files(arguments.inputs))
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(lambda file: check(file, tools), files))
    functions, runs, llvms = (sum(column) for column in zip(*results, strict=True))
    print(
        f"{tools.llvm}: {len(files)} modules, {functions} functions with counts, {runs} runs of -O2 and the verifier "
        f"behind them went well, {llvms} fail in LLVM without counts, too"
    )
    return 0


def check(file: pathlib.Path, tools: Tools) -> tuple[int, int, int]:
    """How many functions have counts, in how many degrees -O2 went well, and in how many it fails by itself."""
    functions = read_back.check_summary(file, tools)
    went_well = sum(read_back.optimise(file, degree, tools) for degree in read_back.DEGREES)
    return functions, went_well, len(read_back.DEGREES) - went_well
