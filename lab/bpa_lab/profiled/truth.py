"""Annotates IR with the counts of a profile, without the attributes that LLVM derives from the profile."""

import json
import pathlib
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping

from bpa_dev.llvm import Llvm
from bpa_dev.messages import Failure

from . import normal
from .wrapper import INSTRUMENT

#: For each function of each module, this file has two hashes of the body: one hash of the IR in the folder, and one
#: hash of the IR at `pipeline-early-simplification`.
BODIES = "bodies.json"

ATTRIBUTES = re.compile(r"^attributes #\d+ = \{.*$", re.M)
# LLVM adds these attributes to functions that are hot or cold in the profile. A predictor must not use these
# attributes.
HOTNESS = re.compile(r'(?<![\w"-])(cold|hot|inlinehint)(?![\w"-])')
#: Matches an attribute that LLVM has added. Also matches a mark of `mark_attributes`, for example `program-cold`.
ADDED = re.compile(HOTNESS.pattern + r'(?!.*"program-\1")| "program-\w+"')
#: A block with which `pgo-instr-use` splits an edge: its name, its predecessor and its successor.
WORD = r'("(?:[^"\\]|\\.)*"|[-\w.$]+)'
SPLIT = re.compile(rf"\n\n{WORD}:[ ]+; preds = %{WORD}\n  br label %{WORD}(?:, !\S+ !\d+)*$", re.M)
TARGET, INCOMING = re.compile(rf"label %{WORD}"), re.compile(rf", %{WORD} \]")
DEFINED = re.compile(r'^define [^@]*@(?:"((?:[^"\\]|\\..)*)"|([-\w.$]+))\(', re.M)
COUNTED = re.compile(r"^  (\S.*):\n    Hash: \S+\n    Counters: \d+\n    Block counts: \[(.*)\]$", re.M)
ENTERED = re.compile(r'!\{!"function_entry_count", i64 [1-9]')


def mark_attributes(ir: str) -> str:
    """Marks the attributes that come from the source of the program. The marks distinguish these attributes from the
    attributes that LLVM adds later. The marked attributes stay in the IR, because the positions of the counters depend
    on the attribute `cold`."""
    return ATTRIBUTES.sub(lambda line: HOTNESS.sub(r'\1 "program-\1"', line[0]), ir)


def restore_attributes(ir: str) -> str:
    """Removes the attributes that LLVM has added, and the marks that `mark_attributes` has added."""
    return ATTRIBUTES.sub(lambda line: ADDED.sub("", line[0]), ir)


def unsplit(ir: str, original: str) -> str:
    """Removes the blocks that LLVM inserts on edges to count the edges. The IR then has the blocks of `original`."""
    found = normal.FUNCTION.findall(original)
    known = {quoted or plain: {block for block, *_ in SPLIT.findall(body)} for quoted, plain, body in found}

    def one(function: re.Match[str]) -> str:
        own = known[function[1] or function[2]]
        split = {block: ends for block, *ends in SPLIT.findall(function[0]) if block not in own}
        text = SPLIT.sub(lambda block: "" if block[1] in split else block[0], function[0])
        text = TARGET.sub(lambda edge: f"label %{split[edge[1]][1]}" if edge[1] in split else edge[0], text)
        return INCOMING.sub(lambda edge: f", %{split[edge[1]][0]} ]" if edge[1] in split else edge[0], text)

    return normal.FUNCTION.sub(one, ir)


def write(
    llvm: Llvm, modules: Mapping[str, tuple[pathlib.Path, pathlib.Path]], profile: pathlib.Path, truth: pathlib.Path
) -> str:
    """Writes the IR with the profile for each module that has an executed function. Returns LLVM's warnings.

    For each module, `modules` contains two IR files: the IR that gets the profile, and the IR at
    `pipeline-early-simplification`.
    """
    shutil.rmtree(truth, ignore_errors=True)
    ran = functions_that_ran(llvm, profile)
    opt, bodies, printed = str(llvm.tool("opt")), {}, []
    options = [f"-pgo-test-profile-file={profile}", *INSTRUMENT]
    for name, (file, early) in modules.items():
        ir = file.read_text(errors="surrogateescape")
        if ran.isdisjoint(defined(ir)):
            continue
        with_counts, warnings = run([opt, "-passes=pgo-instr-use", *options, "-S", "-o", "-"], mark_attributes(ir))
        printed.append(warnings)
        if not ENTERED.search(with_counts):
            continue  # A function with this name ran, but in a different module.
        target = truth / f"{name}.bc"
        target.parent.mkdir(parents=True, exist_ok=True)
        ir = unsplit(restore_attributes(with_counts), ir)
        run([str(llvm.tool("llvm-as")), "-o", str(target)], ir)
        sources = normal.hashes(early.read_text(errors="surrogateescape"))
        hashes = normal.hashes(ir).items()
        bodies[f"{name}.bc"] = {function: normal.Body(own, sources.get(function, own)) for function, own in hashes}
    truth.mkdir(exist_ok=True)
    (truth / BODIES).write_text(json.dumps(bodies, indent=0, sort_keys=True))
    if not bodies:
        raise Failure(f"{profile} has no counts for the modules of {truth.parent}")
    return "".join(printed)


def functions_that_ran(llvm: Llvm, profile: pathlib.Path) -> set[str]:
    """Returns the names of executed functions. Removes the file name from the names of local functions."""
    listed, _ = run([str(llvm.tool("llvm-profdata")), "show", "--all-functions", "--counts", str(profile)], "")
    return {found[1].rpartition(":")[2] for found in COUNTED.finditer(listed) if found[2].strip("0, ")}


def defined(ir: str) -> Iterable[str]:
    return {quoted or plain for quoted, plain in DEFINED.findall(ir)}


def run(command: list[str], given: str) -> tuple[str, str]:
    done = subprocess.run(command, input=given, capture_output=True, text=True, errors="surrogateescape")
    if done.returncode != 0:
        raise Failure(f"{pathlib.Path(command[0]).name}: {done.stderr.strip()[:300]}")
    return done.stdout, done.stderr
