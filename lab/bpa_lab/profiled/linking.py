"""Links a recorded program again, with different object files and in a different order."""

import pathlib
import random
import tempfile
from collections.abc import Mapping, Sequence

from bpa_dev.checked_tools import check
from bpa_dev.llvm import Llvm

from .recording import Link, Recording


def link(
    llvm: Llvm,
    recording: Recording,
    recorded: Link,
    objects: Mapping[str, pathlib.Path],
    output: pathlib.Path,
    order: int = 0,
    options: Sequence[str] = (),
) -> None:
    """Runs a recorded linker command with new object files. `objects` maps the name of a module to the new object file.

    If `order` is 0, the object files have the recorded order. Otherwise `order` is the random seed with which the
    object files of the command, and the object files in each archive, are shuffled.
    """
    chance = random.Random(order)
    words = list(recorded.words)
    with tempfile.TemporaryDirectory() as folder:
        singles = []
        for position, digests in recorded.inputs.items():
            files = [new_object(recording, digest, objects) for digest in digests]
            if not words[position].endswith(".a"):
                singles.append(position)
                words[position] = str(files[0])
                continue
            if order:
                chance.shuffle(files)
            words[position] = f"{folder}/{position}.a"
            # Mode q of llvm-ar appends every file to the archive. If two files have the same name, mode r would keep
            # only the second file.
            check([llvm.tool("llvm-ar"), "qc", words[position], *files], recorded.folder)
        if order:
            shuffled = [words[position] for position in singles]
            chance.shuffle(shuffled)
            for position, word in zip(singles, shuffled, strict=True):
                words[position] = word
        output.parent.mkdir(parents=True, exist_ok=True)
        # If -o is given several times, the last -o applies.
        check([recorded.compiler, *words, *options, "-o", output], recorded.folder)


def new_object(recording: Recording, digest: str, objects: Mapping[str, pathlib.Path]) -> pathlib.Path:
    module = recording.modules.get(digest)
    return objects[module.name] if module else recording.object(digest)
