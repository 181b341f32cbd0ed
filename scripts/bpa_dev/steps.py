"""Steps of a test run: announced, timed and counted."""

import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

from .messages import Failure, error, good, say


class Step(NamedTuple):
    what: str
    #: It fails by saying so, or by raising a `Failure`.
    check: Callable[[], bool]


class Run:
    """Runs steps. One that fails does not keep the others from running: a look at the end shows all that is wrong."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._passed = 0
        self._failed: list[str] = []

    def all_of(self, steps: Iterable[Step]) -> None:
        for step in steps:
            self.one(step)

    def one(self, step: Step) -> bool:
        say(step.what)
        start = time.monotonic()
        passed = succeeds(step)
        seconds = time.monotonic() - start
        if passed:
            good(f"    passed in {seconds:.0f} s")
            self._passed += 1
        else:
            error(f"    FAILED after {seconds:.0f} s")
            self._failed.append(step.what)
        return passed

    def report(self) -> int:
        """Tells how many passed and which failed; returns the exit code."""
        for what in self._failed:
            error(f"failed: {what}")
        minutes, seconds = divmod(int(time.monotonic() - self._start), 60)
        say(f"all steps took {minutes} min {seconds} s")
        print(f"{self._passed} passed, {len(self._failed)} failed")
        return 1 if self._failed else 0


def succeeds(step: Step) -> bool:
    try:
        return step.check()
    except Failure as failure:
        error(str(failure))
        return False
