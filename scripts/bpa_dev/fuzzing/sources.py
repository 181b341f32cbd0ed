"""Where modules come from: each source makes one from a random stream, and stages of random passes for it."""

import functools
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from ..comparing import optnone, printers, runs
from ..comparing.differences import readable
from ..comparing.runs import Word
from ..corpus import Corpus
from ..irgen.module import write_modules
from ..irgen.taste import PROFILES
from ..messages import say
from ..tools import Tools, find_files
from . import passes
from .rewiring import rewire

PROGRAMS = ("sqlite", "cxx", "expect", "sqlite-profile")
MARKED = re.compile(rb"^(define .*) optnone", re.MULTILINE)


class Draw(NamedTuple):
    """A module on disk, in which no function is marked `optnone`; and what it shall go through, a list of passes
    for each stage."""

    path: Path
    stages: list[list[str]]
    #: For `opt`.
    flags: tuple[str, ...] = ()


class Maker:
    """What all sources need: the tools, pipelines of LLVM's passes, and how long a run may take, in seconds."""

    def __init__(self, tools: Tools, timeout: float) -> None:
        self.tools = tools
        self.timeout = timeout

    @functools.cached_property
    def pipelines(self) -> passes.Pipelines:
        return passes.Pipelines(self.tools)

    def run(self, *command: Word) -> None:
        """Runs something that has to end well."""
        done = runs.run(command, self.timeout)
        if done.ending is not runs.Ending.FINE:
            raise passes.Trouble(done)

    def transform(self, path: Path, pipeline: Sequence[str], out: Path, *flags: str) -> Path:
        """Runs passes of LLVM's on a file; the new file keeps the order of uses."""
        self.run(*self.tools.opt, *flags, f"-passes={','.join(pipeline)}", path, "-o", out)
        return out

    def stages(self, rng: random.Random) -> list[list[str]]:
        return [self.pipelines.draw(rng, 2) for _ in range(rng.randint(0, 6))]


class Source(Protocol):
    """Draws modules into a folder."""

    name: str

    def draw(self, rng: random.Random, folder: Path) -> Draw: ...


class Generated:
    """The generator, at all its settings."""

    name = "generated"

    def __init__(self, maker: Maker) -> None:
        self._maker = maker

    def draw(self, rng: random.Random, folder: Path) -> Draw:
        profile = rng.choice(PROFILES)
        count = rng.choice((1, 100, 200, 400, 400))
        malformed = rng.random() < 0.15
        write_modules(
            folder,
            functions=count,
            per_module=count,
            seed=rng.randrange(1 << 32),
            profile=profile,
            llvm=self._maker.tools.llvm.version,
            malformed=malformed,
        )
        (path,) = folder.glob("*.ll")
        path.write_bytes(MARKED.sub(rb"\1", path.read_bytes()))
        if malformed:
            return Draw(path, [], ("-disable-verify",))
        return Draw(path, self._maker.stages(rng))


class Stress:
    """llvm-stress: several of its functions in one module."""

    name = "llvm-stress"

    def __init__(self, maker: Maker) -> None:
        self._maker = maker

    def draw(self, rng: random.Random, folder: Path) -> Draw:
        files = []
        for _ in range(rng.choice((5, 20, 40))):
            seed, size = rng.randrange(1 << 31), int(20 * 100 ** rng.random())
            files.append(folder / f"{seed}.ll")
            self._maker.run(
                self._maker.tools.llvm.bin / "llvm-stress", f"-seed={seed}", f"-size={size}", "-o", files[-1]
            )
        path = folder / "stress.bc"
        self._maker.run(self._maker.tools.llvm.bin / "llvm-link", *files, "-o", path)
        return Draw(path, self._maker.stages(rng))


class Programs:
    """Pieces of SQLite and of a C++ program, mangled by LLVM's passes."""

    name = "programs"

    def __init__(self, maker: Maker) -> None:
        self._maker = maker
        corpus = Corpus(maker.tools.llvm)
        # Folder by folder, so that programs count alike however many files they have.
        self._files = [
            [optnone.forms_for(file, maker.tools)[1] for file in find_files([str(corpus.make(name))])]
            for name in PROGRAMS
        ]
        self._functions: dict[Path, list[str]] = {}

    def draw(self, rng: random.Random, folder: Path) -> Draw:
        piece = self.piece(rng, folder)
        if rng.random() < 0.5:
            # Lowered expectations are compared on the file.
            piece = self._maker.transform(piece, self._maker.pipelines.draw(rng, 3), folder / "mangled.bc")
        return Draw(piece, self._maker.stages(rng))

    def piece(self, rng: random.Random, folder: Path) -> Path:
        """Some neighbouring functions of one of the files, which call one another at times."""
        file = rng.choice(rng.choice(self._files))
        names = self._names(file)
        count = rng.choice((20, 300, 600, 900))
        first = rng.randrange(max(1, len(names) - count))
        piece = folder / "piece.bc"
        self._maker.run(
            self._maker.tools.llvm.bin / "llvm-extract",
            *(f"--func={name}" for name in names[first : first + count]),
            file,
            "-o",
            piece,
        )
        return piece

    def _names(self, file: Path) -> list[str]:
        if file not in self._functions:
            self._functions[file] = defined_functions(file, self._maker.tools)
        return self._functions[file]


class Rewired:
    """Pieces of programs whose branches go elsewhere."""

    name = "rewired"

    def __init__(self, maker: Maker, programs: Programs) -> None:
        self._maker = maker
        self._programs = programs

    def draw(self, rng: random.Random, folder: Path) -> Draw:
        piece = self._programs.piece(rng, folder)
        text = folder / "demoted.ll"
        self._maker.transform(piece, ["function(reg2mem)"], text, "-S")
        rewired = folder / "rewired.ll"
        rewired.write_text(rewire(text.read_text(), rng))
        back = ["function(mem2reg)"] if rng.random() < 0.7 else ["verify"]
        return Draw(self._maker.transform(rewired, back, folder / "rewired.bc"), self._maker.stages(rng))


def defined_functions(file: Path, tools: Tools) -> list[str]:
    """The functions of a file, in order, as LLVM's printer goes through them: a list of symbols has aliases too."""
    done = runs.run([*tools.opt, "-disable-output", f"-passes={printers.LLVM_PRINTER}", file], None)
    return [readable(name) for name in printers.HEADER.findall(done.stderr)]


def all_sources(maker: Maker) -> dict[Source, int]:
    """Every source, with how often it is drawn from."""
    say(f"{len(maker.pipelines)} of LLVM's passes to mangle with")
    programs = Programs(maker)
    return {Generated(maker): 4, Stress(maker): 1, programs: 4, Rewired(maker, programs): 3}
