"""Runs the commands in the code blocks of the book, and compares their output with the page.

In a `console` block, each command follows `$ `, and its expected stdout follows the command. A line `...` matches any
number of lines. A `sh` block must exit with 0. If the info string of a block has `file=NAME`, the command writes the
block to this file before it runs any command of the page. Blocks with `norun` are skipped.

All blocks of a page run in one shell, in a new folder with links to docs/, lit-tests/, scripts/ and target/ of the
repository. `$plugin` is the path of the plugin. `bpa` and the tools of LLVM are in PATH.
"""

import argparse
import os
import pathlib
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from .. import shell
from ..messages import Failure, announce
from ..paths import DOCS, LIT_TESTS, ROOT, SCRIPTS, TARGET
from ..tools import add_options, find_tools

BLOCK = re.compile(r"^```(\w+)[ ,]*(.*)\n((?:.*\n)*?)^```$", re.MULTILINE)
FILE = re.compile(r"\bfile=([\w./-]+)")
#: The script prints this line after each command, with the exit status.
MARK = "---- end of a command: "


class Example(NamedTuple):
    command: str
    #: The expected lines; None if any output is accepted.
    expected: Sequence[str] | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pages", nargs="*", type=pathlib.Path, metavar="PAGE", help="pages to check (default: all)")
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin)
    command = pathlib.Path(shell.output_of("build_command"))
    path = os.pathsep.join([str(command.parent), str(tools.llvm.bin), os.environ["PATH"]])
    environment = {**tools.llvm.environment, "PATH": path, "plugin": str(tools.plugin)}
    count = wrong = 0
    for page in arguments.pages or sorted((DOCS / "src").rglob("*.md")):
        text = page.read_text()
        if not list(examples(text)):
            continue
        announce(f"running the commands of {page.name}")
        with tempfile.TemporaryDirectory() as name:
            for example, printed, status in results(text, new_folder(pathlib.Path(name)), environment):
                count += 1
                if not as_expected(example.expected, printed, status):
                    wrong += 1
                    print(f"{page}: $ {example.command}\n{printed}(exit status {status})")
                    print("expected by the page:", *(example.expected or []), sep="\n")
    print(f"pages: {count} commands, {wrong} differ from their page")
    return 1 if wrong or not count else 0


def new_folder(parent: pathlib.Path) -> pathlib.Path:
    """Makes the folder in which the shell runs the commands of a page."""
    folder = parent / "page"
    folder.mkdir()
    (parent / "bpa").symlink_to(ROOT)
    for place in (DOCS, LIT_TESTS, SCRIPTS, TARGET):
        (folder / place.name).symlink_to(place)
    return folder


def blocks(page: str) -> Iterator[tuple[str, str, str]]:
    """Yields the language, the rest of the info string and the text of each code block that is not marked `norun`."""
    return (block for block in BLOCK.findall(page) if "norun" not in block[1])


def examples(page: str) -> Iterator[Example]:
    for language, words, text in blocks(page):
        if FILE.search(words):
            continue
        if language == "sh":
            yield Example(text.rstrip("\n"), None)
        elif language == "console":
            for example in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, *expected = example.splitlines()
                yield Example(command, expected)


def results(page: str, folder: pathlib.Path, environment: Mapping[str, str]) -> list[tuple[Example, str, str]]:
    """Runs the commands of a page, and returns the stdout and the exit status of each command."""
    for _, words, text in blocks(page):
        if found := FILE.search(words):
            file = folder / found[1]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
    found_examples = list(examples(page))
    script = "\n".join(f"{example.command}\necho '{MARK}'$?" for example in found_examples)
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=environment, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    )
    outputs = re.findall(rf"(.*?){MARK}(\d+)\n", done.stdout, re.DOTALL)
    if len(outputs) != len(found_examples):
        raise Failure(f"the shell ended during or after the command: {found_examples[len(outputs)].command}")
    return [(example, *output) for example, output in zip(found_examples, outputs, strict=True)]


def as_expected(expected: Sequence[str] | None, printed: str, status: str) -> bool:
    if expected is None:
        return status == "0"
    pattern = "".join("(?:.*\n)*?" if line == "..." else re.escape(line) + "\n" for line in expected)
    return status == "0" and re.fullmatch(pattern, printed) is not None
