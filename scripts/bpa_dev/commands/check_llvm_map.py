"""Checks docs/llvm-map.md, which says where each function, class and constant of LLVM's is mirrored.

The map has tables of three columns: LLVM's name, our place, and what there is to know.

    | LLVM | here | what |
    | --- | --- | --- |
    | `BranchProbabilityInfo::getEdgeProbability` | `bpa_core::bpi::BranchProbabilities::edge` | one edge |
    | `ConstantFoldCompareInstOperands` | `src/ir/fold.cpp` | asked itself |

A name or place stands in backticks; a cell may have several, separated by commas. A place is the path of an item, the
crate's name first and along the files that lead to where it is defined (a method, field or variant behind its type), or
a file. At the item itself, or at the top of the file, stands the same:

    /// LLVM: `BranchProbabilityInfo::getEdgeProbability`.
    //! LLVM: `BranchProbabilityInfo`, `SccInfo`.          (of a file; in C++ with `//`)

Every place of the map has to exist and say so, and what is said in the code has to be in the map.
"""

import argparse
import collections
import pathlib
import re
from collections.abc import Iterable, Iterator

from ..findings import Finding, tell
from ..paths import ROOT
from ..rust.lexer import Token, tokens
from ..rust.modules import Crate, workspace

MAP = pathlib.PurePath("docs/llvm-map.md")
SEPARATOR = re.compile(r"\|(?:\s*:?-+:?\s*\|)+\s*")
QUOTED = re.compile(r"`([^`]+)`")
LINE = re.compile(r"LLVM: `[^`]+`(?:,\s+`[^`]+`)*\.")
CPP_COMMENT = re.compile(r"\s*//\s*(.*)")

#: LLVM's names by our places, each with where it is said.
Names = dict[tuple[str, str], Finding]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, metavar="DIR", help="the workspace to look at")


def run(arguments: argparse.Namespace) -> int:
    root: pathlib.Path = arguments.root
    crates = workspace(root)
    code = Code(root, crates)
    rows = Rows(root / MAP)
    found = [*code.findings, *rows.findings, *compare(rows.names, code)]
    return tell(found, root, f"{len(rows.names)} entries of {MAP} are where it says")


# ---- the map ---------------------------------------------------------------------------------


class Rows:
    def __init__(self, path: pathlib.Path) -> None:
        self.names: Names = {}
        self.findings: list[Finding] = []
        if not path.exists():
            self.findings.append(Finding(path, 1, "there is no map"))
            return
        lines = path.read_text().splitlines()
        for number, line in enumerate(lines, 1):
            following = lines[number] if number < len(lines) else ""
            if line.startswith("|") and not SEPARATOR.fullmatch(line) and not SEPARATOR.fullmatch(following):
                self.read_row(Finding(path, number, ""), line)

    def read_row(self, where: Finding, line: str) -> None:
        cells = [QUOTED.findall(cell) for cell in line.split("|")[1:3]]
        if len(cells) < 2 or not all(cells):
            self.findings.append(
                Finding(where.path, where.line, "a row has a name of LLVM's and a place, in backticks")
            )
            return
        for name in cells[0]:
            for place in cells[1]:
                if (place, name) in self.names:
                    text = f"`{name}` at `{place}` is in line {self.names[place, name].line} already"
                    self.findings.append(Finding(where.path, where.line, text))
                self.names.setdefault((place, name), where)


# ---- the code --------------------------------------------------------------------------------


class Code:
    """What the code says of itself, and every place in it."""

    def __init__(self, root: pathlib.Path, crates: Iterable[Crate]) -> None:
        self.root = root
        self.names: Names = {}
        self.findings: list[Finding] = []
        self.places: dict[str, Finding] = {}
        for crate in crates:
            self.read_items(crate)
            for path in sorted(crate.files):
                self.read_file(path, [token for token in tokens(path.read_text()) if token.kind == "inner"])
            for path in sorted(crate.folder.rglob("*.cpp")):
                self.read_file(path, list(cpp_comments(path)))

    def read_items(self, crate: Crate) -> None:
        for module in crate.root.walk():
            for definitions in module.definitions.values():
                for definition in definitions:
                    place = "::".join([*module.segments, definition.name])
                    where = Finding(definition.path, definition.line, "")
                    self.places.setdefault(place, where)
                    self.read_docs(place, definition.path, definition.docs)

    def read_file(self, path: pathlib.Path, docs: list[Token]) -> None:
        place = path.relative_to(self.root).as_posix()
        self.places[place] = Finding(path, 1, "")
        self.read_docs(place, path, docs)

    def read_docs(self, place: str, path: pathlib.Path, docs: Iterable[Token]) -> None:
        """Takes what a line that begins with `LLVM:` says; it may go on in the next ones."""
        lines = [(token.line, token.text.lstrip("/!").strip()) for token in docs]
        for index, (number, text) in enumerate(lines):
            if not text.startswith("LLVM:"):
                continue
            for _, following in lines[index + 1 :]:
                if text.endswith("."):
                    break
                text = f"{text} {following}"
            if LINE.fullmatch(text):
                for name in QUOTED.findall(text):
                    self.names[place, name] = Finding(path, number, "")
            else:
                self.findings.append(Finding(path, number, f"not of the form LLVM: `name`, `name`.: {text}"))


def cpp_comments(path: pathlib.Path) -> Iterator[Token]:
    for number, line in enumerate(path.read_text().splitlines(), 1):
        comment = CPP_COMMENT.fullmatch(line)
        if comment:
            yield Token("inner", comment[1], number)


# ---- both ------------------------------------------------------------------------------------


def compare(rows: Names, code: Code) -> Iterator[Finding]:
    by_last_name: dict[str, list[str]] = collections.defaultdict(list)
    for place in code.places:
        by_last_name[place.rpartition("::")[2]].append(place)
    for (place, name), where in rows.items():
        if place not in code.places:
            others = ", ".join(f"`{other}`" for other in by_last_name[place.rpartition("::")[2]][:3])
            yield Finding(where.path, where.line, f"no `{place}`" + (f"; there is {others}" if others else ""))
        elif (place, name) not in code.names:
            item = code.places[place]
            said = f"{item.path.relative_to(code.root)}:{item.line}"
            yield Finding(where.path, where.line, f"`{place}` ({said}) does not say LLVM: `{name}`.")
    for (place, name), where in code.names.items():
        if (place, name) not in rows:
            yield Finding(where.path, where.line, f"not in {MAP}: | `{name}` | `{place}` |")
