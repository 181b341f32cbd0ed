"""Runs a pass of bpa and a pass of LLVM on the same IR, and compares the results byte for byte."""

import pathlib
import re

from ..tools import Tools
from .differences import Sections, readable
from .runs import run
from .verdict import Verdict

NAME = r'("(?:[^"\\]|\\.)*"|[-\w.$]+)'
DEFINITION = re.compile(rb"define .*?@" + NAME.encode() + rb"\(")


def compare(
    path: pathlib.Path, ours: str, theirs: str, tools: Tools, timeout: float, nothing: str | None = "no-op-module"
) -> Verdict:
    """Runs `opt -S` with each pipeline, and compares the outputs. The pipeline `nothing` does not change the IR.
    If LLVM's output differs from the output of this pipeline, LLVM's pass changes the file. Without a no-op pipeline,
    `compare` assumes that LLVM's pass changes the file."""
    verdict = Verdict(path)
    texts = {}
    sides = {"ours": ours, "LLVM's": theirs}
    if nothing:
        sides["without a pass"] = nothing
    for side, passes in sides.items():
        done = run([*tools.opt_command(passes, "-S"), path, "-o", "-"], timeout)
        verdict.note(side, done)
        texts[side] = done.stdout
    if not verdict.troubled:
        verdict.functions = len(re.findall(rb"^define ", texts["LLVM's"], re.MULTILINE))
        verdict.changed = texts["LLVM's"] != texts.get("without a pass")
        verdict.compare(texts["ours"], texts["LLVM's"], sections)
    return verdict


def sections(text: bytes) -> Sections:
    """Splits a module into the bodies of functions and the lines outside of functions."""
    place = "before the first function"
    found: Sections = {place: []}
    for line in text.split(b"\n"):
        definition = DEFINITION.match(line)
        if definition:
            place = "function " + readable(definition[1])
        found.setdefault(place, []).append(line)
        if line == b"}":
            place = "outside of functions"
    return found
