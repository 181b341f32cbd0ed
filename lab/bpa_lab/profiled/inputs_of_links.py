"""Reads the inputs of a link: object files, and archives of object files."""

import hashlib
import pathlib
from collections.abc import Iterator

ARCHIVE = b"!<arch>\n"
HEADER = 60
# The names of archive members that are not objects: the symbol tables, and the table of long names.
TABLES = (b"/", b"/SYM64/", b"//")


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def objects_of(file: pathlib.Path) -> list[bytes]:
    """Returns the object file itself, or the objects of the archive."""
    data = file.read_bytes()
    return list(members(data)) if data.startswith(ARCHIVE) else [data]


def members(archive: bytes) -> Iterator[bytes]:
    """Yields the object files of an archive, in the order of the archive."""
    position = len(ARCHIVE)
    while position + HEADER <= len(archive):
        header = archive[position : position + HEADER]
        start, size = position + HEADER, int(header[48:58])
        if header[:16].strip() not in TABLES:
            yield archive[start : start + size]
        position = start + size + size % 2
