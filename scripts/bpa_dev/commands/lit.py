"""Runs the FileCheck tests in lit-tests/ on the opt of one LLVM.

Tests of what only a debug build does build that in any case. Options for lit stand behind `--`.
"""

import argparse
import dataclasses

from ..lit import run_lit
from ..tools import add_options, find_tools


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_options(parser)
    parser.add_argument("--opt", metavar="PATH", help="what to run in place of opt, say something around it")
    parser.add_argument("--no-build", action="store_true", help="the debug plugin and the examples are built already")
    parser.add_argument("for_lit", nargs="*", metavar="TEST", help="tests and folders of tests (default: all)")


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin)
    if arguments.opt:
        tools = dataclasses.replace(tools, opt=(arguments.opt,))
    return run_lit(tools, arguments.for_lit, build=not arguments.no_build).returncode
