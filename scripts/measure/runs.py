"""Measured runs of `opt`."""

import collections
import os
import re
import resource
import shlex
import signal
import subprocess
import tempfile
import threading

from comparing import tools as tool_box

# The pipelines that are held against each other: block frequencies from scratch.
OURS = "require<rust-bfi>"
LLVMS = "function(require<block-freq>)"

# Everything LLVM computes for block frequencies, by its name in the report of -time-passes.
ANALYSES = ["DominatorTreeAnalysis", "PostDominatorTreeAnalysis", "LoopAnalysis",
            "TargetLibraryAnalysis", "BranchProbabilityAnalysis", "BlockFrequencyAnalysis"]
# A pass of a Rust plugin at module position; the namespace before it is spelled in several ways.
OUR_PASS = re.compile(r"Pass<.*ModuleIR>$")
# A row: user, system, their sum (each missing if it is zero throughout) and wall time, each with
# its share, then the name.
ROW = re.compile(r"^((?: +\d+\.\d+ \( *-?[\dna.]+%\))+)  (\S.*)$")
NUMBER = re.compile(r"(\d+\.\d+) \(")
EXCLUSIVE_SINCE = "Analysis execution timing report"

STACK = 8 << 20
MEBIBYTE = 1 << 20

Outcome = collections.namedtuple("Outcome", "trouble peak seconds")
Times = collections.namedtuple("Times", "wall cpu")


class Failed(Exception):
    """A run that crashed, was refused or took too long; the text says which."""


def opt_command(tools, passes, *options):
    return tool_box.opt_command(tools, passes, "-disable-output", *options)


def run(command, output=subprocess.DEVNULL, timeout=None, memory=None):
    """Runs with the stack that a main thread usually has and at most `memory` bytes; the peak of
    its memory, in bytes, comes with the verdict."""
    def limit():
        resource.setrlimit(resource.RLIMIT_STACK, (STACK, resource.RLIM_INFINITY))
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    child = subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=output, preexec_fn=limit)
    late = threading.Event()

    def stop():
        late.set()
        child.kill()

    timer = threading.Timer(timeout, stop) if timeout else None
    if timer:
        timer.start()
    _, status, usage = os.wait4(child.pid, 0)
    if timer:
        timer.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    return Outcome(trouble_of(child.returncode, late.is_set(), timeout), usage.ru_maxrss * 1024,
                   usage.ru_utime + usage.ru_stime)


def same_bytes(one, other):
    """Whether two files hold the same."""
    one.seek(0)
    other.seek(0)
    while True:
        chunk = one.read(MEBIBYTE)
        if chunk != other.read(MEBIBYTE):
            return False
        if not chunk:
            return True


def trouble_of(code, late, timeout):
    if code == 0:
        return None
    if late:
        return f"> {timeout:g} s"
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"


def timed(tools, passes, path, timeout=None, memory=None):
    """One run of `passes` under -time-passes: its Times, and the Outcome."""
    with tempfile.TemporaryFile() as output:
        command = [*opt_command(tools, passes, "-time-passes"), path]
        outcome = run(command, output, timeout, memory)
        if outcome.trouble:
            return None, outcome
        output.seek(0)
        report = output.read().decode(errors="replace")
    return (our_times(report) if passes == OURS else llvm_times(report)), outcome


def our_times(report):
    return total(times for name, times in rows(report) if OUR_PASS.search(name))


def llvm_times(report):
    """The sum over the analyses, each counted once.

    From LLVM 16 on, the clock of an analysis stands still while another runs that it asks for, so
    that they add up. Before, it goes on, and that of the analysis asked for first covers all.
    """
    if EXCLUSIVE_SINCE in report:
        return total(times for name, times in rows(report) if name in ANALYSES)
    return total(times for name, times in rows(report) if name == "BlockFrequencyAnalysis")


def rows(report):
    for line in report.splitlines():
        row = ROW.match(line)
        if row:
            columns = [float(number) for number in NUMBER.findall(row[1])]
            yield row[2], Times(columns[-1], columns[-2] if len(columns) > 1 else columns[-1])


def total(all_times):
    all_times = list(all_times)
    if not all_times:
        raise Failed("the report of -time-passes has none of the lines that are looked for")
    return Times(sum(times.wall for times in all_times), sum(times.cpu for times in all_times))


def shown(command):
    return shlex.join(map(str, command))
