"""Builds an instrumented program, runs its workload, and writes its IR with the profile."""

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

HERE = pathlib.Path(__file__).resolve().parent
WORKLOADS = HERE / "workloads"
# If you change the IR that the wrapper or truth.py writes, increase these numbers. The programs are then built again.
BUILD_FORMAT = "1"
TRUTH_FORMAT = "1"
SHELL = ("bash", "-euo", "pipefail", "-c")


@dataclasses.dataclass(frozen=True)
class Place:
    """The files and folders of a program."""

    folder: pathlib.Path

    @property
    def source(self) -> pathlib.Path:
        return self.folder / "source"

    @property
    def kept(self) -> pathlib.Path:
        """The IR that clang wrote."""
        return self.folder / "kept"

    def truth(self, number: int) -> pathlib.Path:
        """The IR at `pipeline-early-simplification` with the profile of a run."""
        return self.folder / f"truth-{number}"

    def profile(self, number: int) -> pathlib.Path:
        return self.folder / f"run-{number}.profdata"

    def stamp(self, step: str) -> pathlib.Path:
        """The file that exists if `step` is complete. The file contains a hash of the inputs of `step`."""
        return self.folder / f"{step}.done"

    @property
    def log(self) -> pathlib.Path:
        return self.folder / "log"

    def seconds(self) -> dict[str, float]:
        """Returns the seconds that each complete step took."""
        done: dict[str, float] = {}
        for stamp in sorted(self.folder.glob("*.done")):
            done[stamp.stem] = json.loads(stamp.read_text())["seconds"]
        return done


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

    def place(self, name: str) -> Place:
        return Place(self._folder / name)

    def make(self, program: Program) -> Place:
        """Builds and runs the program, and writes its IR with profiles. Skips steps whose inputs have not changed."""
        place = self.place(program.name)
        built = self.build(program)
        for number, run in enumerate(program.runs):
            work = [built, run.commands, *inputs.versions(run.commands), *workload_files(run.commands)]
            name = f"run-{number}"
            run_once = functools.partial(self._run, program, place, number, run)
            ran = self._step(place, name, work, run_once)
            write_truth = functools.partial(self._write_truth, place, number)
            self._step(place, f"truth-{number}", [ran, TRUTH_FORMAT], write_truth)
        return place

    def build(self, program: Program, depends: Sequence[str] = ()) -> str:
        """Builds the program if its inputs or `depends` have changed. Returns the hash of these inputs."""
        place = self.place(program.name)
        place.folder.mkdir(parents=True, exist_ok=True)
        for command, package in program.needs:
            if not (pathlib.Path(command).exists() if command.startswith("/") else shutil.which(command)):
                raise Failure(f"{program.name} needs {command}: install the Debian package {package}")
        recipe = [program.archive, program.sha256, program.prepare, program.build, *program.exclude]
        recipe += [*workload_files(program.build), *depends]
        return self._step(place, "build", [BUILD_FORMAT, *recipe], lambda: self._build(program, place))

    def _step(self, place: Place, name: str, depends: list[str], work: Callable[[], None]) -> str:
        """Calls `work` if the inputs `depends` have changed. Returns the hash of the inputs."""
        wanted = hashlib.sha256("\0".join(depends).encode()).hexdigest()
        stamp = place.stamp(name)
        if not (stamp.exists() and json.loads(stamp.read_text())["of"] == wanted):
            stamp.unlink(missing_ok=True)
            announce(f"{place.folder.name}: {name}")
            start = time.monotonic()
            work()
            stamp.write_text(json.dumps({"of": wanted, "seconds": round(time.monotonic() - start, 1)}))
        return wanted

    def _build(self, program: Program, place: Place) -> None:
        sources.unpack(program, place.source)
        shutil.rmtree(place.kept, ignore_errors=True)
        place.log.unlink(missing_ok=True)
        environment = self._environment(program, place)
        self._shell(place, program.prepare, place.source, environment)
        recording = {"BPA_KEEP": str(place.kept), "BPA_EXCLUDE": ":".join(program.exclude)}
        self._shell(place, program.build, place.source, {**environment, **recording})
        if not any(file.suffix in (".ll", ".bc") for file in place.kept.rglob("*")):
            raise Failure(f"{program.name}: the build did not use the compiler in $CC or $CXX")

    def _run(self, program: Program, place: Place, number: int, run: Run) -> None:
        raw, out = place.folder / f"raw-{number}", place.folder / "out"
        for folder in (raw, out):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        environment = self._environment(program, place)
        environment |= {"LLVM_PROFILE_FILE": f"{raw}/%m.profraw", "OUT": str(out)}
        environment["INPUTS"] = str(inputs.prepare(run.commands))
        self._shell(place, run.commands, out, environment)
        shutil.rmtree(out)
        files = [str(file) for file in raw.glob("*.profraw")]
        if not files:
            raise Failure(f"{program.name}: the run wrote no profile")
        merge = [str(self._llvm.tool("llvm-profdata")), "merge", "-o", str(place.profile(number)), *files]
        self._logged(place, merge, place.folder, environment)
        shutil.rmtree(raw)

    def _write_truth(self, place: Place, number: int) -> None:
        warnings = truth.write(self._llvm, place.kept, place.profile(number), place.truth(number))
        with place.log.open("a", errors="surrogateescape") as log:
            log.write(warnings)

    def _environment(self, program: Program, place: Place) -> dict[str, str]:
        environment = build_environment(self._llvm, self._compilers, place.source, self._jobs)
        environment["BPA_SOURCE"] = str(place.source)
        for name in program.after:
            environment[f"SRC_{name.replace('-', '_')}"] = str(self.place(name).source)
        return environment

    def _shell(self, place: Place, commands: str, folder: pathlib.Path, environment: Mapping[str, str]) -> None:
        self._logged(place, [*SHELL, f"set -x\n{commands}"], folder, environment)

    def _logged(self, place: Place, command: list[str], folder: pathlib.Path, environment: Mapping[str, str]) -> None:
        """Runs a command that must succeed. Writes the output of the command to the log of the program."""
        with place.log.open("ab") as log:
            variables = {**os.environ, **environment}
            done = subprocess.run(
                command, cwd=folder, env=variables, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
            )
        if done.returncode != 0:
            log_name = place.log.relative_to(ROOT) if place.log.is_relative_to(ROOT) else place.log
            raise Failure(f"{place.folder.name} failed; see {log_name}")


