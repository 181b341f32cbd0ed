"""Builds a program with counters, runs the program, and writes the IR with the measured profile. The counters are added
at a selected point of the pipeline."""

import dataclasses
import functools
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence

from bpa_dev.llvm import Llvm
from bpa_dev.messages import Failure, announce
from bpa_dev.paths import ROOT

from . import inputs, sources, truth
from .manifest import Program, Run
from .places import PLACES, Places
from .recording import Recording

HERE = pathlib.Path(__file__).resolve().parent
WORKLOADS = HERE / "workloads"
# The versions of the files that the wrapper, places.py and truth.py write. If a file changes, increase its version.
BUILD_FORMAT = "2"
PLACE_FORMAT = "1"
TRUTH_FORMAT = "4"
#: With these options, rustc runs no LLVM pass, and gives bitcode to the linker.
RUST = "-C linker-plugin-lto -C no-prepopulate-passes -C codegen-units=1 -C debuginfo=line-tables-only"
SHELL = ("bash", "-euo", "pipefail", "-c")


@dataclasses.dataclass(frozen=True)
class Files:
    """The files and folders for one program and one point of the pass pipeline."""

    program: pathlib.Path
    place: str = "early"

    @property
    def folder(self) -> pathlib.Path:
        return self.program / self.place

    @property
    def source(self) -> pathlib.Path:
        return self.program / "source"

    @property
    def kept(self) -> pathlib.Path:
        """The folder that contains clang's IR and the recorded linker commands."""
        return self.program / "kept"

    def truth(self, number: int) -> pathlib.Path:
        """The folder of the IR files that contain the profile of run `number`."""
        return self.folder / f"truth-{number}"

    def profile(self, number: int) -> pathlib.Path:
        return self.folder / f"run-{number}.profdata"

    def stamp(self, step: str) -> pathlib.Path:
        """The file that exists if `step` is complete. The file contains a hash of the inputs of `step`."""
        return (self.program if step == "build" else self.folder) / f"{step}.done"

    @property
    def log(self) -> pathlib.Path:
        return self.program / "log"

    def seconds(self) -> dict[str, float]:
        """Returns the seconds that each complete step took."""
        stamps = [self.stamp("build"), *sorted(self.folder.glob("*.done"))]
        return {stamp.stem: json.loads(stamp.read_text())["seconds"] for stamp in stamps}


