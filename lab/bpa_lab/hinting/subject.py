"""One program: measured, patched, and held against itself."""

import dataclasses
import json
import pathlib
import statistics
import subprocess
import tomllib

from bpa_dev import shell
from bpa_dev.messages import Failure, say
from bpa_dev.tools import Tools

from ..effect.callgrind import Counts
from ..effect.running import Work
from ..effect.table import AGAIN
from ..profiled.manifest import Program
from .misses import Misses, Reader, Truth, misses
from .tree import Tree

TESTS = pathlib.Path(__file__).resolve().parent / "tests.toml"
OPTIMISED = "-O2"
COUNTED = "-O2 -fprofile-instr-generate"


@dataclasses.dataclass(frozen=True)
class Result:
    written: int
    left_out: int
    #: Before and after, on each of the program's runs: the hints were made of the first.
    misses: list[tuple[Misses, Misses]]
    counts: tuple[Counts, Counts]
    #: The medians of the processor's seconds, without hints, with them, and without once more; empty if not timed.
    seconds: dict[str, list[float]]


class Subject:
    def __init__(self, tools: Tools, program: Program, work: str, jobs: int) -> None:
        self._tools = tools
        self._program = program
        self._work = work
        self._folder = tools.llvm.corpus / "hints" / program.name
        self._counted, self._plain, self._patched = (
            Tree(tools.llvm, program, self._folder / name, jobs) for name in ("counted", "plain", "patched")
        )
        self._tests = tomllib.loads(TESTS.read_text()).get(program.name)

    def result(self, rounds: int) -> Result:
        if self._tests is None:
            raise Failure(f"nothing tells how {self._program.name} is tested: hinting/tests.toml")
        name = self._program.name
        say(f"{name}: building and running it with counters")
        self._counted.build(COUNTED)
        # What needs other programs of the corpus is left out.
        runs = [run for run in self._program.runs if "$SRC/.." not in run.commands and "${SRC}/.." not in run.commands]
        profiles = [self._profile(number, run.commands) for number, run in enumerate(runs)]
        say(f"{name}: building it plainly")
        self._plain.build(OPTIMISED)
        reader = Reader(self._tools)
        truths = [reader.truths(self._plain.commands(), profile) for profile in profiles]
        say(f"{name}: the patch")
        written, left_out, patch = self._patch(profiles[0])
        self._patched.build(OPTIMISED, patch)
        say(f"{name}: its tests, and its work under valgrind")
        self._check()
        return Result(written, left_out, self._misses(reader, truths), self._counts(), self._seconds(rounds))

    def _profile(self, number: int, commands: str) -> pathlib.Path:
        profile = (self._folder / f"run-{number}.profdata").resolve()
        source = self._counted.source
        Work(commands, source).profile(source, self._tools.llvm.tool("llvm-profdata"), profile)
        return profile

    def _patch(self, profile: pathlib.Path) -> tuple[int, int, pathlib.Path]:
        """How many hints it writes, how many it leaves out, and the file."""
        database = self._folder / "compile_commands.json"
        database.write_text(json.dumps(self._plain.commands()))
        tools = ["--llvm", str(self._tools.llvm.version), "--plugin", str(self._tools.plugin)]
        command = [shell.ask("build_command"), "hints", "--patch", *tools, "--profile", str(profile)]
        done = subprocess.run(
            [*command, str(database.resolve())],
            cwd=self._plain.source,
            capture_output=True,
            text=True,
            errors="surrogateescape",
        )
        (self._folder / "left-out").write_text(done.stderr, errors="surrogateescape")
        if done.returncode != 0:
            raise Failure(f"bpa hints --patch fails: {done.stderr[-500:]}")
        patch = (self._folder / "hints.patch").resolve()
        patch.write_text(done.stdout, errors="surrogateescape")
        words = done.stderr.splitlines()[-1].split()
        return int(words[0]), int(words[3]), patch

    def _check(self) -> None:
        """Tests and work say the same before and after."""
        assert self._tests is not None
        if build := self._tests.get("build"):
            for tree in (self._plain, self._patched):
                tree.shell(build)
        for commands in (self._tests["commands"], self._work):
            work = Work(commands, self._plain.source)
            if work.run(self._plain.source).output != work.run(self._patched.source).output:
                raise Failure(f"{self._program.name} says something else after the patch")

    def _misses(self, reader: Reader, truths: list[list[list[Truth]]]) -> list[tuple[Misses, Misses]]:
        before, after = (reader.answers(tree.commands()) for tree in (self._plain, self._patched))
        return [(misses(truth, before), misses(truth, after)) for truth in truths]

    def _counts(self) -> tuple[Counts, Counts]:
        work = Work(self._work, self._plain.source)
        before, after = (work.count(tree.source)[1] for tree in (self._plain, self._patched))
        return before, after

    def _seconds(self, rounds: int) -> dict[str, list[float]]:
        """By turns, so that what else the machine does meets all alike."""
        work = Work(self._work, self._plain.source)
        trees = {"without hints": self._plain, "with hints": self._patched, AGAIN: self._plain}
        times: dict[str, list[float]] = {name: [] for name in trees}
        for _ in range(rounds):
            for name, tree in trees.items():
                times[name].append(work.run(tree.source).seconds)
        return {name: [statistics.median(ran)] for name, ran in times.items() if ran}
