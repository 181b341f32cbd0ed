"""Runs the commands of docs/src/guide/first-answer.md and holds what they print against the page.

The commands stand in the page's blocks marked `console`, each behind `$ `, with what it prints below: `...` stands for
any number of lines. They run one after another in one shell, in a folder of their own that has docs/, scripts/ and
target/ in it. LLVM 16 and its clang have to be installed.
"""

import argparse
import pathlib
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence

from ..messages import Failure
from ..paths import DOCS, SCRIPTS, TARGET

PAGE = DOCS / "src/guide/first-answer.md"
#: Stands between what one command prints and what the next does; the exit status comes with it.
MARK = "---- end of a command: "


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--page", type=pathlib.Path, default=PAGE, metavar="FILE", help="default: docs/src/guide/first-answer.md"
    )


def run(arguments: argparse.Namespace) -> int:
    examples = list(commands(arguments.page.read_text()))
    results = run_all([command for command, _ in examples])
    if len(results) != len(examples):
        raise Failure(f"the shell ended in or after: {examples[len(results)][0]}")
    wrong = 0
    for (command, expected), (printed, status) in zip(examples, results, strict=True):
        if not as_expected(expected, printed, status):
            wrong += 1
            print(f"$ {command}\n{printed}(exit status {status}; the page has)", *expected, sep="\n")
    print(f"{len(examples)} commands, {wrong} print something else than the page says")
    return 1 if wrong or not examples else 0


def commands(page: str) -> Iterator[tuple[str, list[str]]]:
    """Each command of the page with the lines that it should print."""
    for block in re.findall(r"^```console\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *expected = example.splitlines()
            yield command, expected


def run_all(lines: Sequence[str]) -> list[tuple[str, str]]:
    """What each command prints on stdout, and its exit status."""
    script = "\n".join(f"{line}\necho '{MARK}'$?" for line in lines)
    with tempfile.TemporaryDirectory() as folder:
        for name, place in {"docs": DOCS, "scripts": SCRIPTS, "target": TARGET}.items():
            pathlib.Path(folder, name).symlink_to(place)
        shell = subprocess.run(
            ["bash", "-c", script], cwd=folder, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
        )
    return re.findall(rf"(.*?){MARK}(\d+)\n", shell.stdout, re.DOTALL)


def as_expected(expected: Sequence[str], printed: str, status: str) -> bool:
    pattern = "".join("(?:.*\n)*?" if line == "..." else re.escape(line) + "\n" for line in expected)
    return status == "0" and re.fullmatch(pattern, printed) is not None
