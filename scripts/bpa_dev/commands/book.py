"""Checks the book: links, file names, the summary, the size, and comments above code blocks with `norun`.

Also runs `mdbook build docs`, which writes target/book, if mdbook is installed (`cargo install mdbook`).
"""

import argparse
import pathlib
import re
import shutil
import subprocess
from collections.abc import Iterator

from ..messages import Failure, announce
from ..paths import DOCS, ROOT

BOOK = DOCS / "src"
SUMMARY = BOOK / "SUMMARY.md"
MOST_LINES = 4000
MOST_LINES_OF_README = 90
#: Pages outside of the book that the command also checks.
OTHER_PAGES = ("README.md", "CONTRIBUTING.md", "lab/README.md")
FENCED = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
#: The path of a file or folder of the repository, enclosed in backticks. Names with capital letters are
#: placeholders, and do not match.
PATH = re.compile(r"`((?:crates|docs|examples|lab|lit-tests|plugin|scripts|src)/[a-z\d_./-]*)`")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    pass


def run(arguments: argparse.Namespace) -> int:
    pages = sorted(BOOK.rglob("*.md"))
    others = [*(ROOT / page for page in OTHER_PAGES), *sorted(ROOT.glob("crates/*/README.md"))]
    problems = [problem for page in [*pages, *others] for problem in problems_of(page)]
    problems += [f"{SUMMARY}: {page.relative_to(BOOK)} is missing in the list" for page in unlisted(pages)]
    lines = sum(page.read_text().count("\n") for page in pages)
    if lines > MOST_LINES:
        problems.append(f"{BOOK}: {lines} lines, but at most {MOST_LINES} are allowed")
    if (readme := (ROOT / "README.md").read_text().count("\n")) > MOST_LINES_OF_README:
        problems.append(f"README.md: {readme} lines, but at most {MOST_LINES_OF_README} are allowed")
    print(*problems, sep="\n", end="\n" if problems else "")
    words = sum(len(page.read_text().split()) for page in pages)
    print(f"book: {len(pages)} pages, {lines} lines, {words} words, {len(problems)} problems")
    if shutil.which("mdbook") is None:
        announce("mdbook is not installed: skipping the build of the book")
    elif subprocess.run(["mdbook", "build", DOCS]).returncode != 0:
        raise Failure("mdbook cannot build the book")
    return 1 if problems else 0


def problems_of(page: pathlib.Path) -> Iterator[str]:
    """Finds broken links, names of missing files, and code blocks with the word `norun` but without a reason."""
    text = page.read_text()
    for target in LINK.findall(re.sub(r"`[^`\n]*`", "", FENCED.sub("", text))):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists():
            yield f"{page}: {target} does not exist"
        elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text()):
            yield f"{page}: {target}: the page has no such heading"
        elif page.is_relative_to(BOOK) and not file.is_relative_to(BOOK):
            yield f"{page}: {target} is outside of the book"
    for path in PATH.findall(FENCED.sub("", text)):
        if not (ROOT / path).exists():
            yield f"{page}: {path} does not exist"
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if re.match(r" *```.*\bnorun\b", line) and "norun:" not in lines[number - 1]:
            yield f"{page}:{number + 1}: a block with norun needs a comment `norun: REASON` on the line above"


def anchors(text: str) -> set[str]:
    """The anchors of the headings of a page, as mdbook and GitHub create them."""
    found: dict[str, int] = {}
    names = set()
    for heading in re.findall(r"^#+ (.*)$", FENCED.sub("", text), re.MULTILINE):
        plain = re.sub(r"\]\([^)]*\)", "", heading).replace("[", "").lower()
        name = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        names.add(f"{name}-{found[name]}" if name in found else name)
        found[name] = found.get(name, 0) + 1
    return names


def unlisted(pages: list[pathlib.Path]) -> list[pathlib.Path]:
    listed = {(BOOK / target).resolve() for target in LINK.findall(SUMMARY.read_text())}
    return [page for page in pages if page != SUMMARY and page.resolve() not in listed]
