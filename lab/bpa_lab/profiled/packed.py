"""The format of the tables in lab/data/: tab-separated fields with comma-separated values, compressed with xz."""

import lzma
import pathlib
from collections.abc import Iterable

#: The separator between the values in a field. A field has a value for each successor, or for each feature.
BETWEEN = ","
#: The separator between successors in a field that has a list of features for each successor.
BETWEEN_SUCCESSORS = ";"


def joined(values: Iterable[object]) -> str:
    return BETWEEN.join(map(str, values))


def pack(text: str, file: pathlib.Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
