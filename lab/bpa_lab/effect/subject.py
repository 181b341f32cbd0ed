"""Builds, runs and measures several variants of a program."""

import json
import pathlib

from bpa_dev.llvm import Llvm
from bpa_dev.messages import Failure, announce
from bpa_dev.shell import check

from ..profiled.build import Builder
from ..profiled.inputs_of_links import digest
from ..profiled.linking import link
from ..profiled.manifest import Program
from ..profiled.recording import Recording
from .callgrind import Counts
from .recipes import Recipe, compile_all
from .running import Work

HERE = pathlib.Path(__file__).resolve().parent
#: Increase these numbers if the wrapper records different data, or if instructions are counted in a different way.
BUILD_FORMAT = "1"
COUNTS_FORMAT = "1"


class Subject:
    """Caches the recorded build, the object files and the counts, by a hash of their inputs."""

    def __init__(self, llvm: Llvm, program: Program, commands: str, jobs: int) -> None:
        self._llvm = llvm
        self._jobs = jobs
        self.name = program.name
        builder = Builder(llvm, jobs, llvm.corpus / "effect", HERE / "wrapper.py")
        self._built = builder.build(program, [BUILD_FORMAT])
        self._folder = builder.files(program.name).program.resolve()
        source = self._folder / "source"
        self._recipes = self._folder / f"recipes-{self._built[:8]}"
        self._recording = Recording(self._folder / "kept", source)
        commands = self._recording.with_programs(commands)
        self._links = self._recording.links(commands)
        self.modules = self._recording.modules_of(self._links)
        self._work = Work(commands, source)
        self._of = digest(f"{COUNTS_FORMAT}\0{self._built}\0{commands}".encode())
        self._output: str | None = None

    def programs(self, recipe: Recipe) -> pathlib.Path:
        """Builds and links the programs if necessary, and returns their folder."""
        folder = self._folder_of(recipe)
        objects = compile_all(recipe, self.modules, folder / "objects", self._jobs)
        programs = folder / "programs"
        for recorded in self._links:
            target = programs / recorded.program
            if not target.exists():
                link(self._llvm, self._recording, recorded, objects, target, recipe.link_options)
        return programs

    def profile(self, recipe: Recipe) -> tuple[pathlib.Path, str]:
        """Runs the instrumented programs. Returns the profile, and a hash of the profile's inputs."""
        file = self._folder_of(recipe) / f"{self._of[:16]}.profdata"
        if not file.exists():
            announce(f"{self.name}: the profile, {recipe.key}")
            programs = self.programs(recipe)
            self._check_output(programs, self._work.profile(programs, self._llvm.tool("llvm-profdata"), file))
        return file, self._of

    def counts(self, recipe: Recipe) -> Counts:
        """Counts the instructions of the workload. Counts identical programs only once."""
        programs = self.programs(recipe)
        contents = [(programs / recorded.program).read_bytes() for recorded in self._links]
        of = digest("\0".join([self._of, *map(digest, contents)]).encode())
        file = self._recipes / "counts" / f"{of}.json"
        if file.exists():
            return Counts(**json.loads(file.read_text()))
        output, counts = self._work.count(programs)
        self._check_output(programs, output)
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(vars(counts)))
        return counts

    def check(self, recipe: Recipe) -> None:
        programs = self.programs(recipe)
        self._check_output(programs, self._work.run(programs))

    def size(self, recipe: Recipe) -> int:
        """Returns the size of the code in bytes."""
        folder = self.programs(recipe)
        files = [folder / recorded.program for recorded in self._links]
        printed = check([self._llvm.tool("llvm-size"), "-A", *files])
        rows = [line.split() for line in printed.splitlines()]
        return sum(int(row[1]) for row in rows if row and row[0] == ".text")

    def _folder_of(self, recipe: Recipe) -> pathlib.Path:
        return self._recipes / recipe.digest

    def _check_output(self, programs: pathlib.Path, output: str) -> None:
        """Fails if the output differs from the output of the original program."""
        if self._output is None:
            self._output = self._work.run(self._original())
        if output != self._output:
            raise Failure(f"{self.name}: the output of {programs} differs from the original program")

    def _original(self) -> pathlib.Path:
        return self._folder / "source"