class Builder:
    """Builds programs in `folder` with `wrapper` as compiler."""

    def __init__(
        self, llvm: Llvm, jobs: int, folder: pathlib.Path | None = None, wrapper: pathlib.Path = HERE / "wrapper.py"
    ) -> None:
        self._llvm = llvm
        self._jobs = jobs
        self._folder = folder or llvm.corpus / "profiled"
        self._compilers = self._folder / "bin"
        write_compilers(llvm, self._compilers, wrapper, "BPA_KEEP")

    def files(self, name: str, place: str = "early") -> Files:
        return Files(self._folder / name, place)

    def make(self, program: Program, place: str) -> None:
        """Builds the program, and runs it with counters that are added at the pipeline point `place`. Writes the IR at
        this point, with profiles. Skips steps whose inputs have not changed."""
        built = self.build(program)
        files = self.files(program.name, place)
        places = Places(self._llvm, files.program, Recording(files.kept, files.source), self._jobs)
        files.folder.mkdir(exist_ok=True)
        linked = self._step(files, "link", [built, PLACE_FORMAT], lambda: places.link(place))
        for number, run in enumerate(program.runs):
            work = [linked, run.commands, *inputs.versions(run.commands), *workload_files(run.commands)]
            run_once = functools.partial(self._run, program, files, places, number, run)
            ran = self._step(files, f"run-{number}", work, run_once)
            write_truth = functools.partial(self._write_truth, files, places, number)
            self._step(files, f"truth-{number}", [ran, TRUTH_FORMAT], write_truth)

    def build(self, program: Program, depends: Sequence[str] = ()) -> str:
        """Builds the program if its inputs or `depends` have changed. Returns the hash of these inputs."""
        files = self.files(program.name)
        files.program.mkdir(parents=True, exist_ok=True)
        for command, package in program.needs:
            if not (pathlib.Path(command).exists() if command.startswith("/") else shutil.which(command)):
                raise Failure(f"{program.name} needs {command}: install the Debian package {package}")
        recipe = [program.archive, program.sha256, program.prepare, program.build, *program.exclude]
        recipe += [*workload_files(program.build), *depends]
        return self._step(files, "build", [BUILD_FORMAT, *recipe], lambda: self._build(program, files))

    def _step(self, files: Files, name: str, depends: list[str], work: Callable[[], None]) -> str:
        """Calls `work` if the inputs in the list `depends` have changed. Returns the hash of the inputs."""
        wanted = hashlib.sha256("\0".join(depends).encode()).hexdigest()
        stamp = files.stamp(name)
        if not (stamp.exists() and json.loads(stamp.read_text())["of"] == wanted):
            stamp.unlink(missing_ok=True)
            announce(f"{files.program.name}: {name}" + ("" if name == "build" else f", {files.place}"))
            start = time.monotonic()
            work()
            stamp.write_text(json.dumps({"of": wanted, "seconds": round(time.monotonic() - start, 1)}))
        return wanted

    def _build(self, program: Program, files: Files) -> None:
        sources.unpack(program, files.source)
        for old in (files.kept, *(files.program / place for place in PLACES)):
            shutil.rmtree(old, ignore_errors=True)
        files.log.unlink(missing_ok=True)
        environment = self._environment(program, files)
        self._shell(files, program.prepare, files.source, environment)
        recording = {"BPA_KEEP": str(files.kept), "BPA_EXCLUDE": ":".join(program.exclude)}
        self._shell(files, program.build, files.source, {**environment, **recording})
        if not any(file.suffix in (".ll", ".bc") for file in files.kept.rglob("*")):
            raise Failure(f"{program.name}: the build did not use the compiler in $CC or $CXX")

    def _run(self, program: Program, files: Files, places: Places, number: int, run: Run) -> None:
        places.install(files.place)
        raw, out = files.folder / f"raw-{number}", files.folder / "out"
        for folder in (raw, out):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        environment = self._environment(program, files)
        environment |= {"LLVM_PROFILE_FILE": f"{raw}/%m.profraw", "OUT": str(out)}
        environment["INPUTS"] = str(inputs.prepare(run.commands))
        self._shell(files, run.commands, out, environment)
        shutil.rmtree(out)
        found = [str(file) for file in raw.glob("*.profraw")]
        if not found:
            raise Failure(f"{program.name}: the run wrote no profile")
        merge = [str(self._llvm.tool("llvm-profdata")), "merge", "-o", str(files.profile(number)), *found]
        self._logged(files, merge, files.folder, environment)
        shutil.rmtree(raw)

    def _write_truth(self, files: Files, places: Places, number: int) -> None:
        modules = places.modules(files.place)
        warnings = truth.write(self._llvm, modules, files.profile(number), files.truth(number))
        with files.log.open("a", errors="surrogateescape") as log:
            log.write(warnings)

    def _environment(self, program: Program, files: Files) -> dict[str, str]:
        environment = build_environment(self._llvm, self._compilers, files.source, self._jobs)
        environment["BPA_SOURCE"] = str(files.source)
        for name in program.after:
            environment[f"SRC_{name.replace('-', '_')}"] = str(self.files(name).source)
        return environment

    def _shell(self, files: Files, commands: str, folder: pathlib.Path, environment: Mapping[str, str]) -> None:
        self._logged(files, [*SHELL, f"set -x\n{commands}"], folder, environment)

    def _logged(self, files: Files, command: list[str], folder: pathlib.Path, environment: Mapping[str, str]) -> None:
        """Runs a command that must succeed. Writes the output of the command to the log of the program."""
        with files.log.open("ab") as log:
            variables = {**os.environ, **environment}
            done = subprocess.run(
                command, cwd=folder, env=variables, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
            )
        if done.returncode != 0:
            log_name = files.log.relative_to(ROOT) if files.log.is_relative_to(ROOT) else files.log
            raise Failure(f"{files.program.name} failed; see {log_name}")


def build_environment(llvm: Llvm, compilers: pathlib.Path, source: pathlib.Path, jobs: int) -> dict[str, str]:
    """Returns the environment in which a program's build uses the compilers of `write_compilers`."""
    return {
        "CC": str(compilers / "cc"),
        "CXX": str(compilers / "c++"),
        "AR": str(llvm.tool("llvm-ar")),
        "RANLIB": str(llvm.tool("llvm-ranlib")),
        # With a target, cargo does not use RUSTFLAGS for build scripts.
        "CARGO_BUILD_TARGET": "x86_64-unknown-linux-gnu",
        "RUSTFLAGS": f"-C linker={compilers / 'c++'} {RUST}",
        "BPA_BIN": str(llvm.bin),
        "SRC": str(source),
        "WORKLOADS": str(WORKLOADS),
        # Some builds run instrumented programs. The profiles of these runs must be discarded.
        "LLVM_PROFILE_FILE": "/dev/null",
        "MAKEFLAGS": f"-j{jobs}",
        "LC_ALL": "C",
        "TZ": "UTC",
    }


def write_compilers(llvm: Llvm, folder: pathlib.Path, wrapper: pathlib.Path, variable: str) -> None:
    """Writes the scripts `cc` and `c++`. The scripts run `wrapper` if `variable` is set in the environment, and clang
    otherwise."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, compiler in (("cc", "clang"), ("c++", "clang++")):
        script = folder / name
        # A configure script runs the compiler hundreds of times, and does not set the environment variable `variable`.
        # For these runs, the shell starts the compiler directly, because Python would start too slowly.
        plain = f'[ -n "${variable}" ] || exec {llvm.tool(compiler)} "$@"\n'
        python = f"{sys.executable} -ES -X pycache_prefix={folder}"
        text = f'#!/bin/sh\n{plain}exec {python} {wrapper} {compiler} "$@"\n'
        if not script.exists() or script.read_text() != text:
            script.write_text(text)
            script.chmod(0o755)


def workload_files(commands: str) -> list[str]:
    """Reads the files of `workloads/` that the commands mention."""
    return [file.read_text() for file in sorted(WORKLOADS.iterdir()) if file.name in commands]
