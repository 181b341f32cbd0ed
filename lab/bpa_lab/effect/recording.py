"""What the wrapper has kept of a build."""

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
    """A source file after the front end."""

    #: Its path, and a key for the options that it is compiled with.
    name: str
    file: pathlib.Path
    #: Options of the code generator.
    options: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Link:
    """How one program was linked."""

    #: Its path in the folder of the source.
    program: str
    compiler: str
    folder: pathlib.Path
    words: tuple[str, ...]
    #: Which words are objects and archives, and the digests of the objects that they were.
    inputs: dict[int, list[str]]


class Recording:
    def __init__(self, kept: pathlib.Path, source: pathlib.Path) -> None:
        self._kept = kept
        self._source = source
        #: By the digest of the object that was made of it.
        self.modules: dict[str, Module] = {}
        folder = kept / "modules"
        for file in sorted(folder.rglob("*.json")):
            told = json.loads(file.read_text())
            code = file.with_suffix(".bc")
            module = Module(str(code.relative_to(folder).with_suffix("")), code, tuple(told["options"]))
            self.modules.setdefault(told["object"], module)

    def links(self, commands: str) -> list[Link]:
        """Of the programs that commands mention as `$PROGRAMS/PATH`, which may be copies of what was linked."""
        found = [link for path in sorted(set(PROGRAMS.findall(commands))) if (link := self._link(path))]
        if not found:
            raise Failure(f"nothing that was linked is run by: {commands.strip()}")
        return found

    def _link(self, path: str) -> Link | None:
        program = self._source / path
        if not program.is_file():
            return None
        file = self._kept / "links" / f"{hashlib.sha256(program.read_bytes()).hexdigest()}.json"
        if not file.exists():
            return None
        told = json.loads(file.read_text())
        inputs = {int(position): digests for position, digests in told["inputs"].items()}
        return Link(path, told["compiler"], pathlib.Path(told["folder"]), tuple(told["words"]), inputs)

    def object(self, digest: str) -> pathlib.Path:
        """An object as it was."""
        return self._kept / "objects" / f"{digest}.o"

    def modules_of(self, links: Iterable[Link]) -> list[Module]:
        """Those that go into the programs, each once."""
        digests = [digest for link in links for digests in link.inputs.values() for digest in digests]
        found = {module.name: module for digest in digests if (module := self.modules.get(digest))}
        return list(found.values())
