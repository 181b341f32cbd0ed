"""One program that is built in several ways."""

import json
import pathlib

from bpa_dev.checked_tools import check
from bpa_dev.llvm import Llvm
from bpa_dev.messages import Failure, announce

from ..profiled.build import Builder
from ..profiled.manifest import Program
from .callgrind import Counts
from .inputs_of_links import digest
from .linking import link
from .recording import Recording
from .running import Work
from .ways import Way, compile_all

HERE = pathlib.Path(__file__).resolve().parent
#: To be raised when the wrapper keeps something else, or when programs are counted otherwise.
BUILD_FORMAT = "1"
COUNTS_FORMAT = "1"


class Subject:
    """What it is built of is kept, and so are its objects and counts, by what they depend on."""

    def __init__(self, llvm: Llvm, program: Program, commands: str, jobs: int) -> None:
        self._llvm = llvm
        self._jobs = jobs
        self.name = program.name
        builder = Builder(llvm, jobs, llvm.corpus / "effect", HERE / "wrapper.py")
        self._built = builder.build(program, [BUILD_FORMAT])
        self._folder = builder.place(program.name).folder.resolve()
        source = self._folder / "source"
        self._ways = self._folder / f"ways-{self._built[:8]}"
        self._recording = Recording(self._folder / "kept", source)
        self._links = self._recording.links(commands)
        self._modules = self._recording.modules_of(self._links)
        self._work = Work(commands, source)
        self._of = digest(f"{COUNTS_FORMAT}\0{self._built}\0{commands}".encode())
        self._output: str | None = None

    def programs(self, way: Way, order: int = 0) -> pathlib.Path:
        """The folder of the programs as this way makes them, linked in an order."""
        folder = self._folder_of(way)
        objects = compile_all(way, self._modules, folder / "objects", self._jobs)
        programs = folder / f"order-{order}"
        for recorded in self._links:
            target = programs / recorded.program
            if not target.exists():
                link(self._llvm, self._recording, recorded, objects, target, order, way.link_options)
        return programs

    def profile(self, way: Way) -> tuple[pathlib.Path, str]:
        """The profile of a run of programs with counters, and its key."""
        file = self._folder_of(way) / f"{self._of[:16]}.profdata"
        if not file.exists():
            announce(f"{self.name}: the profile, {way.key}")
            programs = self.programs(way)
            self._check_output(programs, self._work.profile(programs, self._llvm.tool("llvm-profdata"), file))
        return file, self._of

    def counts(self, way: Way) -> Counts:
        """What the programs do on their work. Ways that make the same programs, byte for byte, are counted once."""
        programs = self.programs(way)
        contents = [(programs / recorded.program).read_bytes() for recorded in self._links]
        of = digest("\0".join([self._of, *map(digest, contents)]).encode())
        file = self._ways / "counts" / f"{of}.json"
        if file.exists():
            return Counts(**json.loads(file.read_text()))
        output, counts = self._work.count(programs)
        self._check_output(programs, output)
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(vars(counts)))
        return counts

    def seconds(self, way: Way, order: int) -> float:
        programs = self.programs(way, order)
        outcome = self._work.run(programs)
        self._check_output(programs, outcome.output)
        return outcome.seconds

    def size(self, way: Way) -> int:
        """Bytes of code."""
        folder = self.programs(way)
        files = [folder / recorded.program for recorded in self._links]
        printed = check([self._llvm.tool("llvm-size"), "-A", *files])
        rows = [line.split() for line in printed.splitlines()]
        return sum(int(row[1]) for row in rows if row and row[0] == ".text")

    def _folder_of(self, way: Way) -> pathlib.Path:
        return self._ways / way.digest

    def _check_output(self, programs: pathlib.Path, output: str) -> None:
        """All ways of building a program have to say the same as the program as it was built first."""
        if self._output is None:
            self._output = self._work.run(self._original()).output
        if output != self._output:
            raise Failure(f"{self.name}: {programs} says something else than the others on the same work")

    def _original(self) -> pathlib.Path:
        """Where they are as they were built."""
        return self._folder / "source"
