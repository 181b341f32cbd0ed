"""What `programs/` says: each program's source, how it is built and what it is run on."""

import dataclasses
import fnmatch
import pathlib
import tomllib
from collections.abc import Iterable, Sequence
from typing import Any

from bpa_dev.messages import Failure

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
#: The order of families, and so of programs: where programs share a function, the first one's counts.
FAMILIES = (
    *("text", "generators", "interpreters", "compilers", "documents", "stores", "compression", "sound", "pictures"),
    *("numbers", "cryptography", "solvers", "games", "geometry", "strings"),
)


@dataclasses.dataclass(frozen=True)
class Run:
    """One profile's worth of work."""

    what: str
    commands: str


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    family: str
    language: str
    #: Debian's name of the source package, its version, and the archive of it with the program's own source.
    package: str
    version: str
    archive: str
    sha256: str
    #: Shell commands, in the folder of the source: first without profiling, then with it.
    prepare: str
    build: str
    runs: tuple[Run, ...]
    #: Source files that are not the program's own, as patterns.
    exclude: tuple[str, ...] = ()
    #: Commands and files that have to be there, with the Debian packages that hold them.
    needs: tuple[tuple[str, str], ...] = ()
    #: Other programs of the corpus whose built source this one needs.
    after: tuple[str, ...] = ()
    #: Put aside: no model and no number is chosen by it.
    aside: bool = False


def load(folder: pathlib.Path = PROGRAMS) -> list[Program]:
    """All programs, in their order."""
    programs = [program for family in FAMILIES for program in of_family(folder / f"{family}.toml", family)]
    names = [program.name for program in programs]
    if len(set(names)) != len(names):
        raise Failure("two programs of one name")
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
    """Those of these names or families, which may be patterns; all, if there are no words."""
    patterns = list(words) or ["*"]
    for pattern in patterns:
        if not any(fnmatch.fnmatch(name, pattern) for p in programs for name in (p.name, p.family)):
            raise Failure(f"no program and no family {pattern}")
    return [p for p in programs if any(fnmatch.fnmatch(n, t) for n in (p.name, p.family) for t in patterns)]
