"""Input files of workloads: texts from the sources of the corpus, and generated files.

Commands use these files as `$INPUTS/NAME`. A file is made when a command first needs it. The bytes of a file are the
same on every machine.
"""

import inspect
import pathlib
import re
from collections.abc import Callable, Iterator

from bpa_dev.messages import Failure
from bpa_dev.paths import TARGET

from . import manifest, media, records, solving, sources

FOLDER = TARGET / "corpus" / "inputs"
MENTIONED = re.compile(r"\$INPUTS/([\w.-]*)")


def from_sources(*wanted: tuple[str, str]) -> Callable[[], bytes]:
    """Concatenates source files. Each item of `wanted` is the name of a program and a pattern of file names."""

    def make() -> bytes:
        programs = {program.name: program for program in manifest.load()}
        texts = [file.read_bytes() for name, pattern in wanted for file in matching(programs[name], pattern)]
        if not texts:
            raise Failure(f"no files match {wanted}")
        return b"".join(texts)

    return make


def matching(program: manifest.Program, pattern: str) -> Iterator[pathlib.Path]:
    folder = FOLDER / "sources" / program.name
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        sources.unpack(program, folder)
    yield from sorted(file for file in folder.glob(pattern) if file.is_file())


#: The functions that generate the files. If the source code of such a function changes, the file is generated again.
INPUTS: dict[str, Callable[[], bytes]] = {
    "manual.txt": from_sources(("gawk", "doc/gawk.texi"), ("bison", "doc/bison.texi"), ("m4", "doc/m4.texi")),
    "manual2.txt": from_sources(("coreutils", "doc/coreutils.texi"), ("sed", "doc/sed.texi"), ("flex", "doc/*.texi")),
    "changes.txt": from_sources(("gawk", "ChangeLog*"), ("coreutils", "NEWS"), ("grep", "ChangeLog*")),
    "code.txt": from_sources(("gawk", "*.c"), ("coreutils", "src/*.c")),
    "code2.txt": from_sources(("bison", "src/*.c"), ("m4", "src/*.c"), ("diffutils", "src/*.c"), ("sed", "sed/*.c")),
    "markup.html": from_sources(("libvorbis", "doc/**/*.html"), ("lame", "doc/html/*.html")),
    "log.txt": records.log,
    "table.csv": records.table,
    "numbers.txt": records.numbers,
    "records.json": records.json_records,
    "figures.json": records.json_figures,
    "catalogue.xml": records.xml_catalogue,
    "article.xml": records.xml_article,
    "speech.wav": media.speech,
    "music.wav": media.music,
    "photo.ppm": media.photo,
    "drawing.ppm": media.drawing,
    "random.cnf": solving.random_formula,
    "random2.cnf": solving.random_unsatisfiable,
    "colouring.cnf": solving.colouring,
    "multiplier.cnf": solving.multiplier,
    "transport.lp": solving.transport,
    "knapsack.lp": solving.knapsack,
}


def names(commands: str) -> list[str]:
    return sorted(set(MENTIONED.findall(commands)))


def prepare(commands: str) -> pathlib.Path:
    """Makes the files that the commands mention, and returns their folder."""
    for name in names(commands):
        file = FOLDER / name
        if name not in INPUTS:
            raise Failure(f"$INPUTS/{name}: there is no input file of this name")
        stamp = FOLDER / f"{name}.version"
        version = version_of(name)
        with sources.INPUTS_LOCK:
            if not (file.exists() and stamp.exists() and stamp.read_text() == version):
                FOLDER.mkdir(parents=True, exist_ok=True)
                file.write_bytes(INPUTS[name]())
                stamp.write_text(version)
    return FOLDER


def versions(commands: str) -> list[str]:
    return [f"{name} {version_of(name)}" for name in names(commands)]


def version_of(name: str) -> str:
    make = INPUTS.get(name)
    if make is None:
        return ""
    closed = inspect.getclosurevars(make).nonlocals
    return repr(closed.get("wanted")) if "wanted" in closed else inspect.getsource(make)
