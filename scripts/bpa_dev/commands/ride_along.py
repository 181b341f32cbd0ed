"""Builds SQLite with the plugin in clang, and with it in a ThinLTO link on two threads.

Weights must be in the code, and the programs do what one does that was built without the plugin.
"""

import argparse
import filecmp
import os
import pathlib
import shutil
import subprocess

from .. import sqlite
from ..comparing.runs import Word
from ..corpus import SOURCES
from ..messages import Failure, say
from ..tools import Tools, add_options, find_tools

#: clang by itself leaves none in SQLite, which has no hints.
LEAST_WEIGHTS = 10_000
PIPELINE = "optimizer-last:rust-bpi<annotate>"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    programs = Programs(find_tools(arguments.llvm, arguments.plugin))
    plain = programs.without_plugin()
    for built in (programs.in_clang(), programs.in_lld()):
        if not filecmp.cmp(plain, built, shallow=False):
            raise Failure(f"{built.stem} writes another database than {plain.stem}")
    print("programs built with the plugin do what the one without does")
    return 0


class Programs:
    """SQLite with a workload; each way of building it ends in the database that the program writes."""

    def __init__(self, tools: Tools) -> None:
        self.tools = tools
        self.clang, self.lld = tools.llvm.tool("clang"), tools.llvm.tool("ld.lld")
        self.source = sqlite.source()
        self.folder = tools.llvm.target / "ride-along"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)

    def without_plugin(self) -> pathlib.Path:
        say("building SQLite without the plugin")
        self.compile_sqlite("-O0", "-o", "plain-sqlite.o")
        self.compile_workload("-O0", "-o", "plain-workload.o")
        self.call_clang("plain-sqlite.o", "plain-workload.o", "-lm", "-o", "plain")
        return self.database_of("plain")

    def in_clang(self) -> pathlib.Path:
        say("building SQLite with the plugin in clang")
        plugin = f"-fpass-plugin={self.tools.plugin}"
        self.compile_sqlite("-O2", plugin, "-emit-llvm", "-o", "clang-sqlite.bc", annotate=True)
        self.expect_weights("clang -O2", [self.folder / "clang-sqlite.bc"])
        passes_have_run = ("-O2", "-Xclang", "-disable-llvm-passes")
        self.call_clang(*passes_have_run, "clang-sqlite.bc", "plain-workload.o", "-lm", "-o", "in-clang")
        return self.database_of("in-clang")

    def in_lld(self) -> pathlib.Path:
        say("building SQLite with the plugin in a ThinLTO link")
        self.compile_sqlite("-O2", "-flto=thin", "-o", "thin-sqlite.o")
        self.compile_workload("-O2", "-flto=thin", "-o", "thin-workload.o")
        linker = (f"-fuse-ld={self.lld}", f"-Wl,--load-pass-plugin={self.tools.plugin}")
        thin = ("-flto=thin", "-Wl,--thinlto-jobs=2", "-Wl,--save-temps")
        self.call_clang(*linker, *thin, "thin-sqlite.o", "thin-workload.o", "-lm", "-o", "in-lld", annotate=True)
        self.expect_weights("ThinLTO", sorted(self.folder.glob("thin-*.4.opt.bc")))
        return self.database_of("in-lld")

    # ---- steps -----------------------------------------------------------------------------------

    def compile_sqlite(self, *options: str, annotate: bool = False) -> None:
        self.call_clang(*sqlite.FLAGS, *options, "-c", str(self.source / "sqlite3.c"), annotate=annotate)

    def compile_workload(self, *options: str) -> None:
        self.call_clang(f"-I{self.source}", *options, "-c", str(SOURCES / "workload.c"))

    def call_clang(self, *arguments: str, annotate: bool = False) -> None:
        """With `annotate`, a plugin that is loaded writes weights."""
        environment = {**os.environ, **({"BPA_PIPELINE": PIPELINE} if annotate else {})}
        if subprocess.run([self.clang, *arguments], cwd=self.folder, env=environment).returncode != 0:
            raise Failure(f"clang {' '.join(arguments)} failed")

    def expect_weights(self, what: str, files: list[pathlib.Path]) -> None:
        count = sum(self.weighted(file) for file in files)
        if count <= LEAST_WEIGHTS:
            raise Failure(f"{what}: only {count} instructions have weights")
        say(f"{what}: {count} instructions have weights")

    def weighted(self, bitcode: pathlib.Path) -> int:
        """How many instructions have weights."""
        command: list[Word] = [self.tools.opt[0], "-S", bitcode, "-o", "-"]
        text = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
        return sum(b"!prof" in line for line in text.splitlines())

    def database_of(self, program: str) -> pathlib.Path:
        written = self.folder / "workload.db"
        written.unlink(missing_ok=True)
        code = subprocess.run([f"./{program}"], cwd=self.folder).returncode
        if code != 0:
            raise Failure(f"{program}: exit status {code}")
        return written.rename(self.folder / f"{program}.db")
