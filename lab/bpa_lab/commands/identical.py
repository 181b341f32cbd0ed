"""Compares what compilers and linkers write with `rust-analyses` and without it, byte for byte, and prints a table.

    lab/run identical --llvm 16 sqlite cxx lz4 re2 ripgrep

`sqlite` and `cxx` are programs of `scripts/dev corpus`, and other names are programs of the corpus with profiles. All
outputs come from the unoptimised IR of the front end. For programs with a workload, each module is also compiled with
an instrumented profile of the workload. `sqlite` and `cxx` are also compiled with a sample profile, whose counts are
pseudo-random.

Some of LLVM's outputs vary from run to run, because the order of use lists depends on addresses. If LLVM's own output
varies, the bitcode is compared as text without use lists. The exit status is 0 only if no output differs.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import functools
import hashlib
import os
import pathlib
import random
import tempfile
from collections.abc import Callable, Iterator

from bpa_dev import sqlite
from bpa_dev.corpus import SOURCES, Corpus
from bpa_dev.messages import announce
from bpa_dev.shell import check
from bpa_dev.tools import Tools, add_options, find_tools

from ..effect import workloads
from ..effect.recipes import Recipes
from ..effect.subject import HERE, Subject
from ..effect.wrapper import UNOPTIMISED
from ..profiled import manifest
from ..profiled.build import Builder
from ..profiled.linking import link
from ..profiled.recording import Link, Module, Recording

LEVELS = ("O1", "O2", "O3", "Os", "Oz")
#: Writes a file with an additional option, which loads the plugin or does nothing.
Write = Callable[[pathlib.Path, tuple[str, ...]], object]


@dataclasses.dataclass(frozen=True)
class Comparison:
    row: str
    what: str
    #: The prefix of the option that loads the plugin.
    load: str
    write: Write
    #: Writes the same output without use lists.
    fallback: Write | None = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_options(parser)
    parser.add_argument("programs", nargs="+", metavar="PROGRAM")
    parser.add_argument("--levels", default=",".join(LEVELS), metavar="O1,...", help="default: %(default)s")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="J", help="parallel comparisons")


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin)
    # Only a process that has loaded the plugin reads this variable.
    os.environ["BPA_PIPELINE"] = "analyses"
    maker = Maker(tools, arguments.levels.split(","), arguments.jobs)
    compared: collections.Counter[str] = collections.Counter()
    differing: collections.Counter[str] = collections.Counter()
    varying: collections.Counter[str] = collections.Counter()

    def one(comparison: Comparison) -> None:
        is_equal = same(comparison.write, comparison.load, tools.plugin)
        if not is_equal and varies(comparison.write):
            varying[comparison.row] += 1
            is_equal = same(comparison.fallback or comparison.write, comparison.load, tools.plugin)
        compared[comparison.row] += 1
        differing[comparison.row] += not is_equal
        if not is_equal:
            announce(f"difference: {comparison.row}, {comparison.what}")

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for name in arguments.programs:
            announce(f"comparing {name}")
            list(pool.map(one, maker.comparisons(name)))
    print(f"| LLVM {tools.llvm.version} | compared | as text | differing |\n| --- | ---: | ---: | ---: |")
    for row in compared:
        print(f"| {row} | {compared[row]:,} | {varying[row]} | {differing[row]} |")
    print(f"| all | {compared.total():,} | {varying.total()} | {differing.total()} |")
    return 1 if differing.total() or not compared else 0


def same(write: Write, load: str, plugin: pathlib.Path) -> bool:
    return output(write, ()) == output(write, (f"{load}{plugin}",))


def varies(write: Write) -> bool:
    """Whether the output differs between runs without the plugin."""
    first = output(write, ())
    return any(output(write, ()) != first for _ in range(5))


def output(write: Write, options: tuple[str, ...]) -> bytes:
    with tempfile.TemporaryDirectory(prefix="bpa-identical-") as folder:
        file = pathlib.Path(folder, "output")
        write(file, options)
        return file.read_bytes()


class Maker:
    def __init__(self, tools: Tools, levels: list[str], jobs: int) -> None:
        self._tools, self._levels, self._jobs = tools, levels, jobs
        self._clang = tools.llvm.tool("clang")
        self._folder = tools.llvm.corpus / "identical"
        self._folder.mkdir(parents=True, exist_ok=True)

    def comparisons(self, name: str) -> Iterator[Comparison]:
        if name in ("sqlite", "cxx"):
            yield from self._single(name)
            return
        (program,) = manifest.chosen(manifest.load(), [name])
        builder = Builder(self._tools.llvm, self._jobs, self._tools.llvm.corpus / "effect", HERE / "wrapper.py")
        workload = workloads.load().get(name)
        subject = Subject(self._tools.llvm, program, workload, self._jobs) if workload else None
        if not subject:
            builder.build(program)
        files = builder.files(name)
        recording = Recording(files.kept.resolve(), files.source.resolve())
        modules = list(recording.modules.values())
        yield from self._of_modules(modules)
        if subject:
            profile, _ = subject.profile(Recipes(self._tools.llvm, False).counting())
            option = (f"-fprofile-use={profile}",)
            yield from (self._object("O2, instrumented profile", module, "O2", option) for module in modules)
        for kind in ("thin", "full") if self._tools.llvm.version >= 15 else ():
            objects = {module.name: self._for_lto(module, kind) for module in modules}
            for recorded in recording.all_links():

                def write(
                    file: pathlib.Path,
                    load: tuple[str, ...],
                    kind: str = kind,
                    recorded: Link = recorded,
                    objects: dict[str, pathlib.Path] = objects,
                ) -> None:
                    link(self._tools.llvm, recording, recorded, objects, file, (*self._lld(kind), *load))

                yield Comparison(
                    f"program, {kind} LTO", f"{name}: {recorded.program}", "-Wl,--load-pass-plugin=", write
                )

    def _single(self, name: str) -> Iterator[Comparison]:
        flags: tuple[str, ...] = ("-std=c++17",)
        source = SOURCES / "containers.cpp"
        compiler, libraries = "clang++", ["-lstdc++"]
        if name == "sqlite":
            compiler, libraries = "clang", ["-lm"]
            flags, source = (*sqlite.FLAGS, f"-I{sqlite.source()}"), sqlite.source() / "sqlite3.c"
            workload = self._front(Module("workload", SOURCES / "workload.c", flags, compiler), ())
            libraries.append(str(workload.file))
        written = Module(name, source, flags, compiler)
        modules = [self._front(written, ("-gline-tables-only",))]
        if name == "sqlite":
            profile = Corpus(self._tools.llvm).sqlite_profile().with_name("sqlite-profile-work") / "sqlite.profdata"
            named = dataclasses.replace(written, name="sqlite with a profile")
            modules.append(self._front(named, (f"-fprofile-instr-use={profile}",)))
        yield from self._of_modules(modules)
        samples = (f"-fprofile-sample-use={self._samples(modules[0])}",)
        yield from (self._object(f"{level}, sample profile", modules[0], level, samples) for level in ("O2", "O3"))
        for kind in ("thin", "full") if self._tools.llvm.version >= 15 else ():
            for module in modules:

                def write(file: pathlib.Path, load: tuple[str, ...], kind: str = kind, module: Module = module) -> None:
                    words: list[str | pathlib.Path] = [
                        self._for_lto(module, kind),
                        *libraries,
                        *self._lld(kind),
                        *load,
                        "-o",
                        file,
                    ]
                    check([self._clang, *words])

                yield Comparison(f"program, {kind} LTO", module.name, "-Wl,--load-pass-plugin=", write)

    def _of_modules(self, modules: list[Module]) -> Iterator[Comparison]:
        for level in self._levels:
            for module in modules:
                yield self._bitcode(module, level)
                yield self._object(level, module, level)

    def _bitcode(self, module: Module, level: str) -> Comparison:
        opt: list[str | pathlib.Path] = [*self._tools.opt, f"-passes=default<{level}>", module.file]

        def write(file: pathlib.Path, load: tuple[str, ...], how: str = "-preserve-bc-uselistorder") -> None:
            check([*opt, how, *load, "-o", file])

        text = functools.partial(write, how="-S")
        return Comparison(f"bitcode, {level}", module.name, "-load-pass-plugin=", write, text)

    def _object(self, row: str, module: Module, level: str, options: tuple[str, ...] = ()) -> Comparison:
        return Comparison(
            f"object, {row}",
            module.name,
            "-fpass-plugin=",
            lambda file, load: self._compile(module, file, f"-{level}", *options, *load),
        )

    def _front(self, module: Module, options: tuple[str, ...]) -> Module:
        """Compiles a source file to unoptimised IR."""
        file = self._folder / f"{module.name}.bc"
        if not file.exists():
            words: list[str | pathlib.Path] = [*module.options, *UNOPTIMISED, *options, "-c", module.file, "-o", file]
            check([self._tools.llvm.tool(module.compiler), *words])
        return Module(module.name, file, (), module.compiler)

    def _for_lto(self, module: Module, kind: str) -> pathlib.Path:
        digest = hashlib.sha256(str(module.file).encode()).hexdigest()[:16]
        file = self._folder / f"{digest}-{kind}.o"
        if not file.exists():
            self._compile(module, file, "-O2", f"-flto={kind}")
        return file

    def _lld(self, kind: str) -> list[str]:
        return [f"-fuse-ld={self._tools.llvm.tool('ld.lld')}", f"-flto={kind}", "-Wl,--thinlto-jobs=2"]

    def _compile(self, module: Module, file: pathlib.Path, *options: str) -> None:
        check([self._clang, *module.options, "-w", *options, "-x", "ir", "-c", module.file, "-o", file])

    def _samples(self, module: Module) -> pathlib.Path:
        """Writes a sample profile with pseudo-random counts for the lines of all functions."""
        rng, file = random.Random(1), self._folder / f"{module.name}.prof"
        symbols = check([self._tools.llvm.tool("llvm-nm"), "--defined-only", module.file]).splitlines()
        functions = [line.split()[-1] for line in symbols if line.split()[-2].lower() in "tw"]
        lines = ["".join(f" {line}: {rng.randrange(1, 9000)}\n" for line in range(60)) for _ in functions]
        pairs = zip(functions, lines, strict=True)
        file.write_text("".join(f"{name}:99000:{rng.randrange(500)}\n{text}" for name, text in pairs))
        return file
