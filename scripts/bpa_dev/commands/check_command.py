"""Tries the command `bpa` on small programs: each subcommand, each kind of file, and what it says of what is wrong."""

import argparse
import itertools
import json
import pathlib
import subprocess
import tempfile
from collections.abc import Callable, Iterator

from .. import shell
from ..hinting import checks
from ..messages import Failure
from ..page import subjects
from ..tools import add_options, find_tools
from ..tried import Tried

CXX = """\
template <typename T> struct Stack {
  T items[8]; int size;
  bool push(T item) {
    if (size == 8) // full
      return false;
    items[size++] = item;
    return true;
  }
};
namespace ns {
int fill(Stack<int> &ints, Stack<char *> &texts, char *text) {
  return ints.push(1) + texts.push(text);
}
}
"""

RUST = """\
#[no_mangle]
pub fn sum(items: &[i32]) -> i32 {
    let mut sum = 0;
    for item in items {
        if *item == -1 {
            return sum;
        }
        sum ^= item;
    }
    sum
}
"""

IR = """\
define void @f(i32 %x) {
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %a, label %b
a:
  br label %b
b:
  ret void
}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin)
    with tempfile.TemporaryDirectory() as folder:
        tried = Tried(tools, shell.ask("build_command"), pathlib.Path(folder))
        count = 0
        for check in CHECKS:
            check(tried)
            count += 1
    print(f"bpa: {count} checks, all as it should be")
    return 0


def explains_c(bpa: Tried) -> None:
    text = bpa.run("explain", bpa.file("small.c", subjects.SMALL))
    bpa.expect(text, "branch: 37.5% to line 18, 62.5% to line 19", " --> small.c:17:7", "17 |   if (a == 0)\n")
    bpa.expect(text, "|       ^^^^^^", "= why: `a == 0`: numbers are rarely 0 (constant rule)")
    bpa.expect(text, "inlined at small.c:11:12", "another turn", "5 branches")
    bpa.expect(bpa.run("explain", "-v", "-f", "apart", "small.c"), "Other rules: no metadata", "1 branch\n")


def marks_conditions(bpa: Tried) -> None:
    """What is marked is the condition, also where a position is that of an operator or a name in it."""
    text = bpa.run("explain", "small.c", "--", "-O1")
    pairs = itertools.pairwise(text.splitlines())
    marks = {marked(code, mark) for code, mark in pairs if mark.lstrip(" |").startswith("^")}
    wanted = {"a == 0", "list->value == most", "value < 0"}
    if not wanted <= marks:
        raise Failure(f"marked are {marks}, not {wanted}")


def marked(code: str, mark: str) -> str:
    start = mark.index("^")
    return code[start : mark.rindex("^") + 1]


def explains_cxx(bpa: Tried) -> None:
    text = bpa.run("explain", bpa.file("stack.cpp", CXX))
    bpa.expect(text, "4 |     if (size == 8) // full", "inlined at stack.cpp:12:15", "inlined at stack.cpp:12:31")
    bpa.expect(bpa.run("explain", "-f", "ns::fill", "stack.cpp"), "in ns::fill(", "branches")


def explains_rust(bpa: Tried) -> None:
    """Where rustc's LLVM is not newer than the one that is tried; else it says what to do."""
    source = bpa.file("sum.rs", RUST)
    rustc = subprocess.run(["rustc", "-vV"], capture_output=True, text=True).stdout
    version = int(rustc.partition("LLVM version: ")[2].partition(".")[0])
    if version > bpa.tools.llvm.version:
        bpa.expect(bpa.run("explain", source, fails=True), f"rustc is built on LLVM {version}", f"--llvm {version}")
    else:
        bpa.expect(bpa.run("explain", source), "sum.rs:5", "if *item == -1 {", "branches")


