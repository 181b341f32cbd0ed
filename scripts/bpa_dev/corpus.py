"""Bitcode for comparisons and benchmarks: programs, and random modules. The folder is target/corpus/llvm-N/."""

import concurrent.futures
import dataclasses
import os
import pathlib
import re
import shutil
from collections.abc import Callable

from . import sqlite
from .irgen.module import write_modules
from .llvm import Llvm
from .messages import announce
from .paths import ROOT, SCRIPTS
from .shell import check

SOURCES = SCRIPTS / "bpa_dev" / "corpus_sources"
ONE_FILE = re.compile(r"(sqlite|cxx)(-named)?-(O[0-3s])")
SQLITE_FILES = ("O0", "O1", "O2", "O3", "Os", "named-O0", "named-O2")
CXX_FILES = ("O0", "O2")
PROFILED_LEVELS = ("O0", "O1", "O2")


@dataclasses.dataclass(frozen=True)
class Amounts:
    #: The number of llvm-stress modules.
    count: int = 400
    #: The number of generated functions, and the options of the generator.
    functions: int = 8000
    profile: str = "general"
    seed: int = 1


class Corpus:
    """The bitcode files for the tests of one LLVM version. Files that exist are not written again."""

    def __init__(self, llvm: Llvm, amounts: Amounts | None = None) -> None:
        self._llvm = llvm
        self._folder = llvm.corpus
        self._amounts = amounts or Amounts()

    def make(self, name: str) -> pathlib.Path:
        """Makes the file or the folder `name`, and returns the path."""
        if ONE_FILE.fullmatch(name):
            return self._one_file(name)
        return FOLDERS[name](self)

    # ---- programs --------------------------------------------------------------------------------------------------

    def _one_file(self, name: str) -> pathlib.Path:
        program, _, level = name.partition("-")
        file = self._folder / program / f"{name}.bc"
        flags = [f"-{level.removeprefix('named-')}"]
        if level.startswith("named-"):
            flags.append("-fno-discard-value-names")
        if program == "sqlite":
            return self._sqlite(file, *flags)
        source = SOURCES / "containers.cpp"
        if file.exists() and source.stat().st_mtime > file.stat().st_mtime:
            file.unlink()
        return self._compile(file, "clang++", "-std=c++17", *flags, "-emit-llvm", "-c", str(source))

    def _sqlite(self, file: pathlib.Path, *flags: str) -> pathlib.Path:
        if file.exists():
            return file
        source = sqlite.source() / "sqlite3.c"
        return self._compile(file, "clang", *sqlite.FLAGS, *flags, "-emit-llvm", "-c", str(source))

    def sqlite(self) -> pathlib.Path:
        for level in SQLITE_FILES:
            self._one_file(f"sqlite-{level}")
        return self._folder / "sqlite"

    def cxx(self) -> pathlib.Path:
        for level in CXX_FILES:
            self._one_file(f"cxx-{level}")
        return self._folder / "cxx"

    def sqlite_profile(self) -> pathlib.Path:
        """Compiles SQLite with a profile of a workload. Large parts of SQLite are never executed."""
        folder = self._folder / "sqlite-profile"
        profile = self._folder / "sqlite-profile-work" / "sqlite.profdata"
        if not profile.exists():
            self._record_profile(profile)
        using = (f"-fprofile-instr-use={profile}", f"-I{sqlite.source()}")
        for level in PROFILED_LEVELS:
            self._sqlite(folder / f"sqlite-profile-{level}.bc", f"-{level}", *using)
        return folder

    def _record_profile(self, profile: pathlib.Path) -> None:
        work = profile.parent
        instrument = ("-O1", "-fprofile-instr-generate")
        bitcode = self._sqlite(work / "instrumented.bc", *instrument)
        sources = (f"-I{sqlite.source()}", str(SOURCES / "workload.c"), str(bitcode))
        workload = self._compile(work / "workload", "clang", *instrument, *sources, "-lm")
        announce("running the SQLite workload")
        (work / "workload.db").unlink(missing_ok=True)
        check([workload], work, {"LLVM_PROFILE_FILE": "run.profraw"})
        merge = [str(self._llvm.tool("llvm-profdata")), "merge", str(work / "run.profraw"), "-o"]
        make_file(profile, lambda partial: check([*merge, str(partial)]))

    def _compile(self, file: pathlib.Path, compiler: str, *arguments: str) -> pathlib.Path:
        def compile_to(partial: pathlib.Path) -> None:
            check([str(self._llvm.tool(compiler)), *arguments, "-o", str(partial)])

        return make_file(file, compile_to)

    # ---- random modules --------------------------------------------------------------------------------------------

    def stress(self) -> pathlib.Path:
        """Makes modules with llvm-stress. Module N depends only on N, so a larger count only adds modules."""
        folder, numbers = self._folder / "stress", range(1, self._amounts.count + 1)
        announce(f"making {self._amounts.count} llvm-stress modules in {shown(folder)}")
        tool = str(self._llvm.tool("llvm-stress"))

        def make(number: int) -> pathlib.Path:
            command = [tool, f"-seed={number}", f"-size={50 + number * 977 % 1951}", "-o"]
            file = folder / f"stress-{number}.ll"
            return make_file(file, lambda partial: check([*command, str(partial)]), quietly=True)

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            files = list(pool.map(make, numbers))
        # The folder can contain more modules, from an earlier run with a larger count.
        selection = self._folder / f"stress-{self._amounts.count}"
        selection.mkdir(parents=True, exist_ok=True)
        for file in files:
            link = selection / file.name
            link.unlink(missing_ok=True)
            link.hardlink_to(file)
        return selection

    def generated(self) -> pathlib.Path:
        """Always generates the functions again, because the generator can have changed. It takes seconds."""
        amounts = self._amounts
        folder = self._folder / f"generated-{amounts.profile}-{amounts.functions}-{amounts.seed}"
        announce(f"generating {amounts.functions} functions ({amounts.profile}, seed {amounts.seed})")
        shutil.rmtree(folder, ignore_errors=True)
        write_modules(
            folder,
            functions=amounts.functions,
            per_module=100,
            seed=amounts.seed,
            profile=amounts.profile,
            llvm=self._llvm.version,
        )
        return folder


FOLDERS: dict[str, Callable[[Corpus], pathlib.Path]] = {
    "sqlite": Corpus.sqlite,
    "cxx": Corpus.cxx,
    "stress": Corpus.stress,
    "generated": Corpus.generated,
    "sqlite-profile": Corpus.sqlite_profile,
}


def is_name(name: str) -> bool:
    return name in FOLDERS or ONE_FILE.fullmatch(name) is not None


def make_file(file: pathlib.Path, make: Callable[[pathlib.Path], object], *, quietly: bool = False) -> pathlib.Path:
    """Calls `make` with a temporary name, and renames the result. An interrupted run leaves no partial file."""
    if not file.exists():
        if not quietly:
            announce(f"making {shown(file)}")
        file.parent.mkdir(parents=True, exist_ok=True)
        partial = file.with_name(f"{file.name}.partial")
        make(partial)
        partial.rename(file)
    return file


def shown(path: pathlib.Path) -> pathlib.Path:
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
