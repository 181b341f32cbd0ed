"""Checks that names, comments and documents keep to the field's words.

bpa_dev/words.toml lists the words that are not wanted, with what to say instead, and where they are right all the same.
A word counts by itself, as part of a name (`old_word`, `OldWord`) and in the name of a file.
"""

import argparse
import dataclasses
import fnmatch
import pathlib
import re
import subprocess
import tomllib
from collections.abc import Iterator

from ..findings import Finding, tell
from ..messages import Failure
from ..paths import ROOT

WORDS = pathlib.Path(__file__).resolve().parent.parent / "words.toml"
#: The words of names, too: what is between underscores and before capitals.
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


@dataclasses.dataclass
class Allowance:
    text: re.Pattern[str]
    files: list[str]
    used: bool = False

    def covers(self, name: str, line: str, start: int, end: int) -> bool:
        if not any(fnmatch.fnmatch(name, pattern) for pattern in self.files):
            return False
        found = any(match.start() <= start and end <= match.end() for match in self.text.finditer(line))
        self.used |= found
        return found


@dataclasses.dataclass
class Rules:
    #: What to say instead, by word.
    instead: dict[str, str]
    allowed: list[Allowance]
    skipped: list[str]

    def unwanted(self, name: str, line: str) -> Iterator[re.Match[str]]:
        """The words of the line that are not right here."""
        for word in WORD.finditer(line):
            if word[0].lower() in self.instead:
                covering = [rule.covers(name, line, word.start(), word.end()) for rule in self.allowed]
                if not any(covering):
                    yield word


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, metavar="DIR", help="the repository to look at")
    parser.add_argument("--words", type=pathlib.Path, default=WORDS, metavar="FILE", help="the list to look with")
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files and folders (default: all)", type=pathlib.Path)


def run(arguments: argparse.Namespace) -> int:
    rules = read_rules(arguments.words)
    found: list[Finding] = []
    for name in tracked(arguments.root, arguments.paths):
        path = arguments.root / name
        if path != arguments.words and not any(fnmatch.fnmatch(name, pattern) for pattern in rules.skipped):
            found += look_at(path, name, rules)
    if not arguments.paths:
        found += needless(arguments.words, rules)
    return tell(found, arguments.root, "the words are the field's")


def read_rules(path: pathlib.Path) -> Rules:
    content = tomllib.loads(path.read_text())
    instead = {form: word["instead"] for word in content["word"] for form in word["forms"]}
    for rule in content["allowed"]:
        if not rule.get("why"):
            raise Failure(f"{path}: no reason why {rule['text']} is allowed")
    allowed = [Allowance(re.compile(rule["text"]), rule.get("files", ["*"])) for rule in content["allowed"]]
    return Rules(instead, allowed, content["skipped"])


def tracked(root: pathlib.Path, paths: list[pathlib.Path]) -> list[str]:
    """The files that are, or would be, in the repository."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"]
    command += [str(path.absolute()) for path in paths]
    listed = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, text=True)
    if listed.returncode != 0:
        raise Failure(f"git knows no files in {root}")
    return sorted({name for name in listed.stdout.split("\0") if name and (root / name).is_file()})


def look_at(path: pathlib.Path, name: str, rules: Rules) -> Iterator[Finding]:
    for word in rules.unwanted(name, name):
        yield Finding(path, 1, f"the file's name says `{word[0]}`: {rules.instead[word[0].lower()]}")
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        for word in rules.unwanted(name, line):
            yield Finding(path, number, f"`{word[0]}`: {rules.instead[word[0].lower()]}")


def needless(path: pathlib.Path, rules: Rules) -> Iterator[Finding]:
    """Allowances that nothing needs any more."""
    lines = path.read_text().splitlines()
    for rule in rules.allowed:
        if not rule.used:
            number = next(number for number, line in enumerate(lines, 1) if rule.text.pattern in line)
            yield Finding(path, number, "nothing needs this allowance")
