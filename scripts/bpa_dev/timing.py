"""Measures time, memory and instructions of runs of `opt`."""

import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, NamedTuple

from .comparing.runs import Word, shown
from .messages import Failure
from .tools import Tools

# The pipelines that compute block frequencies.
OURS = "require<rust-bfi>"
LLVMS = "function(require<block-freq>)"
NOTHING = "no-op-module"

# The analyses that LLVM runs for block frequencies, with their names in the report of -time-passes.
# fmt: off
ANALYSES = ["DominatorTreeAnalysis", "PostDominatorTreeAnalysis", "LoopAnalysis",
            "TargetLibraryAnalysis", "BranchProbabilityAnalysis", "BlockFrequencyAnalysis"]
# fmt: on
# The name of a module pass of a Rust plugin. The namespace of the name depends on the LLVM version.
OUR_PASS = re.compile(r"Pass<.*ModuleIR>$")
# A row of the report contains four times of a pass, and then the name of the pass. The four times are the user time,
# the system time, their sum and the wall-clock time. Each time has a percentage. If all values of a column are zero,
# the column is missing.
ROW = re.compile(r"^((?: +\d+\.\d+ \( *-?[\dna.]+%\))+)  (\S.*)$")
NUMBER = re.compile(r"(\d+\.\d+) \(")
EXCLUSIVE_SINCE = "Analysis execution timing report"
COUNTED = re.compile(r"Collected *: *(\d+)")
#: Callgrind counts instructions only inside this function.
PASSES_RUN = "llvm::PassManager<llvm::Module, *>::run*"
#: Drops all results. The instruction count includes the instructions of this pass.
DROP = "invalidate<all>"

#: The usual stack size of a main thread, in bytes.
STACK = 8 << 20


class Outcome(NamedTuple):
    #: A description of the failure; None if the run succeeded.
    trouble: str | None
    #: The peak memory in bytes.
    peak: int
    #: The processor time.
    seconds: float


class Times(NamedTuple):
    """Seconds."""

    wall: float
    cpu: float


def run(command: Sequence[Word], output: int | IO[bytes] = subprocess.DEVNULL, timeout: float | None = None) -> Outcome:
    """Runs a command with a limited stack. Writes the stderr of the command to `output`."""

    def limit_stack() -> None:
        resource.setrlimit(resource.RLIMIT_STACK, (STACK, resource.RLIM_INFINITY))

    child = subprocess.Popen(
        list(map(str, command)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=output,
        preexec_fn=limit_stack,
    )
    late = threading.Event()

    def stop() -> None:
        late.set()
        child.kill()

    timer = threading.Timer(timeout, stop) if timeout else None
    if timer:
        timer.start()
    _, status, usage = os.wait4(child.pid, 0)
    if timer:
        timer.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    trouble = trouble_of(child.returncode, late.is_set(), timeout)
    return Outcome(trouble, usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime)


def trouble_of(code: int, late: bool, timeout: float | None) -> str | None:
    if code == 0:
        return None
    if late:
        return f"> {timeout or 0:g} s"
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"


def timed(tools: Tools, passes: str, path: pathlib.Path, timeout: float | None = None) -> tuple[Times | None, Outcome]:
    """Runs `passes` with -time-passes, and returns the times and the outcome of the run."""
    with tempfile.TemporaryFile() as output:
        outcome = run([*tools.opt_command(passes, "-disable-output", "-time-passes"), path], output, timeout)
        if outcome.trouble:
            return None, outcome
        output.seek(0)
        report = output.read().decode(errors="replace")
    return (llvm_times(report) if passes == LLVMS else our_times(report)), outcome


def our_times(report: str) -> Times:
    return total(times for name, times in rows(report) if OUR_PASS.search(name))


def llvm_times(report: str) -> Times:
    """Returns the time of all analyses.

    From LLVM 16 on, the time of an analysis excludes the analyses that it requests, so the times of all analyses are
    added. Before LLVM 16, the time of BlockFrequencyAnalysis includes the times of the analyses that it requests.
    """
    if EXCLUSIVE_SINCE in report:
        return total(times for name, times in rows(report) if name in ANALYSES)
    return total(times for name, times in rows(report) if name == "BlockFrequencyAnalysis")


def rows(report: str) -> Iterator[tuple[str, Times]]:
    for line in report.splitlines():
        if row := ROW.match(line):
            columns = [float(number) for number in NUMBER.findall(row[1])]
            yield row[2], Times(columns[-1], columns[-2] if len(columns) > 1 else columns[-1])


def total(all_times: Iterable[Times]) -> Times:
    found = list(all_times)
    if not found:
        raise Failure("the report of -time-passes has no line for the measured passes")
    return Times(sum(times.wall for times in found), sum(times.cpu for times in found))


def instructions(tools: Tools, passes: str, path: pathlib.Path) -> int:
    """Uses valgrind to count the instructions of passes, including the instructions that free all results.

    The count of the whole run minus the count of an empty run would be less exact. LLVM hashes the addresses of
    objects, and these addresses change with the lengths of file paths. The instruction count of a run therefore
    varies by up to nine million.
    """
    if not shutil.which("valgrind"):
        raise Failure("counting instructions needs valgrind: on Debian, apt-get install valgrind")
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    valgrind += ["--collect-atstart=no", f"--toggle-collect={PASSES_RUN}", f"--main-stacksize={STACK}"]
    command = [*valgrind, *tools.opt_command(f"{passes},{DROP}", "-disable-output", "-disable-verify"), str(path)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    counted = COUNTED.search(done.stdout)
    if done.returncode != 0 or not counted:
        raise Failure(f"{shown(command)}\n{done.stdout[-2000:]}")
    return int(counted[1])
