"""A wrapper of the C and C++ compilers that records the build of a program.

The wrapper stores the unoptimised IR of each source file, compiles the IR with -O2, and stores each linker command with
its inputs. `linking.py` then links the program from different object files. The wrapper reads BPA_BIN, BPA_KEEP and
BPA_SOURCE from the environment, like the wrapper of the corpus.
"""

import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Sequence

if __name__ == "__main__":  # A script starts faster than a module of a package.
    # The import path begins with this folder, which has a different command_line.py.
    sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "profiled"))
    from command_line import OTHER_OUTPUT, Call, read  # type: ignore[import-not-found]
    from inputs_of_links import digest, objects_of  # type: ignore[import-not-found]
else:
    from ..profiled.command_line import OTHER_OUTPUT, Call, read
    from .inputs_of_links import digest, objects_of

OPTIMISED = ("-O2", "-w")
UNOPTIMISED = (*OPTIMISED, "-Xclang", "-disable-llvm-passes", "-emit-llvm")


class Recorder:
    def __init__(self, compiler: str) -> None:
        self._clang = str(pathlib.Path(os.environ["BPA_BIN"]) / compiler)
        self._keep = pathlib.Path(os.environ.get("BPA_KEEP", ""))
        self._source = pathlib.Path(os.environ.get("BPA_SOURCE") or "/").resolve()

    def run(self, words: Sequence[str]) -> int:
        call = read(words)
        try:
            if call.is_compile and not call.is_other:
                for source in call.sources:
                    self._compile(call, source, call.object_of(source))
            elif not call.is_other:
                with tempfile.TemporaryDirectory() as folder:
                    objects = [f"{folder}/{number}.o" for number in range(len(call.sources))]
                    for source, target in zip(call.sources, objects, strict=True):
                        self._compile(call, source, target)
                    self._link(call.link_words(objects))
            elif "-c" in words or OTHER_OUTPUT & set(words):
                check([self._clang, *words])
            else:
                self._link([word for word in words if not word.startswith("-flto")])
        except subprocess.CalledProcessError as error:
            return error.returncode or 1
        return 0

    def _compile(self, call: Call, source: str, target: str) -> None:
        name = pathlib.Path(source).resolve()
        shown = str(name.relative_to(self._source) if name.is_relative_to(self._source) else name).lstrip("/")
        options = call.back_end_options()
        # A build may compile a source several times with different options.
        kept = self._keep / "modules" / f"{shown}.{digest(' '.join([*call.words, source]).encode())[:8]}.bc"
        kept.parent.mkdir(parents=True, exist_ok=True)
        check([self._clang, *call.front_end_options(source), *UNOPTIMISED, "-c", source, "-o", str(kept)])
        check([self._clang, *options, *OPTIMISED, "-x", "ir", "-c", str(kept), "-o", target])
        record = {"options": options, "object": digest(pathlib.Path(target).read_bytes())}
        kept.with_suffix(".json").write_text(json.dumps(record))

    def _link(self, words: list[str]) -> None:
        check([self._clang, *words])
        words = with_paths_of_libraries(words)
        inputs: dict[int, list[str]] = {}
        for position, word in enumerate(words):
            if word.endswith((".o", ".a", ".lo", ".obj")):
                inputs[position] = [self._stored(data) for data in objects_of(pathlib.Path(word))]
        output = pathlib.Path(words[words.index("-o") + 1] if "-o" in words else "a.out").absolute()
        link = {"compiler": self._clang, "folder": os.getcwd(), "words": words, "inputs": inputs}
        folder = self._keep / "links"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{digest(output.read_bytes())}.json").write_text(json.dumps(link))

    def _stored(self, data: bytes) -> str:
        """Stores an object file under the hash of its content, and returns the hash."""
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


if __name__ == "__main__":
    sys.exit(Recorder(sys.argv[1]).run(sys.argv[2:]))
