"""Compares many files in parallel, and adds up the results."""

import concurrent.futures
import pathlib
import time
from collections.abc import Callable, Sequence

from ..messages import announce
from .verdict import Verdict


def compare_all(
    files: Sequence[pathlib.Path], compare: Callable[[pathlib.Path], Verdict], *, jobs: int, show: int
) -> list[Verdict]:
    """Compares every file. Prints every failed run immediately, and the first difference of at most `show` files."""
    verdicts: list[Verdict] = []
    progress = Progress()
    with concurrent.futures.ThreadPoolExecutor(max(1, jobs)) as pool:
        for task in concurrent.futures.as_completed([pool.submit(compare, path) for path in files]):
            verdict = task.result()
            verdicts.append(verdict)
            for trouble in verdict.trouble:
                print(trouble, flush=True)
            if verdict.difference and sum(v.differing > 0 for v in verdicts) <= show:
                print(f"difference in {verdict.difference}", flush=True)
            progress.show(
                lambda: f"{len(verdicts)} of {len(files)} files compared, "
                f"{sum(v.differing for v in verdicts)} differing lines"
            )
    return verdicts


def figures(verdicts: Sequence[Verdict]) -> str:
    """Formats the counts that are common to all summaries."""
    functions, lines = sum(v.functions for v in verdicts), sum(v.lines for v in verdicts)
    differing = sum(v.differing for v in verdicts)
    different = sum(v.differing > 0 for v in verdicts)
    troubled = sum(bool(v.troubled) for v in verdicts)
    text = f"{functions} functions, {lines} lines, {differing} differing lines"
    if different:
        text += f" in {different} files"
    if troubled:
        text += f", {troubled} files with crashes, timeouts or errors"
    return text


def all_well(verdicts: Sequence[Verdict]) -> bool:
    return not any(v.differing or v.troubled for v in verdicts)


class Progress:
    def __init__(self, seconds_apart: float = 15) -> None:
        self._seconds_apart = seconds_apart
        self._last = time.monotonic()

    def show(self, text: Callable[[], str]) -> None:
        """Prints `text()` if enough time has passed since the last line."""
        if time.monotonic() - self._last >= self._seconds_apart:
            self._last = time.monotonic()
            announce(text())
