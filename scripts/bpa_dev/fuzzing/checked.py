"""One run of `opt` for everything: the module goes through its stages, and after each the plugin compares its numbers
with those of LLVM's own analyses, in the process. Marks in between tell where a run has ended.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..comparing.runs import Ending, Run, run
from .passes import Stage
from .sources import Draw, Maker

PROBABILITIES, BOTH = "rust-bpi<check>", "rust-bfi<check>"
ANNOTATED = ["rust-bpi<annotate>", "verify", BOTH]
OVERWRITTEN = ["rust-bpi<annotate;overwrite>", "verify", BOTH]
#: What the plugin logs, a line a comparison.
LOG = {"RUST_LOG": "bpa::plugin::check=debug"}

AGREED = re.compile(rb"LLVM agrees on '.*': (\d+) blocks, (\d+) branches, form ([0-9a-f]{16})$", re.MULTILINE)
MARK = re.compile(rb"^fuzz-mark: stage (\d+), (passes|check)$", re.MULTILINE)
OURS = re.compile(rb"^bpa: .*$", re.MULTILINE)
DIFFERS = re.compile(r"bpa: rust-b[pf]i<check>: function '(.*)', (?:number of|probability of|frequency of) ")


class Compared(NamedTuple):
    """A comparison of a function without a difference."""

    blocks: int
    #: Blocks with several successors.
    branches: int
    #: The same for functions of the same edges, probabilities and frequencies.
    form: int


class Checked(NamedTuple):
    """What came of a run, however it ended."""

    done: Run
    compared: list[Compared]
    #: The stage that it has ended in; None before the first. Those of the draw begin with 1, ours follow.
    stage: int | None
    #: Whether it has ended in the comparison after that stage, not in its passes.
    in_check: bool


def check(draw: Draw, maker: Maker) -> Checked:
    """Compares all there is to compare in one run."""
    done = run([*maker.command(list(pipeline(draw)), *draw.flags, "-disable-output"), draw.path], maker.timeout, LOG)
    stage, in_check = reached(done.stderr)
    return Checked(done, list(comparisons(done.stderr)), stage, in_check)


def pipeline(draw: Draw) -> Iterator[str]:
    """The passes."""
    for number, stage in enumerate([[], *draw.stages]):
        yield mark(number)
        yield from stage
        yield mark(number, "check")
        # Frequencies rest on probabilities, and both are compared.
        yield from [PROBABILITIES] * (number == 0)
        yield BOTH
    # Weights that came in malformed may not be verified.
    for number, ours in enumerate([ANNOTATED, OVERWRITTEN], 1 + len(draw.stages)):
        yield mark(number)
        yield from [element for element in ours if element != "verify" or not draw.flags]


def mark(stage: int, *options: str) -> str:
    """The pass that says what comes next."""
    return f"fuzz-mark<{';'.join([f'stage={stage}', *options])}>"


def comparisons(stderr: bytes) -> Iterator[Compared]:
    for blocks, branches, form in AGREED.findall(stderr):
        yield Compared(int(blocks), int(branches), int(form, 16))


def reached(stderr: bytes) -> tuple[int | None, bool]:
    """Stage, and whether that was compared already."""
    marks = MARK.findall(stderr)
    if not marks:
        return None, False
    stage, what = marks[-1]
    return int(stage), what == b"check"


def complaint(done: Run) -> str:
    """The line in which the plugin says what is wrong, if it does."""
    lines = OURS.findall(done.stderr)
    return lines[-1].decode(errors="replace") if lines else ""


def differing(done: Run) -> str | None:
    """The function that we and LLVM differ on, if that is what has ended the run."""
    match = DIFFERS.match(complaint(done))
    return match[1] if match and done.ending is Ending.REFUSED else None


def stages_alone(stages: list[Stage]) -> list[str]:
    """The passes without a comparison."""
    return [element for stage in stages for element in stage]
