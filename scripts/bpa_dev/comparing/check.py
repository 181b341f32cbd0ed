"""`rust-bfi<check>`, which compares in one process, held against the printers: it finds what they find, and no more."""

import pathlib

from ..tools import Tools
from .runs import Ending, Run, Word, run, shown

CHECK = "rust-bfi<check>"
#: What the line about a difference has.
DIFFERENCE = b": LLVM has "


def command(path: pathlib.Path, tools: Tools, before: str | None = None) -> list[Word]:
    """Checks every function of a file, after the passes `before`."""
    return [*tools.opt_command(f"{before},{CHECK}" if before else CHECK, "-disable-output"), path]


def disagreement(
    path: pathlib.Path, tools: Tools, differing: int, *, timeout: float, before: str | None = None
) -> str | None:
    """What the check says else than printers with so many differing lines; None if it says the same."""
    words = command(path, tools, before)
    checked = run(words, timeout)
    if is_silent(checked) and differing:
        return f"the printers differ, but the check is silent: {shown(words)}"
    if has_found(checked) and not differing:
        return f"the printers print the same, but the check found a difference: {checked.trouble}"
    if is_silent(checked) or has_found(checked):
        return None
    return f"the check did not come to an end: {checked.trouble}"


def is_silent(checked: Run) -> bool:
    return checked.ending is Ending.FINE and not checked.stderr


def has_found(checked: Run) -> bool:
    return checked.ending is Ending.REFUSED and DIFFERENCE in checked.stderr
