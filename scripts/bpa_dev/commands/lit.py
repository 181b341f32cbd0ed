"""Runs the FileCheck tests in lit-tests/ with the opt of one LLVM version.

Builds the debug plugin and the examples, because some tests need them. Options for lit follow `--`.
"""

import argparse
import dataclasses

from ..lit import run_lit
from ..tools import add_options, find_tools


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_options(parser)
    parser.add_argument("--opt", metavar="PATH", help="run this program instead of opt, for example a wrapper")
    parser.add_argument("--no-build", action="store_true", help="do not build the debug plugin and the examples")
    parser.add_argument("for_lit", nargs="*", metavar="TEST", help="test files and folders (default: all)")


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin)
    if arguments.opt:
        tools = dataclasses.replace(tools, opt=(arguments.opt,))
    return run_lit(tools, arguments.for_lit, build=not arguments.no_build)
