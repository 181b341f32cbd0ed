"""Applies a patch of `bpa hints --patch` to a small program, runs it and measures again."""

import argparse
import pathlib
import tempfile

from .. import patch_checks as checks
from .. import shell
from ..tools import add_options, find_tools
from ..tried import Tried


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin)
    with tempfile.TemporaryDirectory() as folder:
        checks.writes_patches(Tried(tools, shell.ask("build_command"), pathlib.Path(folder)))
    print("bpa hints --patch: as it should be")
    return 0
