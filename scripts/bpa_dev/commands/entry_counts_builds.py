"""Builds SQLite and a C++ program by clang and lld with `rust-entry-counts`.

Without `annotate` each object file has to be the one that clang makes without the plugin, byte for byte. With it,
functions have counts, and programs linked by ThinLTO and by full LTO do what they do without. Before LLVM 15 lld
loads no plugins, and nothing is linked.
"""

import argparse

from ..entry_counts.builds import LINKS, PRINTING, WRITE, Program, counted
from ..messages import Failure, say
from ..tools import Tools, add_options, find_tools

PROGRAMS = ("sqlite", "cxx")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin)
    for name in PROGRAMS:
        program = Program(name, tools)
        check_objects(program)
        if tools.llvm.version >= 15:
            check_links(program, tools)
    print(f"{tools.llvm}: objects without annotate are as without the plugin; programs with counts do what they did")
    return 0


def check_objects(program: Program) -> None:
    plain = [made.read_bytes() for made in program.compile("plain")]
    for pipeline in PRINTING:
        printing = program.compile("printing", pipeline=pipeline)
        if [made.read_bytes() for made in printing] != plain:
            raise Failure(f"{program.name}: {pipeline} changes an object file")
    say(f"{program.name}: {sum(map(len, plain)):,} bytes of object files, none differs where nothing is written")
    # Otherwise nothing would say that the plugin was there.
    written = program.compile("written", pipeline=f"pipeline-start:{WRITE}")
    if [made.read_bytes() for made in written] == plain:
        raise Failure(f"{program.name}: counts change no object file")


def check_links(program: Program, tools: Tools) -> None:
    expected = program.link(program.compile("plain"))
    for what, (flag, in_clang, in_lld) in LINKS.items():
        objects = program.compile("lto", flag, pipeline=in_clang)
        if program.link(objects, "-O2", flag, "-Wl,--save-temps", pipeline=in_lld) != expected:
            raise Failure(f"{program.name}, {what}: the program does something else")
        functions = counted(program, tools)
        if not functions:
            raise Failure(f"{program.name}, {what}: no function has a count")
        say(f"{program.name}, {what}: {functions} functions with counts, and it does what it did")
