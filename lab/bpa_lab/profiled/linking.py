"""Links a recorded program again, with different objects."""

import pathlib
import tempfile
from collections.abc import Mapping, Sequence

from bpa_dev.llvm import Llvm
from bpa_dev.shell import check

from .recording import Link, Recording


def link(
    llvm: Llvm,
    recording: Recording,
    recorded: Link,
    objects: Mapping[str, pathlib.Path],
    output: pathlib.Path,
    options: Sequence[str] = (),
) -> None:
    """Repeats a recorded link with new objects. `objects` maps the name of a module to the new object."""
    words = list(recorded.words)
    with tempfile.TemporaryDirectory() as folder:
        for position, digests in recorded.inputs.items():
            files = [new_object(recording, digest, objects) for digest in digests]
            if not words[position].endswith(".a"):
                words[position] = str(files[0])
                continue
            words[position] = f"{folder}/{position}.a"
            # Mode q of llvm-ar appends every file to the archive. If two files have the same name, mode r would keep
            # only the second file.
            check([llvm.tool("llvm-ar"), "qc", words[position], *files], recorded.folder)
        output.parent.mkdir(parents=True, exist_ok=True)
        # If -o is given several times, the last -o applies.
        check([recorded.compiler, *words, *options, "-o", output], recorded.folder)


def new_object(recording: Recording, digest: str, objects: Mapping[str, pathlib.Path]) -> pathlib.Path:
    module = recording.modules.get(digest)
    return objects[module.name] if module else recording.object(digest)
