"""What goes into a link: objects, and archives of objects."""

import hashlib
import pathlib
from collections.abc import Iterator

ARCHIVE = b"!<arch>\n"
HEADER = 60
# Members that are no objects: the table of symbols, in two sizes, and that of long names.
TABLES = (b"/", b"/SYM64/", b"//")


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def contents(file: pathlib.Path) -> list[bytes]:
    """The object that a file is, or those that are in it."""
    data = file.read_bytes()
    return list(members(data)) if data.startswith(ARCHIVE) else [data]


def members(archive: bytes) -> Iterator[bytes]:
    """The objects of an archive, in their order."""
    position = len(ARCHIVE)
    while position + HEADER <= len(archive):
        header = archive[position : position + HEADER]
        start, size = position + HEADER, int(header[48:58])
        if header[:16].strip() not in TABLES:
            yield archive[start : start + size]
        position = start + size + size % 2
