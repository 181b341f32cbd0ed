"""Lists the commands of a package, and runs one of them."""

import argparse
import ast
import importlib
import pathlib
import sys
from typing import NamedTuple, Protocol, cast

from .messages import Failure, error
from .paths import ROOT


class Entry(NamedTuple):
    program: str
    package: str
    commands: pathlib.Path

    def names(self) -> list[str]:
        files = (path.stem for path in self.commands.glob("*.py"))
        return sorted(stem.replace("_", "-") for stem in files if not stem.startswith("_"))

    def file_of(self, name: str) -> pathlib.Path:
        return self.commands / f"{name.replace('-', '_')}.py"

    def load(self, name: str) -> "Command":
        return cast(Command, importlib.import_module(f"{self.package}.commands.{self.file_of(name).stem}"))


DEV = Entry("scripts/dev", "bpa_dev", pathlib.Path(__file__).resolve().parent / "commands")
LAB = Entry("lab/run", "bpa_lab", ROOT / "lab" / "bpa_lab" / "commands")


class Command(Protocol):
    """The interface of a module in `commands/`."""

    __doc__: str | None

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, arguments: argparse.Namespace) -> int: ...


def main(words: list[str], entry: Entry = DEV) -> int:
    """Runs the command whose name is the first word, and returns the exit code of the command."""
    if not words or words[0] in ("-h", "--help"):
        print(listing(entry))
        return 0 if words else 2
    name, *rest = words
    if name not in entry.names():
        error(f"{entry.program}: no command {name}; `{entry.program}` lists the commands")
        return 2
    command = entry.load(name)
    try:
        return command.run(parser_of(name, command, entry).parse_args(rest))
    except Failure as failure:
        error(f"{entry.program} {name}: {failure}")
        return 1
    except BrokenPipeError:  # The program that reads the output, for example `head`, has ended.
        sys.stderr.close()
        return 1


def parser_of(name: str, command: Command, entry: Entry = DEV) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"{entry.program} {name}",
        description=command.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_arguments(parser)
    return parser


def listing(entry: Entry = DEV) -> str:
    """Lists every command with the first line of its help. Parses the files of the commands, because
    importing the files takes longer."""
    lines = [f"{entry.program} COMMAND ...    ({entry.program} COMMAND --help for details)", ""]
    return "\n".join(lines + [f"  {name:<20}{first_line(entry.file_of(name))}" for name in entry.names()])


def first_line(path: pathlib.Path) -> str:
    return (ast.get_docstring(ast.parse(path.read_text())) or "").partition("\n")[0]
