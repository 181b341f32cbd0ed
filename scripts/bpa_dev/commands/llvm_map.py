"""Makes docs/src/internals/llvm-map.md, which item mirrors which item of LLVM, from the `LLVM:` comments.

The last line of an item's comment names what it mirrors, and so does the comment at the top of a file:

    /// LLVM: `BranchProbabilityInfo::getEdgeProbability`.
    //! LLVM: `BranchProbabilityInfo`, `SccInfo`.          (of a file; in C++ with `//`)

The text before and after the table is written by hand.
"""

import argparse
import collections
import pathlib
import re
from collections.abc import Iterator

from ..messages import Failure, say
from ..paths import ROOT

MAP = ROOT / "docs/src/internals/llvm-map.md"
HEAD = "| LLVM | here |\n| --- | --- |\n"
COMMENT = re.compile(r"\s*//[/!]? ?(.*)")
LINE = re.compile(r"LLVM: (`[^`]+`(?:, `[^`]+`)*)\.")
#: An item, or else the name of a field or variant.
ITEM = re.compile(r"(?:(?:pub(?:\([^)]*\))?|const|static|unsafe|fn|struct|enum|trait|type|mod|impl)\s+)*(\w+)")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail if the file is not what would be written"
    )


def run(arguments: argparse.Namespace) -> int:
    rows = table({row for path in sources() for row in rows_of(path.read_text(), path)})
    before, _, rest = MAP.read_text().partition(HEAD)
    after = re.sub(r"\A(?:\|.*\n)*", "", rest)
    text = before + HEAD + "".join(rows) + after
    if arguments.check and MAP.read_text() != text:
        raise Failure(f"{MAP} is not what the `LLVM:` comments say: `scripts/dev llvm-map` makes it")
    MAP.write_text(text)
    say(f"{len(rows)} rows of {MAP.name}")
    return 0


def sources() -> Iterator[pathlib.Path]:
    for folder in ("src", "plugin", "crates"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".rs", ".cpp"):
                yield path


def table(found: set[tuple[str, str, str]]) -> list[str]:
    """A line for each class with several members, and for each first letter of all other names."""
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
    """Each name of LLVM's, the item, or nothing for a file, and the file, whose comment has it."""
    lines = text.splitlines()
    for index, line in enumerate(lines):
        comment = COMMENT.fullmatch(line)
        if comment is None or not comment[1].startswith("LLVM:"):
            continue
        said, following = comment[1], index + 1
        while not said.endswith(".") and (more := COMMENT.fullmatch(lines[following])):
            said, following = f"{said} {more[1]}", following + 1
        names = LINE.fullmatch(said)
        if names is None:
            raise Failure(f"{path}:{index + 1}: not of the form LLVM: `name`, `name`.: {said}")
        item = item_after(lines[following:]) if line.lstrip().startswith("///") else ""
        for name in re.findall(r"`([^`]+)`", names[1]):
            yield name, item, str(path.relative_to(ROOT))


def item_after(lines: list[str]) -> str:
    """The item that a comment before these lines belongs to."""
    code = (line.strip() for line in lines)
    found = ITEM.match(next(line for line in code if not line.startswith(("#", "//", ")", "]"))))
    return f"`{found[1]}`" if found else ""
