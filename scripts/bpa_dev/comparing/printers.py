"""Compares the printers of bpa with LLVM's printers, byte for byte.

One run of `opt` makes several comparisons. The passes run one after another on all functions, so a later pass reads the
changes of earlier passes. `annotate` compares the output of LLVM's printer before and after the annotation by bpa.
After the annotation, `annotated` and `overwritten` compare the output of bpa's printer with the output of LLVM's
printer.
"""

import dataclasses
import pathlib
import re
from collections.abc import Sequence

from ..tools import Tools, older
from . import optnone
from .runs import Ending, Run, run
from .verdict import Verdict

LLVM_PRINTER = "function(print<branch-prob>)"
COMPARISONS = {  # passes of bpa, passes of LLVM
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
    #: The time limit of each run, in seconds.
    timeout: float = 300
    #: The passes that `opt` applies before the printer, in both runs.
    before: str | None = None
    #: Whether to accept files that neither run of `opt` can read.
    allow_rejected: bool = False
    #: Whether to accept files on which only LLVM's passes crash.
    allow_llvm_crash: bool = False
    #: The tools of the LLVM version that the printers of bpa emulate.
    like: Tools | None = None


def run_both(path: pathlib.Path, analyses: Sequence[str], tools: Tools, conditions: Conditions) -> tuple[Run, Run]:
    """Runs `opt` with the passes of bpa and with LLVM's passes."""
    llvm_tools = conditions.like or tools
    ours_input, llvm_input = optnone.forms_for(path, older(tools, llvm_tools))
    if "annotate" in analyses:
        ours_input = llvm_input  # LLVM's printer runs in both pipelines.
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
    verdict.compare(ours.stderr, llvms.stderr)
    return verdict


def cannot_be_read(path: pathlib.Path, tools: Tools, ours: Run, llvms: Run, timeout: float) -> bool:
    """Returns true if both runs reject the file, or if both runs and a run without passes crash."""
    if ours.ending is not llvms.ending:
        return False
    if ours.ending is Ending.CRASHED:
        nothing = tools.opt_command("no-op-module", "-disable-output")
        return run([*nothing, path], timeout).ending is Ending.CRASHED
    return ours.ending is Ending.REFUSED


def command(tools: Tools, side: int, analyses: Sequence[str], conditions: Conditions) -> list[str]:
    """Returns the command for the passes of bpa if `side` is 0, and for the passes of LLVM if `side` is 1. Both
    commands load the plugin, because both pipelines can contain `annotate`."""
    passes = [COMPARISONS[analysis][side] for analysis in analyses]
    if conditions.like and side == 0:
        passes = [f"rust-{analysis}<like={conditions.like.llvm.version}>" for analysis in analyses]
    if conditions.before:
        passes.insert(0, conditions.before)
    return tools.opt_command(",".join(passes), "-disable-output")
