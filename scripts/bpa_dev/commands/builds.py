"""Builds SQLite with the plugin in clang and in a ThinLTO link, and compares the databases that the programs write.

With the plugin, clang writes branch weights, and the linker writes branch weights and entry counts. Each built program
must have these weights and counts. The database that the program writes must equal the database of a program that was
built without the plugin. A pipeline that only prints must not change the object file.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
from collections.abc import Iterable

from .. import sqlite
from ..corpus import SOURCES
from ..messages import Failure, announce
from ..tools import Tools, add_options, find_tools

#: SQLite has no branch hints, so clang writes no weights without the plugin.
LEAST_WEIGHTS = 10_000
LEAST_COUNTS = 100
WEIGHTS = "optimizer-last:rust-bpi<annotate>"
COUNTS = "pipeline-early-simplification:rust-entry-counts<annotate;write=counts>"
PRINTING = "optimizer-last:rust-bpi<output=/dev/null>,print<rust-entry-counts;output=/dev/null>"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin)
    build = Build(tools)
    plain = build.compile("plain")
    expected = build.link([plain])
    if build.compile("printing", pipeline=PRINTING).read_bytes() != plain.read_bytes():
        raise Failure("passes that only print have changed the object file")
    weighted = build.compile("weighted", "-emit-llvm", pipeline=WEIGHTS)
    build.expect_written([weighted], LEAST_WEIGHTS)
    build.expect_same(expected, [build.machine_code(weighted)])
    # Before LLVM 15, lld cannot load plugins.
    if tools.llvm.version >= 15:
        thin = build.compile("thin", "-flto=thin")
        build.expect_same(expected, [thin], pipeline=f"{COUNTS},{WEIGHTS}")
        build.expect_written(build.folder.glob("thin.o*.4.opt.bc"), LEAST_WEIGHTS, LEAST_COUNTS)
    print(f"{tools.llvm}: programs built with and without the plugin write the same database")
    return 0


class Build:
    """Builds SQLite and its workload in a separate folder."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._source = sqlite.source()
        self.folder = tools.llvm.target / "builds"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self._workload = self.folder / "workload.o"
        self._clang(f"-I{self._source}", "-O1", "-c", str(SOURCES / "workload.c"), "-o", str(self._workload))

    def compile(self, name: str, *options: str, pipeline: str = "") -> pathlib.Path:
        announce(f"compiling SQLite: {name}")
        made = self.folder / f"{name}.o"
        plugin = [f"-fpass-plugin={self._tools.plugin}"] if pipeline else []
        source = ["-c", str(self._source / "sqlite3.c"), "-o", str(made)]
        self._clang(*sqlite.FLAGS, "-O2", *options, *plugin, *source, pipeline=pipeline)
        return made

    def machine_code(self, bitcode: pathlib.Path) -> pathlib.Path:
        """Compiles optimised bitcode to an object file."""
        made = bitcode.with_suffix(".machine.o")
        self._clang("-O2", "-Xclang", "-disable-llvm-passes", "-x", "ir", "-c", str(bitcode), "-o", str(made))
        return made

    def link(self, objects: Iterable[pathlib.Path], *options: str, pipeline: str = "") -> bytes:
        """Links a program, runs it, and returns the database that it writes."""
        program, database = self.folder / "program", self.folder / "workload.db"
        self._clang(*options, *map(str, objects), str(self._workload), "-lm", "-o", str(program), pipeline=pipeline)
        database.unlink(missing_ok=True)
        if subprocess.run([program], cwd=self.folder).returncode != 0:
            raise Failure("the workload fails")
        return database.read_bytes()

    def expect_same(self, expected: bytes, objects: list[pathlib.Path], pipeline: str = "") -> None:
        lld = f"-fuse-ld={self._tools.llvm.tool('ld.lld')}"
        in_linker = [lld, "-flto=thin", f"-Wl,--load-pass-plugin={self._tools.plugin}", "-Wl,--save-temps"]
        if self.link(objects, *(in_linker if pipeline else []), pipeline=pipeline) != expected:
            raise Failure(f"the program of {objects[0].name} writes a different database")

    def expect_written(self, files: Iterable[pathlib.Path], weights: int, counts: int = 0) -> None:
        texts = [self._text(file) for file in files]
        functions = sum(len(re.findall(r"^define .* !prof ", text, re.MULTILINE)) for text in texts)
        branches = sum(len(re.findall(r"^  .*, !prof ", text, re.MULTILINE)) for text in texts)
        found = f"{branches} branches have weights, {functions} functions have counts"
        announce(found)
        if branches < weights or functions < counts:
            raise Failure(f"{found}; expected at least {weights} and {counts}")

    def _text(self, file: pathlib.Path) -> str:
        command = [self._tools.opt[0], "-S", str(file), "-o", "-"]
        return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout

    def _clang(self, *words: str, pipeline: str = "") -> None:
        command = [str(self._tools.llvm.tool("clang")), *words]
        if subprocess.run(command, cwd=self.folder, env={**os.environ, "BPA_PIPELINE": pipeline}).returncode != 0:
            raise Failure(f"clang {' '.join(words)} failed")
