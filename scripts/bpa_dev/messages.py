"""Progress and errors of commands. They go to stderr: stdout is for results that other programs read."""

import os
import sys


class Failure(Exception):
    """Ends the command with exit code 1; the text says why."""


def say(text: str) -> None:
    """Prints what is being done now."""
    print(f"{coloured('1', '==>')} {text}", file=sys.stderr, flush=True)


def good(text: str) -> None:
    print(coloured("32", text), file=sys.stderr, flush=True)


def error(text: str) -> None:
    print(coloured("31", text), file=sys.stderr, flush=True)


def coloured(colour: str, text: str) -> str:
    plain = not sys.stderr.isatty() or os.environ.get("NO_COLOR")
    return text if plain else f"\033[{colour}m{text}\033[0m"
