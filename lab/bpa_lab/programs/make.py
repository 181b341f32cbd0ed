"""What `make -w V=1` says that it has compiled, in the form of compile_commands.json."""

import os
import pathlib
import re
import shlex
from collections.abc import Iterator
from typing import TypedDict

DIRECTORY = re.compile(r"make(?:\[\d+\])?: (Entering|Leaving) directory '(.*)'")
#: What stands between commands that are run by one shell.
BETWEEN = re.compile(r"&&|\|\||;")


class Compilation(TypedDict):
    """An entry of compile_commands.json, as CMake and meson write it."""

    directory: str
    command: str
    file: str


def compilations(said: str, compiler: str) -> Iterator[Compilation]:
    """The commands that call `compiler` to compile one file."""
    directories: list[str] = []
    for line in said.replace("\\\n", " ").splitlines():
        change = DIRECTORY.fullmatch(line)
        if change and change[1] == "Entering":
            directories.append(change[2])
        elif change:
            directories.pop()
        else:
            for command in BETWEEN.split(line):
                words = split(command.removeprefix("libtool: compile:"))
                sources = [word for word in words if word.endswith((".c", ".cc", ".cpp"))]
                if words[:1] == [compiler] and "-c" in words and len(sources) == 1:
                    yield Compilation(directory=directories[-1], command=shlex.join(words), file=sources[0])


def split(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:  # no shell command at all
        return []


def file_of(compilation: Compilation) -> pathlib.Path:
    return pathlib.Path(os.path.normpath(pathlib.Path(compilation["directory"], compilation["file"])))
