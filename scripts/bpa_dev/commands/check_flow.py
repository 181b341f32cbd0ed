"""Recomputes frequencies from JSON alone: that of each block from the edges that lead to it (docs/src/reference/flow.py)."""

import argparse
import pathlib
import subprocess
import sys
import tempfile

from ..messages import Failure
from ..paths import DOCS
from ..tools import add_file_options, find_files, find_tools


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_options(parser)


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin, arguments.opt_flag)
    for path in find_files(arguments.inputs):
        with tempfile.TemporaryDirectory() as folder:
            printed = pathlib.Path(folder, "flow.json")
            command = tools.opt_command(f"rust-bfi<json;output={printed}>", "-disable-output")
            if subprocess.run([*command, path]).returncode != 0:
                raise Failure(f"opt fails on {path}")
            if subprocess.run([sys.executable, "-B", DOCS / "src/reference/flow.py", printed]).returncode != 0:
                return 1
    return 0
