"""SQLite and a C++ program, built by clang and lld with estimated entry counts, and run."""

import os
import pathlib
import subprocess
from collections.abc import Sequence

from .. import sqlite
from ..corpus import SOURCES
from ..messages import Failure
from ..tools import Tools

WRITE = "rust-entry-counts<annotate;write=counts>"
#: Each way of building that writes counts: the flag of clang's, and what the plugin does in clang and in lld.
LINKS = {
    "ThinLTO, counts by clang": ("-flto=thin", f"pipeline-start:{WRITE}", None),
    "ThinLTO, counts by lld": ("-flto=thin", None, f"pipeline-early-simplification:{WRITE}"),
    "full LTO, counts by lld": ("-flto", None, f"full-lto-early:{WRITE}"),
}
#: What only prints, at a place where all is there and at one where it is optimised.
PRINTING = (
    "pipeline-start:rust-entry-counts<output=/dev/null>",
    "optimizer-last:rust-entry-counts<json;output=/dev/null>,print<rust-entry-counts;dot;output=/dev/null>",
)


class Program:
    """A program of some source files, in a folder of its own."""

    def __init__(self, name: str, tools: Tools) -> None:
        self.name = name
        self._tools = tools
        self.folder = tools.llvm.target / "entry-counts" / name
        self.folder.mkdir(parents=True, exist_ok=True)
        if name == "sqlite":
            source = sqlite.source()
            self._compiler, self._arguments = "clang", [*sqlite.FLAGS, f"-I{source}"]
            self.sources = [source / "sqlite3.c", SOURCES / "workload.c"]
            self._words: tuple[str, ...] = ()
        else:
            self._compiler, self._arguments = "clang++", ["-std=c++17"]
            self.sources, self._words = [SOURCES / "containers.cpp"], ("1+2*x", "(total-3)/7")

    def compile(self, way: str, *flags: str, pipeline: str | None = None) -> list[pathlib.Path]:
        """Objects of all source files."""
        objects = [self.folder / f"{source.stem}-{way}.o" for source in self.sources]
        plugin = [f"-fpass-plugin={self._tools.plugin}"] if pipeline else []
        for source, made in zip(self.sources, objects, strict=True):
            self._clang([*self._arguments, "-O2", *flags, *plugin, "-c", str(source), "-o", str(made)], pipeline)
        return objects

    def link(self, objects: Sequence[pathlib.Path], *flags: str, pipeline: str | None = None) -> str:
        """What the program does that is linked of these."""
        lld = f"-fuse-ld={self._tools.llvm.tool('ld.lld')}"
        plugin = [f"-Wl,--load-pass-plugin={self._tools.plugin}"] if pipeline else []
        program = self.folder / "program"
        self._clang([lld, *flags, *plugin, *map(str, objects), "-lm", "-o", str(program)], pipeline)
        return self._run(program)

    def _run(self, program: pathlib.Path) -> str:
        database = self.folder / "workload.db"
        database.unlink(missing_ok=True)
        done = subprocess.run([program, *self._words], cwd=self.folder, capture_output=True)
        written = database.read_bytes() if database.exists() else b""
        return f"exit status {done.returncode}, {done.stdout!r}, {done.stderr!r}, {written!r}"

    def _clang(self, words: Sequence[str], pipeline: str | None) -> None:
        environment = {**os.environ, "BPA_PIPELINE": pipeline or ""}
        command = [str(self._tools.llvm.tool(self._compiler)), *words]
        if subprocess.run(command, cwd=self.folder, env=environment).returncode != 0:
            raise Failure(f"{self._compiler} {' '.join(words)} failed")


def counted(program: Program, tools: Tools) -> int:
    """How many functions have counts in what the linker has kept of its modules before it made code of them."""
    files = list(program.folder.glob("*.4.opt.bc"))
    text = "".join(disassembled(file, tools) for file in files)
    for file in program.folder.glob("program.*"):
        file.unlink()
    for file in files:
        file.unlink(missing_ok=True)
    return sum(" !prof !" in line for line in text.splitlines() if line.startswith("define "))


def disassembled(file: pathlib.Path, tools: Tools) -> str:
    return subprocess.run([tools.opt[0], "-S", file, "-o", "-"], stdout=subprocess.PIPE, text=True, check=True).stdout
