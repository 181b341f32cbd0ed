"""Runs every `opt` of the FileCheck tests under valgrind, and tells what it finds in the plugin.

An error or a leak is ours if libbpa.so is anywhere on the stack: what LLVM does with what we hand to it counts too.
What valgrind has to say of LLVM alone is left out. bpa_dev/valgrind.supp lists what else is, with reasons.

Exits with 0 only if the tests pass, and valgrind has run and found nothing of ours.
"""

import argparse
import collections
import dataclasses
import pathlib
import shutil
from collections.abc import Iterator
from xml.etree import ElementTree

from ..lit import run_lit
from ..messages import Failure
from ..paths import SCRIPTS
from ..tools import add_options, find_tools

PLUGIN = "libbpa.so"
SUPPRESSIONS = SCRIPTS / "bpa_dev/valgrind.supp"
# The host unloads the plugin before leaks are looked for, and a stack of it has to stay readable.
VALGRIND = [
    *("valgrind", "--quiet", "--keep-debuginfo=yes", "--num-callers=40", "--xml=yes"),
    *("--leak-check=full", "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite"),
    f"--suppressions='{SUPPRESSIONS}'",
]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_options(parser)
    parser.add_argument("for_lit", nargs="*", metavar="TEST", help="tests and folders; behind `--`, lit's options too")


def run(arguments: argparse.Namespace) -> int:
    if not shutil.which("valgrind"):
        raise Failure("valgrind is not installed; on Debian or Ubuntu: apt-get install valgrind")
    tools = find_tools(arguments.llvm, arguments.plugin)
    folder = tools.llvm.target / "valgrind"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    watching = dataclasses.replace(tools, opt=(str(watched(tools.opt[0], folder)),))
    tests = run_lit(watching, arguments.for_lit)
    found = Report(sorted(folder.glob("*.xml")))
    found.tell()
    return 1 if tests.returncode or not found.is_clean() else 0


def watched(opt: str, folder: pathlib.Path) -> pathlib.Path:
    """A program that runs `opt` under valgrind, which writes what it finds to a file a process."""
    program = folder / "opt"
    program.write_text(f"#!/bin/sh\nexec {' '.join(VALGRIND)} --xml-file='{folder}/%p.xml' '{opt}' \"$@\"\n")
    program.chmod(0o755)
    return program


class Report:
    """What valgrind has written, each place once."""

    def __init__(self, files: list[pathlib.Path]) -> None:
        self.files = files
        self.ours: collections.Counter[str] = collections.Counter()
        self.llvms = 0
        self.unreadable: list[pathlib.Path] = []
        for path in files:
            try:
                errors = ElementTree.parse(path).getroot().findall("error")
            except ElementTree.ParseError:
                self.unreadable.append(path)
                continue
            for error in errors:
                if is_ours(error):
                    self.ours[description(error)] += 1
                else:
                    self.llvms += 1

    def is_clean(self) -> bool:
        return bool(self.files) and not self.ours and not self.unreadable

    def tell(self) -> None:
        for text, times in self.ours.most_common():
            print(f"{text}\n  ({times} times)\n")
        for path in self.unreadable:
            print(f"cut off: {path}")
        print(
            f"valgrind: {len(self.files)} runs of opt, {len(self.ours)} kinds of errors and leaks of ours, "
            f"{self.llvms} errors and leaks of LLVM alone"
        )


def is_ours(error: ElementTree.Element) -> bool:
    return any(PLUGIN in frame.findtext("obj", "") for frame in error.iter("frame"))


def description(error: ElementTree.Element) -> str:
    """What it is, and the stacks that tell where: of the error, then of what it is about."""
    lines = [error.findtext("what") or error.findtext("xwhat/text") or "?"]
    lines += [line for part in error if part.tag in ("stack", "auxwhat") for line in lines_of(part)]
    return "\n".join(lines)


def lines_of(part: ElementTree.Element) -> Iterator[str]:
    if part.tag == "auxwhat":
        yield f"  {part.text}"
    for frame in part.iter("frame"):
        place = f"{frame.findtext('file')}:{frame.findtext('line')}"
        if frame.find("file") is None:
            place = frame.findtext("obj", "?")
        yield f"    {frame.findtext('fn', '?')} ({place})"
