"""Runs the FileCheck tests and SQLite with the address and undefined behaviour sanitizers in the plugin's C++.

The C++ of the plugin is compiled by clang with -fsanitize=address,undefined, the Rust with overflow checks; all that
the tests run gets the sanitizer's runtime by LD_PRELOAD. LLVM itself is not instrumented. Leaks are not looked for
here: `scripts/dev valgrind` does that.

Exits with 0 only if the tests and the passes on SQLite end well, and no sanitizer has found anything.
"""

import argparse
import os
import pathlib
import subprocess
from collections.abc import Mapping

from .. import llvm as llvms
from .. import sanitizers
from ..corpus import Corpus
from ..lit import run_lit
from ..messages import error, say
from ..tools import Tools, add_llvm_option, find_tools

#: All that goes through C++, and much that does not.
PASSES = (
    "rust-bpi<check>,rust-bfi<check>,rust-lower-expect,rust-bpi<annotate>,rust-bfi<check>",
    "function(rust-bpi<annotate;overwrite>,rust-bfi<check>),print<rust-bias>",
    "default<O1>,rust-bfi<check>",
)
#: A build with checks can be asked for a panic, and this tests that others cannot.
LEFT_OUT = "guard/release.ll"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_llvm_option(parser)
    parser.add_argument("for_lit", nargs="*", metavar="TEST", help="tests and folders; behind `--`, lit's options too")


def run(arguments: argparse.Namespace) -> int:
    llvm = llvms.choose(arguments.llvm)
    sqlite = Corpus(llvm).make("sqlite-O2")
    plugin = sanitizers.build(llvm)
    folder = llvm.target / "sanitize"
    tools = find_tools(arguments.llvm, plugin)
    variables = sanitizers.watching(llvm, folder)
    troubled = [passes for passes in PASSES if not ends_well(tools, passes, sqlite, variables)]
    tests = run_lit(tools, [f"--filter-out={LEFT_OUT}", *arguments.for_lit], variables=variables)
    reports = sorted(folder.glob("found.*"))
    for report in reports:
        print(report.read_text(errors="replace"))
    print(
        f"sanitizers: {len(PASSES) - len(troubled)} of {len(PASSES)} pipelines on {sqlite.name} ended well, "
        f"lit {'failed' if tests.returncode else 'passed'}, {len(reports)} reports"
    )
    return 1 if troubled or tests.returncode or reports else 0


def ends_well(tools: Tools, passes: str, file: pathlib.Path, variables: Mapping[str, str]) -> bool:
    say(f"running {passes} on {file.name}")
    command = [*tools.opt_command(passes, "-disable-output"), str(file)]
    done = subprocess.run(command, stderr=subprocess.PIPE, env={**os.environ, **variables})
    if done.returncode != 0:
        error("".join(line.decode(errors="replace") for line in done.stderr.splitlines(keepends=True)[-4:]))
    return done.returncode == 0
