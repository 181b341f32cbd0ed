"""The format of the tables in lab/data/: tab-separated fields with comma-separated values, compressed with xz."""

import lzma
import pathlib

#: The separator of the values of successors and features in a field.
BETWEEN = ","
#: The separator of the lists of features of several successors.
BETWEEN_SUCCESSORS = ";"


def pack(text: str, file: pathlib.Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
