"""Puts the profile of a run into the IR that was kept, and nothing of it but counts."""

import json
import pathlib
import re
import shutil
import subprocess
from collections.abc import Iterable

from bpa_dev.llvm import Llvm
from bpa_dev.messages import Failure

from . import normal
from .wrapper import EARLY, INSTRUMENT

#: Beside the IR: the hash of the body of each function that ran, by module.
BODIES = "bodies.json"

ATTRIBUTES = re.compile(r"^attributes #\d+ = \{.*$", re.M)
# LLVM's attributes of functions that are hot or cold by the profile. Rules would read the result from them.
MARKS = re.compile(r'(?<![\w"-])(cold|hot|inlinehint)(?![\w"-])')
MARKS_OF_PROGRAM = re.compile(r'"program-(cold|hot|inlinehint)"')
DEFINED = re.compile(r'^define [^@]*@(?:"((?:[^"\\]|\\..)*)"|([-\w.$]+))\(', re.M)
COUNTED = re.compile(r"^  (\S.*):\n    Hash: \S+\n    Counters: \d+\n    Block counts: \[(.*)\]$", re.M)
ENTERED = re.compile(r'!\{!"function_entry_count", i64 [1-9]')


def hide_marks(ir: str) -> str:
    """The program's own attributes under other names, to distinguish them from those of the profile."""
    return ATTRIBUTES.sub(lambda line: MARKS.sub(r'"program-\1"', line[0]), ir)


def restore_marks(ir: str) -> str:
    """Without the profile's marks, and with the program's own again."""
    return ATTRIBUTES.sub(lambda line: MARKS_OF_PROGRAM.sub(r"\1", MARKS.sub("", line[0])), ir)


def write(llvm: Llvm, kept: pathlib.Path, profile: pathlib.Path, truth: pathlib.Path) -> str:
    """IR with the profile, for each module of which a function ran; what LLVM said meanwhile."""
    shutil.rmtree(truth, ignore_errors=True)
    ran = functions_that_ran(llvm, profile)
    opt, bodies, said = str(llvm.tool("opt")), {}, []
    options = [f"-pgo-test-profile-file={profile}", *INSTRUMENT]
    for file in sorted(kept.rglob("*.ll")):
        ir = file.read_text(errors="surrogateescape")
        if ran.isdisjoint(defined(ir)):
            continue
        with_counts, warnings = run([opt, f"-passes={EARLY},pgo-instr-use", *options, "-S", "-o", "-"], hide_marks(ir))
        said.append(warnings)
        if not ENTERED.search(with_counts):
            continue  # a function of that name ran in another module
        name = file.relative_to(kept).with_suffix(".bc")
        target = truth / name
        target.parent.mkdir(parents=True, exist_ok=True)
        ir = restore_marks(with_counts)
        run([str(llvm.tool("llvm-as")), "-o", str(target)], ir)
        bodies[str(name)] = normal.hashes(ir)
    truth.mkdir(exist_ok=True)
    (truth / BODIES).write_text(json.dumps(bodies, indent=0, sort_keys=True))
    if not bodies:
        raise Failure(f"{profile} has nothing to say of {kept}")
    return "".join(said)


def functions_that_ran(llvm: Llvm, profile: pathlib.Path) -> set[str]:
    """Their names, those of local functions without the file before them."""
    listed, _ = run([str(llvm.tool("llvm-profdata")), "show", "--all-functions", "--counts", str(profile)], "")
    return {found[1].rpartition(":")[2] for found in COUNTED.finditer(listed) if found[2].strip("0, ")}


def defined(ir: str) -> Iterable[str]:
    return {quoted or plain for quoted, plain in DEFINED.findall(ir)}


def run(command: list[str], given: str) -> tuple[str, str]:
    done = subprocess.run(command, input=given, capture_output=True, text=True, errors="surrogateescape")
    if done.returncode != 0:
        raise Failure(f"{pathlib.Path(command[0]).name}: {done.stderr.strip()[:300]}")
    return done.stdout, done.stderr
