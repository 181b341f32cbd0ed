"""What a pass of ours makes of IR against what a pass of LLVM makes of it, byte for byte."""

import re
import subprocess

from .differences import readable
from .runs import run
from .tools import opt_command
from .verdict import Verdict

NAME = r'("(?:[^"\\]|\\.)*"|[-\w.$]+)'
DEFINITION = re.compile(rb"define .*?@" + NAME.encode() + rb"\(")


def compare(path, ours, theirs, tools, timeout):
    """`opt -S` with either pipeline, and once with none, to tell whether there was anything to do."""
    verdict = Verdict(path)
    texts = {}
    for side, passes in ("ours", ours), ("LLVM's", theirs), ("without a pass", "no-op-module"):
        done = run([*opt_command(tools, passes, "-S"), path, "-o", "-"], timeout,
                   stdout=subprocess.PIPE)
        verdict.note(side, done)
        texts[side] = done.stdout
    if not verdict.troubled:
        verdict.functions = len(re.findall(rb"^define ", texts["LLVM's"], re.MULTILINE))
        verdict.changed = texts["LLVM's"] != texts["without a pass"]
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
