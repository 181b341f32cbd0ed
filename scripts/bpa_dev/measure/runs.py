"""Measured runs of `opt`."""

import os
import pathlib
import re
import resource
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, NamedTuple

from ..comparing.runs import Word
from ..messages import Failure
from ..tools import Tools

# The pipelines that are held against each other: block frequencies from scratch.
OURS = "require<rust-bfi>"
LLVMS = "function(require<block-freq>)"
NOTHING = "no-op-module"

# Everything LLVM computes for block frequencies, by its name in the report of -time-passes.
# fmt: off
ANALYSES = ["DominatorTreeAnalysis", "PostDominatorTreeAnalysis", "LoopAnalysis",
            "TargetLibraryAnalysis", "BranchProbabilityAnalysis", "BlockFrequencyAnalysis"]
# fmt: on
# A pass of a Rust plugin at module position; the namespace before it is spelled in several ways.
OUR_PASS = re.compile(r"Pass<.*ModuleIR>$")
# A row: user, system, their sum (each missing if it is zero throughout) and wall time, each with
# its share, then the name.
ROW = re.compile(r"^((?: +\d+\.\d+ \( *-?[\dna.]+%\))+)  (\S.*)$")
NUMBER = re.compile(r"(\d+\.\d+) \(")
EXCLUSIVE_SINCE = "Analysis execution timing report"

STACK = 8 << 20
MEBIBYTE = 1 << 20


class Outcome(NamedTuple):
    #: None if all went well.
    trouble: str | None
    #: Bytes of memory.
    peak: int
    #: User and system time.
    seconds: float


class Times(NamedTuple):
    """Seconds."""

    wall: float
    cpu: float


def opt_command(tools: Tools, passes: str, *options: str) -> list[str]:
    return tools.opt_command(passes, "-disable-output", *options)


def run(
    command: Sequence[Word],
    output: int | IO[bytes] = subprocess.DEVNULL,
    timeout: float | None = None,
    memory: int | None = None,
) -> Outcome:
    """Runs with the stack that a main thread usually has and at most `memory` bytes; the peak of
    its memory, in bytes, comes with the verdict."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_STACK, (STACK, resource.RLIM_INFINITY))
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    child = subprocess.Popen(
        list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=output, preexec_fn=limit
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
    return Outcome(
        trouble_of(child.returncode, late.is_set(), timeout), usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime
    )


def same_bytes(one: IO[bytes], other: IO[bytes]) -> bool:
    """Whether two files hold the same."""
    one.seek(0)
    other.seek(0)
    while True:
        chunk = one.read(MEBIBYTE)
        if chunk != other.read(MEBIBYTE):
            return False
        if not chunk:
            return True


def trouble_of(code: int, late: bool, timeout: float | None) -> str | None:
    if code == 0:
        return None
    if late:
        return f"> {timeout or 0:g} s"
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"


def timed(
    tools: Tools, passes: str, path: pathlib.Path, timeout: float | None = None, memory: int | None = None
) -> tuple[Times | None, Outcome]:
    """One run of `passes` under -time-passes: its Times, and the Outcome."""
    with tempfile.TemporaryFile() as output:
        outcome = run([*opt_command(tools, passes, "-time-passes"), path], output, timeout, memory)
        if outcome.trouble:
            return None, outcome
        output.seek(0)
        report = output.read().decode(errors="replace")
    return (our_times(report) if passes == OURS else llvm_times(report)), outcome


def our_times(report: str) -> Times:
    return total(times for name, times in rows(report) if OUR_PASS.search(name))


def llvm_times(report: str) -> Times:
    """The sum over the analyses, each counted once.

    From LLVM 16 on, the clock of an analysis stands still while another runs that it asks for, so
    that they add up. Before, it goes on, and that of the analysis asked for first covers all.
    """
    if EXCLUSIVE_SINCE in report:
        return total(times for name, times in rows(report) if name in ANALYSES)
    return total(times for name, times in rows(report) if name == "BlockFrequencyAnalysis")


def rows(report: str) -> Iterator[tuple[str, Times]]:
    for line in report.splitlines():
        row = ROW.match(line)
        if row:
            columns = [float(number) for number in NUMBER.findall(row[1])]
            yield row[2], Times(columns[-1], columns[-2] if len(columns) > 1 else columns[-1])


def total(all_times: Iterable[Times]) -> Times:
    all_times = list(all_times)
    if not all_times:
        raise Failure("the report of -time-passes has none of the lines that are looked for")
    return Times(sum(times.wall for times in all_times), sum(times.cpu for times in all_times))
