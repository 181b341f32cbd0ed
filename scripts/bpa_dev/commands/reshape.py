"""Has a plugin of another's change all of SQLite -O2 under valgrind, and ask everything at every step.

The plugin is lit-tests/Inputs/reshape: it splits edges, moves and deletes blocks, tells a profile of it, and holds
that against new profiles and old ones after each step. `rust-bfi<check>` holds the numbers that come out in the end
against LLVM's own, and LLVM's verifier looks at the IR.

Exits with 0 only if all agree, and valgrind has found nothing that has one of the two plugins on the stack.
"""

import argparse
import pathlib
import subprocess
import time

from .. import memcheck
from ..corpus import Corpus
from ..messages import Failure, say
from ..tools import Tools, add_options, find_tools

PLUGIN = "libtest_plugin.so"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_options(parser)
    parser.add_argument("file", nargs="?", type=pathlib.Path, metavar="FILE", help="another module than SQLite -O2")
    parser.add_argument(
        "--steps", type=int, default=6, metavar="K", help="in each function, in two rounds (default: 6)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="where chance starts (default: 1)")
    parser.add_argument("--no-valgrind", action="store_true", help="run opt by itself")


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin)
    if not arguments.no_valgrind:
        memcheck.require()
    tools.llvm.cargo("build", "--quiet", "--release", "--example", "test_plugin")
    file = arguments.file or Corpus(tools.llvm).make("sqlite-O2")
    folder = memcheck.new_folder(tools.llvm.target / "reshape")
    watching = [] if arguments.no_valgrind else [*memcheck.VALGRIND, f"--xml-file={folder}/%p.xml"]
    start = time.monotonic()
    say(f"changing {file}")
    if subprocess.run([*watching, *command(tools, file, arguments.steps, arguments.seed)]).returncode != 0:
        raise Failure("opt did not end well")
    print(f"{time.monotonic() - start:.0f} s")
    if arguments.no_valgrind:
        return 0
    found = memcheck.Report(sorted(folder.glob("*.xml")), (memcheck.PLUGIN, PLUGIN))
    found.tell()
    return 0 if found.is_clean() else 1


def command(tools: Tools, file: pathlib.Path, steps: int, seed: int) -> list[str]:
    test_plugin = tools.llvm.target / "release" / "examples" / PLUGIN
    rounds = [f"test-reshape<steps={steps};seed={start}>,rust-bfi<check>" for start in (seed, seed + 1)]
    passes = ",".join([*rounds, "verify", "test-reshape-report"])
    return [*tools.opt_command(passes, f"-load-pass-plugin={test_plugin}", "-disable-output"), str(file)]