def build_environment(llvm: Llvm, compilers: pathlib.Path, source: pathlib.Path, jobs: int) -> dict[str, str]:
    """Returns the environment in which a program's build uses the compilers of `write_compilers`."""
    return {
        "CC": str(compilers / "cc"),
        "CXX": str(compilers / "c++"),
        "AR": str(llvm.tool("llvm-ar")),
        "RANLIB": str(llvm.tool("llvm-ranlib")),
        "BPA_BIN": str(llvm.bin),
        "SRC": str(source),
        "WORKLOADS": str(WORKLOADS),
        # A build may run instrumented programs, which write profiles that must be discarded.
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
        # A configure script runs the compiler hundreds of times, and the environment variable `variable` is then not
        # set. In this case the shell runs the compiler directly, because Python would start too slowly.
        plain = f'[ -n "${variable}" ] || exec {llvm.tool(compiler)} "$@"\n'
        python = f"{sys.executable} -ES -X pycache_prefix={folder}"
        text = f'#!/bin/sh\n{plain}exec {python} {wrapper} {compiler} "$@"\n'
        if not script.exists() or script.read_text() != text:
            script.write_text(text)
            script.chmod(0o755)


def workload_files(commands: str) -> list[str]:
    """Reads the files of `workloads/` that the commands mention."""
    return [file.read_text() for file in sorted(WORKLOADS.iterdir()) if file.name in commands]
