"""Runs a pass of bpa and a pass of LLVM on the same IR, and compares the results byte for byte."""

import pathlib
import re

from ..tools import Tools
from .runs import run
from .verdict import Verdict


def compare(
    path: pathlib.Path, ours: str, theirs: str, tools: Tools, timeout: float, flags: tuple[str, ...] = ()
) -> Verdict:
    """Runs `opt -S` and `flags` with each pipeline, and compares the outputs. If LLVM's output differs from the output
    of a pipeline that does nothing, LLVM's pass changes the file."""
    verdict = Verdict(path)
    texts = {}
    for side, passes in {"ours": ours, "LLVM's": theirs, "without a pass": "no-op-module"}.items():
        done = run([*tools.opt_command(passes, "-S", *flags), path, "-o", "-"], timeout)
        verdict.note(side, done)
        texts[side] = done.stdout
    if not verdict.troubled:
        verdict.functions = len(re.findall(rb"^define ", texts["LLVM's"], re.MULTILINE))
        verdict.changed = texts["LLVM's"] != texts["without a pass"]
        verdict.compare(texts["ours"], texts["LLVM's"])
    return verdict
