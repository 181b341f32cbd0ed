"""Compares two texts section by section. An additional line in a section does not shift the lines of other sections."""

import itertools
from collections.abc import Callable
from typing import NamedTuple

#: The lines of each section, by the name of the section.
Sections = dict[str, list[bytes]]


class Difference(NamedTuple):
    #: The name of the section.
    place: str
    #: The number of the line in the section.
    number: int
    #: The line in the output of bpa, or None if the section has fewer lines.
    ours: bytes | None
    theirs: bytes | None


def differences(ours: bytes, theirs: bytes, sections: Callable[[bytes], Sections]) -> tuple[int, Difference | None]:
    """Returns the number of differing lines and the first difference. `sections` splits a text."""
    if ours == theirs:
        return 0, None
    count = 0
    first: Difference | None = None
    our_sections, their_sections = sections(ours), sections(theirs)
    for place in dict.fromkeys([*their_sections, *our_sections]):
        pairs = itertools.zip_longest(our_sections.get(place, []), their_sections.get(place, []))
        for number, (mine, other) in enumerate(pairs, 1):
            if mine != other:
                count += 1
                first = first or Difference(place, number, mine, other)
    # If all lines are equal, only the order of the sections differs.
    return count or 1, first or Difference("the order of functions", 0, None, None)


def describe(difference: Difference) -> str:
    return (
        f"{difference.place}, line {difference.number}\n  ours:   {shown(difference.ours)}\n"
        f"  LLVM's: {shown(difference.theirs)}"
    )


def shown(line: bytes | None) -> str:
    return "(nothing)" if line is None else readable(line)


def readable(text: bytes) -> str:
    return text.decode(errors="backslashreplace")
