"""What a pass of ours makes of IR against what a pass of LLVM makes of it, byte for byte."""

import re

from .differences import readable
from .runs import run
from .tools import opt_command
from .verdict import Verdict

NAME = r'("(?:[^"\\]|\\.)*"|[-\w.$]+)'
DEFINITION = re.compile(rb"define .*?@" + NAME.encode() + rb"\(")


def compare(path, ours, theirs, tools, timeout, nothing="no-op-module"):
    """`opt -S` with either pipeline, and once with `nothing`, to tell whether there was anything to
    do; None saves that run."""
    verdict = Verdict(path)
    texts = {}
    sides = {"ours": ours, "LLVM's": theirs}
    if nothing:
        sides["without a pass"] = nothing
    for side, passes in sides.items():
        done = run([*opt_command(tools, passes, "-S"), path, "-o", "-"], timeout)
        verdict.note(side, done)
        texts[side] = done.stdout
    if not verdict.troubled:
        verdict.functions = len(re.findall(rb"^define ", texts["LLVM's"], re.MULTILINE))
        verdict.changed = texts["LLVM's"] != texts.get("without a pass")
        verdict.hold_against(texts["ours"], texts["LLVM's"], sections)
    return verdict


def sections(text):
    """The lines of each function's body, and those between functions, by where they are."""
    place = "before the first function"
    found = {place: []}
    for line in text.split(b"\n"):
        definition = DEFINITION.match(line)
        if definition:
            place = "function " + readable(definition[1])
        found.setdefault(place, []).append(line)
        if line == b"}":
            place = "outside of functions"
    return found
