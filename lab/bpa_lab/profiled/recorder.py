"""Records the build of a program. The wrappers of the C and C++ compilers are subclasses of `Recorder`.

A wrapper stores the IR of each source file, and the command and the inputs of each link. `linking.py` later repeats the
link with other object files. A wrapper reads these variables from the environment:

  BPA_BIN     the folder of clang and opt
  BPA_KEEP    the folder for the record
  BPA_SOURCE  the source folder of the program
"""

import itertools
import json
import os
import pathlib
import subprocess
import tempfile
from collections.abc import Sequence

if __package__:
    from .command_line import OTHER_OUTPUT, Call, read
    from .inputs_of_links import digest, objects_of
else:  # A script starts faster than a module of a package.
    from command_line import OTHER_OUTPUT, Call, read  # type: ignore[import-not-found,no-redef]
    from inputs_of_links import digest, objects_of  # type: ignore[import-not-found,no-redef]


class Recorder:
    def __init__(self, compiler: str) -> None:
        self.clang = str(pathlib.Path(os.environ["BPA_BIN"]) / compiler)
        self._keep = pathlib.Path(os.environ.get("BPA_KEEP", ""))
        self._source = pathlib.Path(os.environ.get("BPA_SOURCE") or "/").resolve()

    def run(self, words: Sequence[str]) -> int:
        call = read(words)
        try:
            if call.is_compile and not call.is_other:
                for source in call.sources:
                    self.compile(call, source, call.object_of(source))
            elif not call.is_other:
                with tempfile.TemporaryDirectory() as folder:
                    objects = [f"{folder}/{number}.o" for number in range(len(call.sources))]
                    for source, target in zip(call.sources, objects, strict=True):
                        self.compile(call, source, target)
                    self.link(call.link_words(objects))
            elif "-c" in words or OTHER_OUTPUT & set(words):
                check([self.clang, *words])
            else:
                self.link([word for word in words if not word.startswith("-flto")])
        except subprocess.CalledProcessError as error:
            return error.returncode or 1
        return 0

    def compile(self, call: Call, source: str, target: str) -> None:
        """Compiles a source file, and stores its IR in a file of `module`."""
        raise NotImplementedError

    def name(self, source: str) -> str:
        """Returns the path of a file relative to the source folder of the program."""
        path = pathlib.Path(source).resolve()
        return str(path.relative_to(self._source) if path.is_relative_to(self._source) else path)

    def module(self, name: str) -> pathlib.Path:
        """Returns the file for the IR of a module."""
        file = self._keep / "modules" / name.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        return file

    def generate(self, call: Call, file: pathlib.Path, level: str, target: str) -> None:
        """Compiles a module, and records the options of the code generator and the digest of the object."""
        options = call.back_end_options()
        check([self.clang, *options, level, "-w", "-x", "ir", "-c", str(file), "-o", target])
        record = {"compiler": self.clang, "options": options, "object": digest(pathlib.Path(target).read_bytes())}
        pathlib.Path(f"{file}.json").write_text(json.dumps(record))

    def link(self, words: list[str]) -> None:
        """Links a program, and records the link."""
        check([self.clang, *words])
        words = with_paths_of_libraries(words)
        inputs: dict[int, list[str]] = {}
        for position, word in enumerate(words):
            if word.endswith((".o", ".a", ".lo", ".obj")):
                inputs[position] = [self._stored(data) for data in objects_of(pathlib.Path(word))]
        output = pathlib.Path(words[words.index("-o") + 1] if "-o" in words else "a.out").absolute()
        link = {"compiler": self.clang, "folder": os.getcwd(), "words": words, "inputs": inputs}
        folder = self._keep / "links"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{digest(output.read_bytes())}.json").write_text(json.dumps(link))

    def _stored(self, data: bytes) -> str:
        """Stores an object by its digest, and returns the digest."""
        name: str = digest(data)
        file = self._keep / "objects" / f"{name}.o"
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            partial = file.with_suffix(f".{os.getpid()}")
            partial.write_bytes(data)
            partial.rename(file)
        return name


def with_paths_of_libraries(words: Sequence[str]) -> list[str]:
    """Replaces each `-lNAME` by the path of the archive, if a folder of `-L` has this archive."""
    folders = [word[2:] for word in words if word.startswith("-L") and len(word) > 2]
    folders += [folder for word, folder in itertools.pairwise(words) if word == "-L"]
    found = []
    for word in words:
        archives = [pathlib.Path(folder, f"lib{word[2:]}.a") for folder in folders] if word.startswith("-l") else []
        found.append(next((str(archive) for archive in archives if archive.exists()), word))
    return found


def check(command: Sequence[str]) -> None:
    subprocess.run(command, check=True)
