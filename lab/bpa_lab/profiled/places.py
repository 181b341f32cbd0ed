"""Writes the IR of a program at several places of the pipeline, and compiles this IR to programs with counters.

The place `early` is LLVM's extension point `pipeline-early-simplification` in `default<O2>`, `middle` is
`optimizer-early`, and `late` is `optimizer-last`. `O0` is the unoptimised IR of clang.
"""

import concurrent.futures
import pathlib
import re
import shutil
import subprocess

from bpa_dev.llvm import Llvm
from bpa_dev.messages import Failure
from bpa_dev.shell import check

from .linking import link
from .recording import Link, Module, Recording
from .wrapper import EARLY, INSTRUMENT, WEIGHTS

EXTENSION_POINTS = {"early": "pipeline-early-simplification", "middle": "optimizer-early", "late": "optimizer-last"}
PLACES = (*EXTENSION_POINTS, "O0")
SIMPLIFY = "function(sroa<modify-cfg>,early-cse,simplifycfg)"
#: BEGIN matches the position where a printed module begins. MESSAGE matches a message that a pass prints.
BEGIN = re.compile(rb"(?m)^(?=; ModuleID = )")
MESSAGE = re.compile(rb"(?m)^(?:warning|remark): (?! *;).*\n")


class Places:
    """`folder` has one subfolder for each pipeline place. Each subfolder contains the IR of each module, and the
    linked programs."""

    def __init__(self, llvm: Llvm, folder: pathlib.Path, recording: Recording, jobs: int) -> None:
        self._folder = folder
        self._llvm = llvm
        self._opt = str(llvm.tool("opt"))
        self._recording = recording
        self._links = recording.all_links()
        self._jobs = jobs

    def modules(self, place: str) -> dict[str, tuple[pathlib.Path, pathlib.Path]]:
        """For each module, returns two IR files: the IR at the place `place`, and the IR at the place `early`."""
        found = self._recording.modules_of(self._links)
        return {module.name: (self._ir(place, module), self._ir("early", module)) for module in found}

    def link(self, place: str) -> None:
        """Links the programs and the shared libraries of the source folder. Their code has counters, which are added at
        the pipeline place `place`."""
        folder = self._folder / place
        for old in (folder / "objects", folder / "programs"):
            shutil.rmtree(old, ignore_errors=True)
        modules = self._recording.modules_of(self._links)
        objects = {module.name: folder / "objects" / f"{module.name}.o" for module in modules}
        with concurrent.futures.ThreadPoolExecutor(self._jobs) as pool:
            for _ in pool.map(lambda module: self._compile(place, module, objects[module.name]), modules):
                pass
        for recorded in self._links:
            target = self._program(place, recorded)
            link(self._llvm, self._recording, recorded, objects, target, ("-fprofile-generate",))
        shutil.rmtree(folder / "objects", ignore_errors=True)

    def install(self, place: str) -> None:
        """Copies the programs and libraries that `link` made for the pipeline point `place` to the source folder."""
        for recorded in self._links:
            target = self._recording.source / recorded.program
            target.unlink(missing_ok=True)
            shutil.copy2(self._program(place, recorded), target)

    def _ir(self, place: str, module: Module) -> pathlib.Path:
        return self._folder / place / "ir" / f"{module.name}.ll"

    def _program(self, place: str, recorded: Link) -> pathlib.Path:
        return self._folder / place / "programs" / recorded.program

    def _compile(self, place: str, module: Module, target: pathlib.Path) -> None:
        """Writes the IR of a module, and compiles it with counters."""
        self._write_ir(place, module)
        target.parent.mkdir(parents=True, exist_ok=True)
        counted = target.with_suffix(".bc")
        passes = f"-passes=pgo-instr-gen,instrprof{fast(place, module)}"
        check([self._opt, passes, *INSTRUMENT, "-do-counter-promotion", self._ir(place, module), "-o", counted])
        code = ["-O1", "-Xclang", "-disable-llvm-passes", "-w", "-x", "ir"]
        check([module.compiler, *module.options, *code, "-c", counted, "-o", target])
        counted.unlink()

    def _write_ir(self, place: str, module: Module) -> None:
        """Writes the IR of `module` at the pipeline point `place`. Also writes the IR at all other points that the same
        run of opt prints."""
        if self._ir(place, module).exists():
            return
        if place in ("middle", "late"):
            points = [f"-passes-ep-{point}=print" for point in EXTENSION_POINTS.values()]
            made = dict(zip(EXTENSION_POINTS, self._printed("default<O2>", module, *points), strict=True))
        else:
            made = {"O0": module.file.read_bytes(), "early": self._printed(f"{EARLY},print", module)[0]}
        for name, text in made.items():
            file = self._ir(name, module)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(WEIGHTS.sub(b"", text))

    def _printed(self, passes: str, module: Module, *points: str) -> list[bytes]:
        """Runs passes, and returns the modules that the passes print."""
        command = [self._opt, f"-passes={passes}", *points, "-disable-output", str(module.file)]
        done = subprocess.run(command, capture_output=True)
        if done.returncode != 0:
            raise Failure(f"{module.name}: {done.stderr[-300:].decode(errors='replace')}")
        return BEGIN.split(MESSAGE.sub(b"", done.stderr))[1:]


def fast(place: str, module: Module) -> str:
    """Returns the passes that run after the counters are added. These passes make the program with the counters faster.
    Running all passes of -O1 instead would take most of the build time. C++ needs inlining."""
    if place in ("middle", "late"):
        return ""
    is_c = pathlib.Path(module.compiler).name == "clang"
    return (f",{SIMPLIFY}" if place == "O0" else "") + ("" if is_c else f",cgscc(inline),{SIMPLIFY}")
