"""Runs every `opt` of the FileCheck tests under valgrind, and tells what it finds in the plugin.

An error or a leak is ours if libbpa.so is anywhere on the stack: what LLVM does with what we hand to it counts too.
What valgrind has to say of LLVM alone is left out.

Exits with 0 only if the tests pass, and valgrind has run and found nothing of ours.
"""

import argparse
import dataclasses
import pathlib
import shlex

from .. import memcheck
from ..lit import run_lit
from ..tools import add_options, find_tools


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_options(parser)
    parser.add_argument("for_lit", nargs="*", metavar="TEST", help="tests and folders; behind `--`, lit's options too")


def run(arguments: argparse.Namespace) -> int:
    memcheck.require()
    tools = find_tools(arguments.llvm, arguments.plugin)
    folder = memcheck.new_folder(tools.llvm.target / "valgrind")
    watching = dataclasses.replace(tools, opt=(str(watched(tools.opt[0], folder)),))
    tests = run_lit(watching, arguments.for_lit)
    found = memcheck.Report(sorted(folder.glob("*.xml")))
    found.tell()
    return 1 if tests.returncode or not found.is_clean() else 0


def watched(opt: str, folder: pathlib.Path) -> pathlib.Path:
    """A program that runs `opt` under valgrind, which writes what it finds to a file a process.

    If a standard stream is closed, it runs `opt` alone, as valgrind would open the stream.
    """
    program = folder / "opt"
    command = shlex.join([*memcheck.VALGRIND, f"--xml-file={folder}/%p.xml", opt])
    closed = " || ".join(f"[ ! -e /dev/fd/{stream} ]" for stream in range(3))
    program.write_text(f'#!/bin/sh\nif {closed}; then exec {shlex.quote(opt)} "$@"; fi\nexec {command} "$@"\n')
    program.chmod(0o755)
    return program
