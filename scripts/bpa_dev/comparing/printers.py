"""Compares our printers with LLVM's, byte for byte.

Several comparisons share a process on either side, one after the other, each on all functions: the
later ones find what the earlier have left behind. Annotating is compared by what LLVM makes of it:
`annotate` compares LLVM's printer after our annotation with the same printer before it,
`annotated` and `overwritten` compare our printer with LLVM's once the weights are written.
"""

import dataclasses
import pathlib
import re
from collections.abc import Sequence

from ..tools import Tools, older
from . import optnone
from .differences import Sections, readable
from .runs import Ending, Run, run
from .verdict import Verdict

LLVM_PRINTER = "function(print<branch-prob>)"
COMPARISONS = {  # our side, LLVM's side
    "bpi": ("print<rust-bpi>", LLVM_PRINTER),
    "bfi": ("print<rust-bfi>", "function(print<block-freq>)"),
    "annotate": (f"rust-bpi<annotate>,verify,{LLVM_PRINTER}", LLVM_PRINTER),
    "annotated": ("rust-bpi<annotate>,print<rust-bpi>", f"rust-bpi<annotate>,{LLVM_PRINTER}"),
    "overwritten": (
        "rust-bpi<annotate;overwrite>,verify,print<rust-bpi>",
        f"rust-bpi<annotate;overwrite>,{LLVM_PRINTER}",
    ),
}
PRINTERS = ("bpi", "bfi")
# Before LLVM 18: "Printing analysis results of BPI for function 'f':"; from it on
# "Printing analysis 'Branch Probability Analysis' for function 'f':".
# A search for this is fast as long as the text is at the start.
HEADER = re.compile(rb"Printing analysis .* for function '(.*)':$", re.MULTILINE)


@dataclasses.dataclass
class Conditions:
    """Under which files are compared."""

    #: Seconds for each run.
    timeout: float = 300
    #: Passes that both sides run first.
    before: str | None = None
    #: A file that neither side reads, or that LLVM alone crashes on, is no failure.
    allow_rejected: bool = False
    allow_llvm_crash: bool = False
    #: The tools of the LLVM that our printers answer like, if that is not their host.
    like: Tools | None = None
    #: No function is marked `optnone`, which takes some time to find out.
    plain: bool = False
    #: Where forms of files with `optnone` are kept.
    cache: pathlib.Path = optnone.CACHE


def run_both(path: pathlib.Path, analyses: Sequence[str], tools: Tools, conditions: Conditions) -> tuple[Run, Run]:
    """The run of our side and that of LLVM's."""
    llvm_tools = conditions.like or tools
    ours_input, llvm_input = path, path
    if not conditions.plain:
        ours_input, llvm_input = optnone.forms_for(path, older(tools, llvm_tools), conditions.cache)
    if "annotate" in analyses:
        ours_input = llvm_input  # It is LLVM that prints on both sides.
    ours = run([*command(tools, 0, analyses, conditions), ours_input], conditions.timeout)
    llvms = run([*command(llvm_tools, 1, analyses, conditions), llvm_input], conditions.timeout)
    return ours, llvms


def compare(path: pathlib.Path, analyses: Sequence[str], tools: Tools, conditions: Conditions) -> Verdict:
    verdict = Verdict(path)
    ours, llvms = run_both(path, analyses, tools, conditions)
    if conditions.allow_rejected and cannot_be_read(path, tools, ours, llvms, conditions.timeout):
        verdict.rejected = True
        return verdict
    if conditions.allow_llvm_crash and (llvms.ending, ours.ending) == (Ending.CRASHED, Ending.FINE):
        verdict.llvm_crashed = True
        return verdict
    verdict.note("ours", ours)
    verdict.note("LLVM's", llvms)
    verdict.functions = len(HEADER.findall(llvms.stderr)) // len(analyses)
    verdict.hold_against(ours.stderr, llvms.stderr, sections)
    return verdict


def cannot_be_read(path: pathlib.Path, tools: Tools, ours: Run, llvms: Run, timeout: float) -> bool:
    """Whether LLVM refuses the file, or crashes while it reads and verifies it, before any pass."""
    if ours.ending is not llvms.ending:
        return False
    if ours.ending is Ending.CRASHED:
        nothing = tools.opt_command("no-op-module", "-disable-output")
        return run([*nothing, path], timeout).ending is Ending.CRASHED
    return ours.ending is Ending.REFUSED


def command(tools: Tools, side: int, analyses: Sequence[str], conditions: Conditions) -> list[str]:
    """The run of our side (0) or of LLVM's (1), which needs the plugin too if it annotates."""
    passes = [COMPARISONS[analysis][side] for analysis in analyses]
    if conditions.like and side == 0:
        passes = [f"rust-{analysis}<like={conditions.like.llvm.version}>" for analysis in analyses]
    if conditions.before:
        passes.insert(0, conditions.before)
    return tools.opt_command(",".join(passes), "-disable-output")


def sections(text: bytes) -> Sections:
    """The lines of each function's report, by its header."""
    place = "before any function"
    found: Sections = {place: []}
    for line in text.split(b"\n"):
        if HEADER.match(line):
            place = readable(line)
        found.setdefault(place, []).append(line)
    return found
