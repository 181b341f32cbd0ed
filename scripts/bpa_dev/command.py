"""Finds the commands, lists them, and runs one."""

import argparse
import ast
import importlib
import pathlib
import sys
from typing import Protocol, cast

from .messages import Failure, error

COMMANDS = pathlib.Path(__file__).resolve().parent / "commands"


class Command(Protocol):
    """What a module in `commands/` has."""

    __doc__: str | None

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, arguments: argparse.Namespace) -> int: ...


def main(words: list[str]) -> int:
    """Runs the command that the first word names; returns its exit code."""
    if not words or words[0] in ("-h", "--help"):
        print(listing())
        return 0 if words else 2
    name, *rest = words
    if name not in names():
        error(f"scripts/dev: no command {name}; `scripts/dev` lists them")
        return 2
    command = load(name)
    try:
        return command.run(parser_of(name, command).parse_args(rest))
    except Failure as failure:
        error(f"scripts/dev {name}: {failure}")
        return 1
    except BrokenPipeError:  # whoever reads has seen enough, as `head` has
        sys.stderr.close()
        return 1


def names() -> list[str]:
    files = (path.stem for path in COMMANDS.glob("*.py"))
    return sorted(stem.replace("_", "-") for stem in files if not stem.startswith("_"))


def file_of(name: str) -> pathlib.Path:
    return COMMANDS / f"{name.replace('-', '_')}.py"


def load(name: str) -> Command:
    return cast(Command, importlib.import_module(f"bpa_dev.commands.{file_of(name).stem}"))


def parser_of(name: str, command: Command) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"scripts/dev {name}", description=command.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_arguments(parser)
    return parser


def listing() -> str:
    """Every command with its line, which is read without running what a command imports."""
    lines = ["scripts/dev COMMAND ...    (scripts/dev COMMAND --help tells more)", ""]
    return "\n".join(lines + [f"  {name:<20}{first_line(file_of(name))}" for name in names()])


def first_line(path: pathlib.Path) -> str:
    return (ast.get_docstring(ast.parse(path.read_text())) or "").partition("\n")[0]
