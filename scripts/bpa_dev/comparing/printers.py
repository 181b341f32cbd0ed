"""Compares our printers with LLVM's, byte for byte.

Several comparisons share a run of `opt`. The passes run one after another, each on all functions, so a later pass sees
the changes of the earlier passes. `annotate` compares the output of LLVM's printer after our annotation with its output
before. `annotated` and `overwritten` compare our printer with LLVM's printer after our annotation.
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
COMPARISONS = {  # our passes, LLVM's passes
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
# Before LLVM 18: "Printing analysis results of BPI for function 'f':".
# Since LLVM 18: "Printing analysis 'Branch Probability Analysis' for function 'f':".
# The search is fast because the pattern begins with literal text.
HEADER = re.compile(rb"Printing analysis .* for function '(.*)':$", re.MULTILINE)


@dataclasses.dataclass
class Conditions:
    #: The limit in seconds of each run.
    timeout: float = 300
    #: Passes that both runs of `opt` run first.
    before: str | None = None
    #: A file that no run of `opt` can read is no failure.
    allow_rejected: bool = False
    #: A file on which only LLVM's passes crash is no failure.
    allow_llvm_crash: bool = False
    #: The tools of the LLVM version that our printers emulate.
    like: Tools | None = None
    #: No function has the attribute `optnone`, so the files are not searched for it.
    plain: bool = False
    #: The folder for copies of files with `optnone`.
    cache: pathlib.Path = optnone.CACHE


def run_both(path: pathlib.Path, analyses: Sequence[str], tools: Tools, conditions: Conditions) -> tuple[Run, Run]:
    """Runs `opt` with our passes and with LLVM's passes."""
    llvm_tools = conditions.like or tools
    ours_input, llvm_input = path, path
    if not conditions.plain:
        ours_input, llvm_input = optnone.forms_for(path, older(tools, llvm_tools), conditions.cache)
    if "annotate" in analyses:
        ours_input = llvm_input  # LLVM's printer prints in both runs.
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
    verdict.compare(ours.stderr, llvms.stderr, sections)
    return verdict


def cannot_be_read(path: pathlib.Path, tools: Tools, ours: Run, llvms: Run, timeout: float) -> bool:
    """Whether both runs reject the file, or both crash and LLVM also crashes on it without any pass."""
    if ours.ending is not llvms.ending:
        return False
    if ours.ending is Ending.CRASHED:
        nothing = tools.opt_command("no-op-module", "-disable-output")
        return run([*nothing, path], timeout).ending is Ending.CRASHED
    return ours.ending is Ending.REFUSED


def command(tools: Tools, side: int, analyses: Sequence[str], conditions: Conditions) -> list[str]:
    """Returns the command for our passes (side 0) or LLVM's (side 1). Both need the plugin to annotate."""
    passes = [COMPARISONS[analysis][side] for analysis in analyses]
    if conditions.like and side == 0:
        passes = [f"rust-{analysis}<like={conditions.like.llvm.version}>" for analysis in analyses]
    if conditions.before:
        passes.insert(0, conditions.before)
    return tools.opt_command(",".join(passes), "-disable-output")


def sections(text: bytes) -> Sections:
    """Splits the output into the reports of functions, by their headers."""
    place = "before any function"
    found: Sections = {place: []}
    for line in text.split(b"\n"):
        if HEADER.match(line):
            place = readable(line)
        found.setdefault(place, []).append(line)
    return found
