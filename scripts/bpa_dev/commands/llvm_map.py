"""Writes the table of docs/src/internals/llvm-map.md: the items that mirror LLVM and have an `LLVM:` comment.

An `LLVM:` comment is the last part of an item's doc comment, or of the comment at the top of a file:

    /// LLVM: `BranchProbabilityInfo::getEdgeProbability`.
    //! LLVM: `BranchProbabilityInfo`, `SccInfo`.          (at the top of a file; C++ files have `//` instead)

The command keeps the text before and after the table.
"""

import argparse
import collections
import pathlib
import re
from collections.abc import Iterator

from ..messages import Failure, announce
from ..paths import ROOT

MAP = ROOT / "docs/src/internals/llvm-map.md"
HEAD = "| LLVM | bpa |\n| --- | --- |\n"
COMMENT = re.compile(r"\s*//[/!]? ?(.*)")
LINE = re.compile(r"LLVM: (`[^`]+`(?:, `[^`]+`)*)\.")
#: Matches an item, a field or a variant. The group `(\w+)` of the pattern matches the name.
ITEM = re.compile(r"(?:(?:pub(?:\([^)]*\))?|const|static|unsafe|fn|struct|enum|trait|type|mod|impl)\s+)*(\w+)")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the table is out of date")


def run(arguments: argparse.Namespace) -> int:
    rows = table({row for path in sources() for row in rows_of(path.read_text(), path)})
    before, _, rest = MAP.read_text().partition(HEAD)
    after = re.sub(r"\A(?:\|.*\n)*", "", rest)
    text = before + HEAD + "".join(rows) + after
    if arguments.check and MAP.read_text() != text:
        raise Failure(f"{MAP} differs from the `LLVM:` comments: run `scripts/dev llvm-map`")
    MAP.write_text(text)
    announce(f"{len(rows)} rows of {MAP.name}")
    return 0


def sources() -> Iterator[pathlib.Path]:
    for folder in ("src", "plugin", "crates"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".rs", ".cpp"):
                yield path


def table(found: set[tuple[str, str, str]]) -> list[str]:
    """Writes one row for each class with several members. All other names are grouped by their first letter, one row
    per letter."""
    count = collections.Counter(name.partition("::")[0] for name, _, _ in found)
    classes: dict[str, list[str]] = {}
    others: dict[str, list[str]] = {}
    for name, item, path in sorted(found):
        owner, _, member = name.partition("::")
        place = " ".join(part for part in (item, f"`{path}`") if part)
        if count[owner] > 1 and member:
            classes.setdefault(f"`{owner}`", []).append(f"`{member}`: {place}")
        else:
            others.setdefault(name[0].upper(), []).append(f"`{name}`: {place}")
    lines = [*classes.items(), *((f"other names in {letter}", rest) for letter, rest in sorted(others.items()))]
    return [f"| {title} | {'; '.join(members)} |\n" for title, members in lines]


def rows_of(text: str, path: pathlib.Path) -> Iterator[tuple[str, str, str]]:
    """Yields rows. A row has an LLVM name, the corresponding Rust item, and the path of the file. If the LLVM name
    corresponds to the whole file, the row has an empty Rust item."""
    lines = text.splitlines()
    for index, line in enumerate(lines):
        comment = COMMENT.fullmatch(line)
        if comment is None or not comment[1].startswith("LLVM:"):
            continue
        sentence, following = comment[1], index + 1
        while not sentence.endswith(".") and (more := COMMENT.fullmatch(lines[following])):
            sentence, following = f"{sentence} {more[1]}", following + 1
        names = LINE.fullmatch(sentence)
        if names is None:
            raise Failure(f"{path}:{index + 1}: expected a comment like LLVM: `name`, `name`. but found: {sentence}")
        item = item_after(lines[following:]) if line.lstrip().startswith("///") else ""
        for name in re.findall(r"`([^`]+)`", names[1]):
            yield name, item, str(path.relative_to(ROOT))


def item_after(lines: list[str]) -> str:
    """Returns the name of the first item that `lines` define. The lines follow an `LLVM:` comment."""
    code = (line.strip() for line in lines)
    found = ITEM.match(next(line for line in code if not line.startswith(("#", "//", ")", "]"))))
    return f"`{found[1]}`" if found else ""
