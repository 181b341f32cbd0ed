"""Reads the bitcode modules and linker commands that the compiler wrapper has recorded during a build."""

import dataclasses
import hashlib
import json
import pathlib
import re
from collections.abc import Iterable

from bpa_dev.messages import Failure

PROGRAMS = re.compile(r"\$PROGRAMS/([\w./+-]+)")
IN_SOURCE = re.compile(r"\$SRC/([\w./+-]+)")


@dataclasses.dataclass(frozen=True)
class Module:
    """The IR of a source file."""

    #: The path of the source, and a hash of the compiler's options.
    name: str
    file: pathlib.Path
    #: Options for the code generator.
    options: tuple[str, ...]
    compiler: str


@dataclasses.dataclass(frozen=True)
class Link:
    #: The path of the program, relative to the source folder.
    program: str
    compiler: str
    folder: pathlib.Path
    words: tuple[str, ...]
    #: Each key is the index of an argument that names an object file or an archive. The value has the hashes of the
    #: object files.
    inputs: dict[int, list[str]]


class Recording:
    def __init__(self, kept: pathlib.Path, source: pathlib.Path) -> None:
        self._kept = kept
        self.source = source
        #: The keys are the hashes of the object files that were compiled from the modules.
        self.modules: dict[str, Module] = {}
        folder = kept / "modules"
        for file in sorted(folder.rglob("*.json")):
            record = json.loads(file.read_text())
            code = file.with_suffix("")
            name = str(code.relative_to(folder).with_suffix(""))
            module = Module(name, code, tuple(record["options"]), record["compiler"])
            self.modules.setdefault(record["object"], module)

    def links(self, commands: str) -> list[Link]:
        """Returns the linker commands that were recorded for some programs. The shell commands in `commands` run these
        programs as `$PROGRAMS/PATH`. A copy of a linked program is also found, because the content of
        the file identifies the link."""
        paths = sorted(set(PROGRAMS.findall(commands)))
        found = [link for path in paths if (link := self._link(path, digest_of(self.source / path)))]
        if not found:
            raise Failure(f"the commands run no recorded program: {commands.strip()}")
        return found

    def with_programs(self, commands: str) -> str:
        """Replaces `$SRC/PATH` by `$PROGRAMS/PATH` if PATH is a recorded program."""

        def moved(path: re.Match[str]) -> str:
            is_program = self._link(path[1], digest_of(self.source / path[1]))
            return f"$PROGRAMS/{path[1]}" if is_program else path[0]

        return IN_SOURCE.sub(moved, commands)

    def all_links(self) -> list[Link]:
        """Returns the linker commands that created the programs and shared libraries in the source folder. Call this
        function for the first time before any of these files changes."""
        file = self._kept / "programs.json"
        if not file.exists():
            paths = [path for path in sorted(self.source.rglob("*")) if not path.is_symlink()]
            digests = {str(path.relative_to(self.source)): digest_of(path) for path in paths}
            recorded = {file.stem for file in self._kept.glob("links/*.json")}
            file.write_text(json.dumps({path: one for path, one in digests.items() if one in recorded}))
        found: dict[str, str] = json.loads(file.read_text())
        return [link for path, digest in found.items() if (link := self._link(path, digest))]

    def _link(self, path: str, digest: str | None) -> Link | None:
        file = self._kept / "links" / f"{digest}.json"
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


def digest_of(file: pathlib.Path) -> str | None:
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else None
