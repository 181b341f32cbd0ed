"""Reads `programs/`: the source, the build commands and the workloads of each program."""

import dataclasses
import fnmatch
import pathlib
import tomllib
from collections.abc import Iterable, Sequence
from typing import Any

from bpa_dev.messages import Failure

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
#: The families of programs, in the order in which the corpus contains them. A function that occurs in several programs
#: counts only in the first of these programs.
FAMILIES = (
    *("text", "generators", "interpreters", "compilers", "documents", "stores", "compression", "sound", "pictures"),
    *("numbers", "cryptography", "solvers", "games", "geometry", "strings", "rust"),
)


@dataclasses.dataclass(frozen=True)
class Run:
    """One run of a program. The run produces one profile."""

    what: str
    commands: str


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    family: str
    language: str
    #: The Debian source package or the crate, its version, and the archive with the original source.
    package: str
    version: str
    archive: str
    sha256: str
    #: The shell commands that run first, in the source folder. The commands run without instrumentation.
    prepare: str
    #: The shell commands that run after `prepare`, in the source folder. The commands run with instrumentation.
    build: str
    runs: tuple[Run, ...]
    #: Path patterns. A source file does not belong to the corpus if its path matches one of these patterns.
    exclude: tuple[str, ...] = ()
    #: The required commands and files, with their Debian packages.
    needs: tuple[tuple[str, str], ...] = ()
    #: The programs of the corpus that must be built before this program.
    after: tuple[str, ...] = ()
    #: Whether the program is held out: it must not be used to train models or to fit weights.
    held_out: bool = False


def load(folder: pathlib.Path = PROGRAMS) -> list[Program]:
    programs = [program for family in FAMILIES for program in of_family(folder / f"{family}.toml", family)]
    names = [program.name for program in programs]
    if len(set(names)) != len(names):
        raise Failure(f"{folder}: two programs have the same name")
    return programs


def of_family(file: pathlib.Path, family: str) -> list[Program]:
    if not file.exists():
        return []
    return [program(entry, family, file.name) for entry in tomllib.loads(file.read_text())["program"]]


def program(entry: dict[str, Any], family: str, where: str) -> Program:
    fields = dict(entry)
    fields["runs"] = tuple(Run(**run) for run in fields.pop("run"))
    fields["needs"] = tuple(sorted(fields.pop("needs", {}).items()))
    for name in ("exclude", "after"):
        fields[name] = tuple(fields.pop(name, ()))
    try:
        return Program(family=family, **{"prepare": "", **fields})
    except TypeError as error:
        raise Failure(f"{where}: {entry.get('name', 'a program')}: {error}") from None


def chosen(programs: Sequence[Program], words: Iterable[str]) -> list[Program]:
    """Returns the programs whose name or family matches one of the patterns `words`. Without patterns, returns all
    programs in C and C++. The IR of Rust programs needs the LLVM version of rustc."""
    patterns = list(words)
    if not patterns:
        return [p for p in programs if p.language != "Rust"]
    for pattern in patterns:
        if not any(fnmatch.fnmatch(name, pattern) for p in programs for name in (p.name, p.family)):
            raise Failure(f"no program or family matches {pattern}")
    return [p for p in programs if any(fnmatch.fnmatch(n, t) for n in (p.name, p.family) for t in patterns)]
