"""Steps of a test run: announced, timed and counted, two at a time."""

import os
import pathlib
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from .messages import Failure, error, good, say

#: How many lines of the output of a failed step are shown. The file has all of them.
SHOWN_LINES = 100


class Step(NamedTuple):
    what: str
    #: It fails by returning false, or by raising a `Failure`.
    check: Callable[[], bool]


class Run:
    """Runs steps. A failed step does not stop the others: the report at the end lists all that failed."""

    def __init__(self, logs: pathlib.Path, repeat: str = "") -> None:
        """The output of each step goes to a file in `logs`. `repeat` is the command that runs a step again; the name
        of the step is put behind it."""
        self._logs = logs
        self._repeat = repeat
        self._start = time.monotonic()
        self._passed = 0
        self._failed: list[str] = []
        logs.mkdir(parents=True, exist_ok=True)

    def one(self, step: Step) -> bool:
        """Runs a step in this process, with its output as it comes."""
        say(step.what)
        start = time.monotonic()
        passed = succeeds(step)
        self._count(step, passed, time.monotonic() - start)
        return passed

    def side_by_side(self, *lanes: Iterable[Step]) -> None:
        """Runs the steps of each lane one after the other, and the lanes at the same time.

        Each step runs in a process of its own. Steps that use the same files belong into one lane."""
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
        say(step.what)
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
        """Prints how many passed and which failed; returns the exit code."""
        for what in self._failed:
            error(f"failed: {what}")
            if self._repeat:
                error(f"    to repeat it: {self._repeat} '{what}'")
        minutes, seconds = divmod(int(time.monotonic() - self._start), 60)
        say(f"all steps took {minutes} min {seconds} s")
        print(f"{self._passed} passed, {len(self._failed)} failed")
        return 1 if self._failed else 0


class Running(NamedTuple):
    step: Step
    #: The steps that follow it.
    lane: Iterator[Step]
    log: pathlib.Path
    start: float


def start(step: Step, log: pathlib.Path) -> int:
    """Starts a step in a child process whose output goes to `log`; the process number."""
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
        # The parent may have replaced these two.
        sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
        code = 0 if succeeds(step) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        # The child ends here in any case: the rest of this program is for the parent.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def show_end(log: pathlib.Path) -> None:
    lines = log.read_text(errors="replace").splitlines()
    if len(lines) > SHOWN_LINES:
        error(f"    the last {SHOWN_LINES} of {len(lines)} lines; all are in {log}")
    for line in lines[-SHOWN_LINES:]:
        print(f"    {line}", file=sys.stderr)
    sys.stderr.flush()


def succeeds(step: Step) -> bool:
    try:
        return step.check()
    except Failure as failure:
        error(str(failure))
        return False
