"""Many files compared at the same time."""

import concurrent.futures
import pathlib
import sys
import time
from collections.abc import Callable, Sequence

from .verdict import Verdict


def compare_all(
    files: Sequence[pathlib.Path], compare: Callable[[pathlib.Path], Verdict], *, jobs: int, show: int
) -> list[Verdict]:
    """The verdict of `compare` on every file, telling trouble at once, and the first difference of `show` files."""
    verdicts: list[Verdict] = []
    progress = Progress()
    with concurrent.futures.ThreadPoolExecutor(max(1, jobs)) as pool:
        for task in concurrent.futures.as_completed([pool.submit(compare, path) for path in files]):
            verdict = task.result()
            verdicts.append(verdict)
            for trouble in verdict.trouble:
                progress.print(trouble)
            if verdict.difference and sum(v.differing > 0 for v in verdicts) <= show:
                progress.print(f"difference in {verdict.difference}")
            progress.show(
                lambda: f"{len(verdicts)} of {len(files)} files compared, "
                f"{sum(v.differing for v in verdicts)} differing lines"
            )
    progress.clear()
    return verdicts


def figures(verdicts: Sequence[Verdict]) -> str:
    """What every summary says of trouble and differences."""
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
    return not any(v.differing or v.troubled or v.disagreement for v in verdicts)


class Progress:
    """One line that is rewritten on a terminal, a line now and then elsewhere."""

    def __init__(self, seconds_apart: float = 15) -> None:
        self.terminal = sys.stderr.isatty()
        self.seconds_apart = 0.1 if self.terminal else seconds_apart
        self.last = time.monotonic()

    def show(self, text: Callable[[], str]) -> None:
        """Shows what `text()` says, unless that was only just done."""
        if time.monotonic() - self.last < self.seconds_apart:
            return
        self.last = time.monotonic()
        if self.terminal:
            print(f"\r\033[K{text()}", end="", file=sys.stderr, flush=True)
        else:
            print(text(), file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self.terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def print(self, text: str) -> None:
        self.clear()
        print(text, flush=True)
