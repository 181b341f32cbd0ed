"""Writes docs/src/reference/rules.md from the tests in lit-tests/heuristics.

Each test is a section: the comment at its top is the text and the picture, its function the example, its CHECK lines
what is printed. lit holds these against real `opt`, and `--check` holds the page against the tests, so that no number
on it can be wrong for long.
"""

import argparse
import difflib
import re

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
# Every heuristic, with its numbers

How LLVM predicts a program without having run it: rule by rule, in the order in which the rules are asked. The first
that has an answer decides a block. Each section has a small function, its control-flow graph, and what
[`explain`](../guide/why.md) prints of it.

This page is written by `scripts/dev heuristics-page` from the tests in
[`lit-tests/heuristics/`](../../../lit-tests/heuristics), which run on every LLVM and are compared with LLVM's own printers:
edit those.
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
    sections = [Section((TESTS / f"{name}.ll").read_text()) for name in SECTIONS]
    contents = "\n".join(f"- [{section.title}](#{section.anchor()})" for section in sections)
    return "\n".join([BEGINNING, contents, *(section.text() for section in sections), ""])


class Section:
    """One test, taken apart."""

    def __init__(self, test: str) -> None:
        lines = test.splitlines()
        run = next(place for place, line in enumerate(lines) if line.startswith("; RUN:"))
        comment = [line[2:] for line in lines[:run]]
        self.title = comment[0].removeprefix("# ")
        # The last paragraph is the picture; an empty line may stand behind it.
        while not comment[-1]:
            comment.pop()
        last_gap = len(comment) - 1 - comment[::-1].index("")
        self.prose, self.picture = comment[1:last_gap], comment[last_gap + 1 :]
        passes = re.search(r"-passes='(.*?)'", lines[run])
        if passes is None:
            raise Failure(f"the test of '{self.title}' names no passes")
        self.passes = passes[1]
        self.example = [line for line in lines[run:] if not line.startswith(("; RUN", "; CHECK"))]
        self.printed = [printed(line) for line in lines if line.startswith("; CHECK-NEXT: ")]

    def anchor(self) -> str:
        return re.sub(r"[^\w-]", "", self.title.lower().replace(" ", "-"))

    def text(self) -> str:
        prose = "\n".join(self.prose).strip()
        example = "\n".join(self.example).strip()
        output = "\n".join(self.printed)
        picture = "\n".join(self.picture)
        return (
            f"\n## {self.title}\n\n{prose}\n\n```text\n{picture}\n```\n\n```llvm\n{example}\n```\n\n"
            f"`{self.passes}` prints:\n\n```text\n{output}\n```"
        )


def printed(check: str) -> str:
    """The line that a CHECK line stands for, as LLVM 16 prints it."""
    line = check.removeprefix("; CHECK-NEXT: ")
    return line.replace("{{%?}}", "").replace("{{[0-9]+}}", "...")
