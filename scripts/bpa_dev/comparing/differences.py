"""Compares two texts section by section, so that an additional line in one function does not shift the lines of the
others."""

import itertools
from collections.abc import Callable
from typing import NamedTuple

#: The lines of a text, by where they are.
Sections = dict[str, list[bytes]]


class Difference(NamedTuple):
    """Where the first differing lines are, and what they are: None where one side has no more."""

    place: str
    number: int
    ours: bytes | None
    theirs: bytes | None


def differences(ours: bytes, theirs: bytes, sections: Callable[[bytes], Sections]) -> tuple[int, Difference | None]:
    """How many lines differ, and the first difference. `sections` splits a text."""
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
    # The same sections in another order differ too.
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
