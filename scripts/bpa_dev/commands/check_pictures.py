"""Checks that Graphviz draws each function of any IR or bitcode, and its calls, without a word, as well-formed SVG."""

import argparse
import pathlib
import subprocess
import tempfile
from xml.etree import ElementTree

from ..messages import Failure
from ..tools import add_file_options, find_files, find_tools


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_options(parser)


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin, arguments.opt_flag)
    count = 0
    for path in find_files(arguments.inputs):
        with tempfile.TemporaryDirectory() as folder:
            # No function has a file of that name: theirs begin with a dot.
            calls = f"rust-entry-counts<dot;output={folder}/calls.dot>"
            command = tools.opt_command(f"rust-bfi<dot;output={folder}>,{calls}", "-disable-output")
            if subprocess.run([*command, path], stderr=subprocess.DEVNULL).returncode != 0:
                raise Failure(f"opt fails on {path}")
            for graph in pathlib.Path(folder).glob("*.dot"):
                draw(graph)
                count += 1
    print(f"{count} pictures")
    return 0 if count else 1


def draw(graph: pathlib.Path) -> None:
    picture = graph.with_suffix(".svg")
    done = subprocess.run(["dot", "-Tsvg", graph, "-o", picture], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.stdout or done.returncode != 0:
        raise Failure(f"dot does not like {graph.name}: {done.stdout.decode(errors='replace')}")
    ElementTree.parse(picture)
