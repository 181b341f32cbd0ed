"""Text to tokens: comments are gone but those that document, and what stands in strings is no code."""

import re
from collections.abc import Iterator
from typing import NamedTuple

#: `doc` documents what follows, `inner` what it stands in.
KINDS = ("doc", "inner", "comment", "raw", "string", "char", "lifetime", "number", "name", "path", "mark")
TOKEN = re.compile(
    r"""
      (?P<doc>///(?!/)[^\n]*)
    | (?P<inner>//![^\n]*)
    | (?P<comment>//[^\n]*)
    | (?P<raw>[bc]?r(?P<fence>\#*)".*?"(?P=fence))
    | (?P<string>[bc]?"(?:\\.|[^"\\])*")
    | (?P<char>b?'(?:\\.[^'\n]*|[^'\\\n])')
    | (?P<lifetime>'\w+)
    | (?P<number>\d\w*(?:\.\d\w*)?(?:(?<=[eE])[+-]\d+)?)
    | (?P<name>(?:r\#)?[A-Za-z_]\w*)
    | (?P<path>::)
    | (?P<mark>\S)
    """,
    re.VERBOSE | re.DOTALL,
)
SPACE = re.compile(r"\s+")
COMMENT_END = re.compile(r"/\*|\*/")


class Token(NamedTuple):
    kind: str
    text: str
    line: int


def tokens(text: str) -> Iterator[Token]:
    """All tokens with their lines, the first of which is 1; other comments than documentation are left out."""
    place, line = 0, 1
    while place < len(text):
        end, kind = next_end(text, place)
        if kind and kind != "comment":
            yield Token(kind, text[place:end].removeprefix("r#"), line)
        line += text.count("\n", place, end)
        place = end


def next_end(text: str, place: int) -> tuple[int, str]:
    """Where what begins at `place` ends, and its kind; none for space and block comments."""
    space = SPACE.match(text, place)
    if space:
        return space.end(), ""
    if text.startswith("/*", place):
        return block_comment_end(text, place), ""
    token = TOKEN.match(text, place)
    assert token is not None  # a mark is any character that is not space
    return token.end(), next(kind for kind in KINDS if token[kind] is not None)


def block_comment_end(text: str, place: int) -> int:
    """Block comments nest."""
    depth = 0
    for edge in COMMENT_END.finditer(text, place):
        depth += 1 if edge[0] == "/*" else -1
        if depth == 0:
            return edge.end()
    return len(text)
