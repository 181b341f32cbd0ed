"""Prints progress and errors of commands to stderr, because other programs read results from stdout."""

import os
import sys


class Failure(Exception):
    """An error that ends the command with exit code 1. The text is a message for users."""


def announce(text: str) -> None:
    print(f"{coloured('1', '==>')} {text}", file=sys.stderr, flush=True)


def good(text: str) -> None:
    print(coloured("32", text), file=sys.stderr, flush=True)


def error(text: str) -> None:
    print(coloured("31", text), file=sys.stderr, flush=True)


def coloured(colour: str, text: str) -> str:
    plain = not sys.stderr.isatty() or os.environ.get("NO_COLOR")
    return text if plain else f"\033[{colour}m{text}\033[0m"
