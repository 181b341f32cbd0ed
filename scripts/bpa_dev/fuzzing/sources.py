"""Where modules come from: each source makes one from a random stream, and says what it shall go through."""

import functools
import random
import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from ..comparing import optnone, printers, runs
from ..comparing.differences import readable
from ..comparing.runs import Word
from ..corpus import Corpus
from ..irgen.module import write_modules
from ..irgen.shapes import LARGEST
from ..irgen.taste import PROFILES
from ..messages import say
from ..tools import Tools, find_files
from . import passes
from .passes import Stage

PROGRAMS = ("sqlite", "cxx", "expect", "sqlite-profile")
MARKED = re.compile(rb"^(define .*) optnone", re.MULTILINE)
#: How many draws of a hundred are compared by what is printed.
PRINTED = 6


class Draw(NamedTuple):
    """A module on disk, in which no function is marked `optnone`; and what it shall go through."""

    path: Path
    stages: list[Stage]
    #: For `opt`.
    flags: tuple[str, ...] = ()
    #: Both sides print what they know, which costs more than to compare it in the process.
    printed: bool = False


class Maker:
    """What all sources need: the tools, pipelines of passes, and how long a run may take, in seconds."""

    def __init__(self, tools: Tools, timeout: float) -> None:
        self.tools = tools
        self.timeout = timeout

    @functools.cached_property
    def pipelines(self) -> passes.Pipelines:
        return passes.Pipelines(self.tools)

    @functools.cached_property
    def mutations(self) -> Path:
        """The plugin that changes functions."""
        self.tools.llvm.cargo("build", "--quiet", "--release", "--example", "mutations")
        return self.tools.llvm.target / "release" / "examples" / "libmutations.so"

    def command(self, pipeline: Sequence[str], *options: str) -> list[str]:
        """`opt` with these passes, and with the plugins that they need; a file has to follow."""
        text = ",".join(pipeline) or "no-op-module"
        plugin = [f"-load-pass-plugin={self.mutations}"] if "fuzz-" in text else []
        return self.tools.opt_command(text, *plugin, *options)

    def run(self, *command: Word) -> None:
        """Runs something that has to end well."""
        done = runs.run(command, self.timeout)
        if done.ending is not runs.Ending.FINE:
            raise passes.Trouble(done)

    def transform(self, path: Path, pipeline: Sequence[str], out: Path, *flags: str) -> Path:
        """Runs passes on a file; the new file keeps the order of uses."""
        self.run(*self.command(pipeline, *flags), path, "-o", out)
        return out


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
        count = rng.choice((1, 100, 400, 400, 600))
        malformed = rng.random() < 0.15
        write_modules(
            folder,
            functions=count,
            per_module=count,
            seed=rng.randrange(1 << 32),
            profile=profile,
            llvm=self._maker.tools.llvm.version,
            malformed=malformed,
            largest=rng.choices((3, 4, 5, 6, 8, 12, LARGEST), (4, 4, 4, 4, 4, 4, 1))[0],
        )
        (path,) = folder.glob("*.ll")
        path.write_bytes(MARKED.sub(rb"\1", path.read_bytes()))
        pipelines = self._maker.pipelines
        if rng.random() < PRINTED / 100:
            stages = [] if malformed else pipelines.of_llvm(rng)
            return Draw(path, stages, ("-disable-verify",) * malformed, printed=True)
        stages = passes.mutations(rng, "malformed") if malformed else pipelines.mixed(rng)
        return Draw(path, stages, ("-disable-verify",) * malformed)


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
        return either(path, rng, self._maker.pipelines)


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
        return either(piece, rng, self._maker.pipelines)

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
        pipelines = self._maker.pipelines
        if rng.random() >= PRINTED / 100:
            back = [["function(mem2reg)", passes.FORGET], *pipelines.mixed(rng)] if rng.random() < 0.7 else []
            return Draw(piece, [["function(reg2mem)", passes.FORGET], *passes.mutations(rng), *back])
        once = ["function(reg2mem)", passes.mutation(rng, "rewire", "expect")]
        once += ["function(mem2reg)"] if rng.random() < 0.7 else []
        rewired = self._maker.transform(piece, once, folder / "rewired.bc")
        return Draw(rewired, pipelines.of_llvm(rng), printed=True)


def either(path: Path, rng: random.Random, pipelines: passes.Pipelines) -> Draw:
    """The module to be compared in one way or the other."""
    if rng.random() < PRINTED / 100:
        return Draw(path, pipelines.of_llvm(rng), printed=True)
    return Draw(path, pipelines.mixed(rng))


def defined_functions(file: Path, tools: Tools) -> list[str]:
    """The functions of a file, in order, as LLVM's printer goes through them: a list of symbols has aliases too."""
    done = runs.run([*tools.opt, "-disable-output", f"-passes={printers.LLVM_PRINTER}", file], None)
    return [readable(name) for name in printers.HEADER.findall(done.stderr)]


#: How often each is drawn from.
WEIGHTS = {"generated": 6, "llvm-stress": 1, "programs": 2, "rewired": 2}


def make_sources(maker: Maker, names: Collection[str]) -> dict[Source, int]:
    """The sources of these names, with how often each is drawn from."""
    say(f"{len(maker.pipelines)} of LLVM's passes to mangle with, and {maker.mutations}")
    sources: list[Source] = [Generated(maker), Stress(maker)]
    if {"programs", "rewired"} & set(names):
        programs = Programs(maker)
        sources += [programs, Rewired(maker, programs)]
    return {source: WEIGHTS[source.name] for source in sources if source.name in names}
