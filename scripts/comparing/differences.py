"""Two texts held against each other, section by section, so that one line too many in a function
does not shift all that follow."""

import collections
import itertools

# Where the first differing lines are, and what they are: bytes, or None where one side has no more.
Difference = collections.namedtuple("Difference", "place number ours theirs")


def differences(ours, theirs, sections):
    """How many lines differ, and the first Difference, or None. `sections` splits a text into
    {place: [line, ...]}."""
    if ours == theirs:
        return 0, None
    count, first = 0, None
    our_sections, their_sections = sections(ours), sections(theirs)
    for place in dict.fromkeys([*their_sections, *our_sections]):
        pairs = itertools.zip_longest(our_sections.get(place, []), their_sections.get(place, []))
        for number, (mine, other) in enumerate(pairs, 1):
            if mine != other:
                count += 1
                first = first or Difference(place, number, mine, other)
    # The same sections in another order differ too.
    return count or 1, first or Difference("the order of functions", 0, None, None)


def describe(difference):
    return (f"{difference.place}, line {difference.number}\n  ours:   {shown(difference.ours)}\n"
            f"  LLVM's: {shown(difference.theirs)}")


def shown(line):
    return "(nothing)" if line is None else readable(line)


def readable(text):
    return text.decode(errors="backslashreplace")
