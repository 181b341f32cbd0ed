"""Parses the command lines that compiler wrappers get."""

import pathlib
from collections.abc import Sequence
from typing import NamedTuple

SOURCES = {".c": "c", ".cc": "c++", ".cpp": "c++", ".cxx": "c++", ".C": "c++", ".c++": "c++"}
# Compiler options whose value is the next argument.
WITH_VALUE = {
    *("-o", "-I", "-D", "-U", "-L", "-l", "-x", "-u", "-z", "-T", "-MF", "-MT", "-MQ"),
    *("-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-isysroot"),
    *("-Xclang", "-Xlinker", "-Xassembler", "-Xpreprocessor", "-framework", "-arch", "-target", "--param"),
}
# With these options, the compiler writes no object file.
OTHER_OUTPUT = {"-E", "-S", "-M", "-MM", "-fsyntax-only", "-dM", "--version", "-v", "-###"}
# The wrappers drop these options, and set their own options for optimisation, warnings and debug information.
DROPPED = ("-O", "-g", "-flto", "-fprofile", "-fno-lto", "-pg", "-Wall", "-Wextra", "-Werror")


class Call(NamedTuple):  # A dataclass would take longer to import.
    #: All arguments except the source files, `-c`, `-o` and the output file.
    options: tuple[str, ...]
    sources: tuple[str, ...]
    output: str | None
    #: True if the compiler writes object files, false if the compiler links a program.
    is_compile: bool
    #: Whether a wrapper must run the compiler with an unchanged command line.
    is_other: bool
    #: All arguments of the compiler.
    words: tuple[str, ...]

    def object_of(self, source: str) -> str:
        return self.output if self.is_compile and self.output else f"{pathlib.PurePath(source).stem}.o"

    def front_end_options(self, source: str) -> list[str]:
        """Returns the options for the front end. The target in a dependency file is the object file."""
        options = [word for word in self.options if not word.startswith(("-Wl,", "-l", "-L", *DROPPED))]
        if "-MD" in options or "-MMD" in options:
            target = self.object_of(source)
            if "-MF" not in options:
                options += ["-MF", str(pathlib.PurePath(target).with_suffix(".d"))]
            if "-MT" not in options and "-MQ" not in options:
                options += ["-MT", target]
        return options

    def back_end_options(self) -> list[str]:
        """Returns the options for the code generator."""
        return [word for word in self.options if word.startswith(("-f", "-m", "-pthread")) and kept(word)]

    def link_words(self, objects: Sequence[str]) -> list[str]:
        """Returns the arguments of the link command, with `objects` instead of the sources."""
        replaced = dict(zip(self.sources, objects, strict=True))
        words, previous = [], ""
        for word in self.words:
            is_language = word == "-x" or previous == "-x"
            previous = word
            if not is_language and not word.startswith("-flto"):
                words.append(replaced.get(word, word))
        return words


def kept(word: str) -> bool:
    return not word.startswith(DROPPED)


def read(words: Sequence[str]) -> Call:
    options: list[str] = []
    sources: list[str] = []
    output: str | None = None
    language = "none"
    position = 0
    while position < len(words):
        word = words[position]
        value = words[position + 1] if word in WITH_VALUE and position + 1 < len(words) else None
        position += 1 if value is None else 2
        if word == "-o" and value is not None:
            output = value
        elif word.startswith("-x"):
            language = value or word[2:]
            options += ["-x", language]
        elif word.startswith("-") or value is not None:
            options += [word] if value is None else [word, value]
        elif language not in ("none", *SOURCES.values()):
            return other(words)
        elif language != "none" or pathlib.PurePath(word).suffix in SOURCES:
            sources.append(word)
        else:
            options.append(word)
    is_compile = "-c" in options
    if not sources or "-" in options or OTHER_OUTPUT & set(options):
        return other(words)
    options = [word for word in options if word != "-c"]
    return Call(tuple(options), tuple(sources), output, is_compile, False, tuple(words))


def other(words: Sequence[str]) -> Call:
    return Call((), (), None, "-c" in words, True, tuple(words))
