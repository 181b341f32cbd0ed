"""Runs the steps of scripts/test in parallel, and counts the passed and failed steps and the skipped tests."""

import os
import pathlib
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from .messages import Failure, announce, error, good

#: The number of output lines that are printed for a failed step.
SHOWN_LINES = 100
#: The environment variable with the path of a file. A test that cannot run appends a line with its name and the reason.
SKIPPED = "BPA_SKIPPED"


class Step(NamedTuple):
    what: str
    #: Returns false or raises a `Failure` if the step fails.
    check: Callable[[], bool]


class Run:
    """Runs steps. After a failed step, the other steps still run."""

    def __init__(self, logs: pathlib.Path, repeat: str = "") -> None:
        """Writes the output of steps to files in `logs`. The command `repeat STEP` repeats a step."""
        self._logs = logs
        self._repeat = repeat
        self._start = time.monotonic()
        self._passed = 0
        self._failed: list[str] = []
        logs.mkdir(parents=True, exist_ok=True)
        self._skipped = logs.absolute() / "skipped"
        self._skipped.write_text("")
        os.environ[SKIPPED] = str(self._skipped)

    def one(self, step: Step) -> bool:
        """Runs a step in this process, without a log file."""
        announce(step.what)
        start = time.monotonic()
        passed = succeeds(step)
        self._count(step, passed, time.monotonic() - start)
        return passed

    def run_lanes(self, *lanes: Iterable[Step]) -> None:
        """Runs several sequences of steps (lanes) in parallel. The steps of a lane run one after another, each in a new
        process.

        A lane is a list of steps that run one after the other. Steps that use the same files must be in the same lane.
        """
        waiting = [iter(lane) for lane in lanes]
        running: dict[int, Running] = {}
        for lane in waiting:
            self._start_next(lane, running)
        while running:
            process, status = os.wait()
            done = running.pop(process)
            passed = os.waitstatus_to_exitcode(status) == 0
            if not passed:
                show_end(done.log)
            self._count(done.step, passed, time.monotonic() - done.start)
            self._start_next(done.lane, running)

    def _start_next(self, lane: Iterator[Step], running: "dict[int, Running]") -> None:
        step = next(lane, None)
        if step is None:
            return
        announce(step.what)
        number = self._passed + len(self._failed) + len(running) + 1
        log = self._logs / f"{number:02}.log"
        process = start(step, log)
        running[process] = Running(step, lane, log, time.monotonic())

    def _count(self, step: Step, passed: bool, seconds: float) -> None:
        if passed:
            good(f"    passed in {seconds:.0f} s: {step.what}")
            self._passed += 1
        else:
            error(f"    FAILED after {seconds:.0f} s: {step.what}")
            self._failed.append(step.what)

    def report(self) -> int:
        """Prints the skipped tests, the failed steps and the counts, and returns the exit code."""
        skipped = sorted(self._skipped.read_text().splitlines())
        for what in skipped:
            announce(f"skipped: {what}")
        for what in self._failed:
            error(f"failed: {what}")
            if self._repeat:
                error(f"    to repeat it: {self._repeat} '{what}'")
        minutes, seconds = divmod(int(time.monotonic() - self._start), 60)
        announce(f"all steps took {minutes} min {seconds} s")
        print(f"{self._passed} passed, {len(self._failed)} failed, {len(skipped)} skipped")
        return 1 if self._failed else 0


class Running(NamedTuple):
    step: Step
    #: The steps that run after `step` in the same process slot.
    lane: Iterator[Step]
    log: pathlib.Path
    start: float


def skip(what: str, reason: str) -> None:
    """Records a test that cannot run."""
    if path := os.environ.get(SKIPPED):
        with open(path, "a") as file:
            file.write(f"{what}: {reason}\n")


def start(step: Step, log: pathlib.Path) -> int:
    """Starts a step in a child process that writes to `log`, and returns the process id."""
    sys.stdout.flush()
    sys.stderr.flush()
    process = os.fork()
    if process:
        return process
    code = 1
    try:
        output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        os.dup2(output, 1)
        os.dup2(output, 2)
        # Tests replace sys.stdout and sys.stderr in the parent process.
        sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
        code = 0 if succeeds(step) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        # The child must not return to the code of the parent.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def show_end(log: pathlib.Path) -> None:
    lines = log.read_text(errors="replace").splitlines()
    if len(lines) > SHOWN_LINES:
        error(f"    the last {SHOWN_LINES} of {len(lines)} lines of {log}:")
    for line in lines[-SHOWN_LINES:]:
        print(f"    {line}", file=sys.stderr)
    sys.stderr.flush()


def succeeds(step: Step) -> bool:
    try:
        return step.check()
    except Failure as failure:
        error(str(failure))
        return False
