"""Reads the bitcode modules and linker commands that the compiler wrapper has recorded during a build."""

import dataclasses
import hashlib
import json
import pathlib
import re
from collections.abc import Iterable

from bpa_dev.messages import Failure

PROGRAMS = re.compile(r"\$PROGRAMS/([\w./+-]+)")


@dataclasses.dataclass(frozen=True)
class Module:
    """The IR of a source file."""

    #: The path of the source, and a hash of the compiler's options.
    name: str
    file: pathlib.Path
    #: Options for the code generator.
    options: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Link:
    #: The path of the program, relative to the source folder.
    program: str
    compiler: str
    folder: pathlib.Path
    words: tuple[str, ...]
    #: Maps the index of each command-line argument that names an object file or an archive to the hashes of its object
    #: files.
    inputs: dict[int, list[str]]


class Recording:
    def __init__(self, kept: pathlib.Path, source: pathlib.Path) -> None:
        self._kept = kept
        self._source = source
        #: The keys are the hashes of the object files that were compiled from the modules.
        self.modules: dict[str, Module] = {}
        folder = kept / "modules"
        for file in sorted(folder.rglob("*.json")):
            record = json.loads(file.read_text())
            code = file.with_suffix(".bc")
            module = Module(str(code.relative_to(folder).with_suffix("")), code, tuple(record["options"]))
            self.modules.setdefault(record["object"], module)

    def links(self, commands: str) -> list[Link]:
        """Returns the recorded linker commands for the programs that `commands` runs as `$PROGRAMS/PATH`. A program may
        be a copy of the file that the linker wrote."""
        found = [link for path in sorted(set(PROGRAMS.findall(commands))) if (link := self._link(path))]
        if not found:
            raise Failure(f"the commands run no recorded program: {commands.strip()}")
        return found

    def _link(self, path: str) -> Link | None:
        program = self._source / path
        if not program.is_file():
            return None
        file = self._kept / "links" / f"{hashlib.sha256(program.read_bytes()).hexdigest()}.json"
        if not file.exists():
            return None
        record = json.loads(file.read_text())
        inputs = {int(position): digests for position, digests in record["inputs"].items()}
        return Link(path, record["compiler"], pathlib.Path(record["folder"]), tuple(record["words"]), inputs)

    def object(self, digest: str) -> pathlib.Path:
        return self._kept / "objects" / f"{digest}.o"

    def modules_of(self, links: Iterable[Link]) -> list[Module]:
        """Returns the modules of the programs, without duplicates."""
        digests = [digest for link in links for digests in link.inputs.values() for digest in digests]
        found = {module.name: module for digest in digests if (module := self.modules.get(digest))}
        return list(found.values())
