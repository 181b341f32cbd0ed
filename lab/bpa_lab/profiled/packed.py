"""How the tables in lab/data/ are written: fields apart by tabs, several values in a field apart by commas, packed."""

import lzma
import pathlib

#: Separates the successors of a branch in one field, and the features of a branch.
BETWEEN = ","
#: The features of several sides are apart by this.
BETWEEN_SIDES = ";"


def pack(text: str, file: pathlib.Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
