"""Writes docs/src/reference/rules.md from the tests in lit-tests/heuristics.

Each test is a section: the comment at its top is the text, its CHECK lines are the output. lit holds these against real `opt`, and `--check` holds the page against the tests, so that no number
on it can be wrong for long.
"""

import argparse
import difflib
import re
from collections.abc import Iterator

from ..messages import Failure
from ..paths import DOCS, LIT_TESTS

TESTS = LIT_TESTS / "heuristics"
PAGE = DOCS / "src/reference/rules.md"
#: In the order in which the rules are asked; frequencies at the end.
SECTIONS = [
    *("metadata", "metadata-unreachable", "unreachable", "noreturn", "unwind", "cold-call", "spreading"),
    *("loop", "cold-loop", "unlikely-successors", "pointer", "zero", "strings", "floating-point", "even"),
    *("frequency", "irreducible", "irreducible-settled"),
]
BEGINNING = """\
# Rules and their numbers

LLVM applies rules to each branch in this order, and the first rule that applies decides. Each section has the lines of `explain` that show the rule.

`scripts/dev heuristics-page` makes this page from the tests in `lit-tests/heuristics/`, which have the functions, pictures of their graphs, and the whole output. They run on every LLVM version and are compared with LLVM's own printers.

| rule | edge | weight |
| --- | --- | --- |
| branch weights | each edge | its weight; at most 2^-31 if it leads to `unreachable` |
| estimated weights | to a block that ends in `unreachable` | 0 |
| | after a call that does not return; to an exception handler | 1 |
| | to a block with a cold call | 65535 |
| | to any other block | 1048575 |
| | leaves the loop | divided by 31 |
| | makes the condition of the loop false | divided by 2 |
| pointer | pointers are equal; are not | 12; 20 |
| constant | number is 0, -1 or negative, strings are equal; is not, are not | 12; 20 |
| floating point | some number is NaN; none is | 1; 1048575 |
| | `oeq`, `one`, `une` hold; do not | 20; 12 |
| | `ueq` holds; does not | 12; 20 |
| even | each edge | 1 |
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--check", action="store_true", help="fail if the page is not what the tests say")


def run(arguments: argparse.Namespace) -> int:
    page = write_page()
    if not arguments.check:
        PAGE.write_text(page)
        return 0
    before = PAGE.read_text() if PAGE.exists() else ""
    if page != before:
        changes = difflib.unified_diff(
            before.splitlines(), page.splitlines(), "the page", "the tests", lineterm="", n=1
        )
        print("\n".join(changes))
        raise Failure("docs/src/reference/rules.md is stale; scripts/dev heuristics-page writes it anew")
    return 0


def write_page() -> str:
    found = {path.stem for path in TESTS.glob("*.ll")}
    if found != set(SECTIONS):
        raise Failure(f"no place on the page for {', '.join(sorted(found ^ set(SECTIONS)))}")
    sections = [Section((TESTS / f"{name}.ll").read_text(), name) for name in SECTIONS]
    return "\n".join([BEGINNING[:-1], *(section.text() for section in sections), ""])


class Section:
    """One test, taken apart."""

    def __init__(self, test: str, name: str) -> None:
        self.name = name
        lines = test.splitlines()
        run = next(place for place, line in enumerate(lines) if line.startswith("; RUN:"))
        comment = [line[2:] for line in lines[:run]]
        self.title = comment[0].removeprefix("# ")
        # The last paragraph is a picture of the graph, which the page leaves out; an empty line may follow it.
        while not comment[-1]:
            comment.pop()
        last_gap = len(comment) - 1 - comment[::-1].index("")
        self.prose = comment[1:last_gap]
        passes = re.search(r"-passes='(.*?)'", lines[run])
        if passes is None:
            raise Failure(f"the test of '{self.title}' names no passes")
        self.passes = passes[1]
        self.printed = [printed(line) for line in lines if line.startswith("; CHECK-NEXT: ")]

    def text(self) -> str:
        prose = re.sub(r"\n(?!\n|-)", " ", "\n".join(self.prose).strip()).replace("\n ", "\n")
        output = "\n".join(decisive(self.printed))
        return f"\n## {self.title}\n\n{prose} (`{self.name}.ll`)\n\n```text\n{output}\n```"


def decisive(lines: list[str]) -> Iterator[str]:
    """The lines that show the rule: not the header, not what other rules would say, no edge without a choice."""
    for index, line in enumerate(lines):
        if line.startswith("----") or "Other rules:" in line or "single successor" in line:
            continue
        if any("single successor" in following for following in lines[index + 1 : index + 2]):
            continue
        yield line


def printed(check: str) -> str:
    """The line that a CHECK line stands for, as LLVM 16 prints it."""
    line = check.removeprefix("; CHECK-NEXT: ")
    return line.replace("{{%?}}", "").replace("{{[0-9]+}}", "...")