def explains_ir(bpa: Tried) -> None:
    text = bpa.run("explain", bpa.file("f.ll", IR))
    bpa.expect(text, "37.5% to %a, 62.5% to %b", "in f", "compile with -gline-tables-only")
    bpa.expect(bpa.run("explain", "--ir", "f.ll"), "---- Branch Probabilities ----", "constant, 12 of 32")
    bpa.expect(bpa.run("explain", "--ir", "--frequencies", "f.ll"), "block-frequency-info: f", "0.375 from")
    bpa.expect(bpa.run("explain", "-f", "g", "f.ll", fails=True), "no branch in a function g")


def reads_compilation_databases(bpa: Tried) -> None:
    entry = {"directory": str(bpa.folder), "file": "small.c", "command": "cc -O1 -DX='a b' -c small.c -o small.o"}
    other = {"directory": str(bpa.folder), "file": "stack.cpp", "arguments": ["c++", "-std=c++14", "-c", "stack.cpp"]}
    text = bpa.run("explain", bpa.file("compile_commands.json", json.dumps([entry, other])))
    bpa.expect(text, "small.c:17:7", "stack.cpp:4:9")
    bpa.expect(bpa.run("explain", bpa.file("bad.json", "{}"), fails=True), "bad.json is no compilation database")


def tells_differences(bpa: Tried) -> None:
    other = 14 if bpa.tools.llvm.version != 14 else 16
    bpa.expect(bpa.run("diff", "--against", str(other), "f.ll"), "0 of 1 branches differ between LLVM")
    text = bpa.run("diff", "--against-predictor", "calibrated", "small.c")
    bpa.expect(text, "small.c:17:7", "other: predictor calibrated:", "branches differ")
    bpa.expect(bpa.run("diff", "--against", "13", "f.ll", fails=True), "no LLVM 13", "14 to 24")


def scores_profiles(bpa: Tried) -> None:
    source = bpa.folder / bpa.file("measured.c", subjects.MEASURED)
    profile = str(subjects.profile(bpa.tools.llvm, source, bpa.folder))
    text = bpa.run("score", "--profile", profile, "measured.c")
    bpa.expect(text, "predicted wrongly", "branches ran", "foretells", "measured.c:3:7")
    bpa.expect(bpa.run("diff", "--measured", "--profile", profile, "measured.c"), "other: measured:")
    hints = bpa.run("hints", "--profile", profile, "measured.c")
    bpa.expect(
        hints,
        "Hints for module '0/measured.c.bc'",
        "measured.c:3:9: in odd, 958 avoidable misses of 1000 executions",
        "write: ",
    )
    bpa.expect(bpa.run("score", "small.c", fails=True), "no branch has a measured profile", "-fprofile-instr-generate")


def says_what_is_wrong(bpa: Tried) -> None:
    bpa.expect(bpa.run("explain", "gone.c", fails=True), "cannot read gone.c")
    bpa.expect(bpa.run("explain", bpa.file("notes.txt", ""), fails=True), "in no language that is known")
    bpa.expect(bpa.run("explain", bpa.file("wrong.c", "int f( {"), fails=True), "cannot compile", "after two dashes")
    bpa.expect(bpa.run("explain", "--predictor", "no-such", "f.ll", fails=True), "cannot read predictor 'no-such'")
    bpa.expect(bpa.run("explain", bpa.file("wrong.ll", "define"), fails=True), "opt of LLVM")


def tells_of_itself(bpa: Tried) -> None:
    for words, parts in {
        ("doctor",): [f"LLVM {bpa.tools.llvm.version}: ", "plugin: ", "rustc: "],
        ("man",): [".TH bpa", ".SH BPA REPORT"],
        ("completions", "bash"): ["_bpa()", "--against"],
        ("--help",): ["explain", "doctor"],
    }.items():
        done = subprocess.run([bpa.command, *words], capture_output=True, text=True)
        bpa.expect(done.stdout, *parts)


def all_checks() -> Iterator[Callable[[Tried], None]]:
    """In this order: some use what others have written."""
    yield from (explains_c, marks_conditions, explains_cxx, explains_rust, explains_ir, reads_compilation_databases)
    yield from (tells_differences, scores_profiles, checks.writes_patches, says_what_is_wrong, tells_of_itself)


CHECKS = tuple(all_checks())
