"""Tokens to items; what only tests see is left out."""

import dataclasses
import itertools
from collections.abc import Iterator, Sequence

from .lexer import Token

OPENING = {"{": "}", "(": ")", "[": "]"}
CLOSING = set(OPENING.values())
#: Keywords that begin an item which has a name behind them.
NAMED = {"fn", "struct", "enum", "union", "trait", "const", "static", "type", "mod", "macro_rules"}
ITEMS = NAMED | {"use", "impl", "extern"}
#: They may stand before the keyword.
QUALIFIERS = {"pub", "unsafe", "async"}
#: These end at a semicolon, whatever braces are in them.
TO_SEMICOLON = {"use", "const", "static", "type", "let"}


@dataclasses.dataclass
class Item:
    """`body` is what is between its braces, if it has some; `head` what stands before, `whole` all of it."""

    kind: str
    name: str
    line: int
    is_public: bool
    docs: list[Token]
    attributes: list[Sequence[Token]]
    head: Sequence[Token]
    body: Sequence[Token] | None
    whole: Sequence[Token]

    def has_attribute(self, name: str) -> bool:
        return any(attribute[0].text == name for attribute in self.attributes if attribute)


def matching(tokens: Sequence[Token], place: int) -> int:
    """The place behind the bracket that closes the one at `place`."""
    depth = 0
    for index in range(place, len(tokens)):
        if tokens[index].kind != "mark":
            continue
        if tokens[index].text in OPENING:
            depth += 1
        elif tokens[index].text in CLOSING:
            depth -= 1
            if depth == 0:
                return index + 1
    return len(tokens)


def attribute_end(tokens: Sequence[Token], place: int) -> int:
    """The place behind the attribute that begins at `place`; `place` itself if none does."""
    if tokens[place].text != "#":
        return place
    bracket = place + 1
    if bracket < len(tokens) and tokens[bracket].text == "!":
        bracket += 1
    if bracket < len(tokens) and tokens[bracket].text == "[":
        return matching(tokens, bracket)
    return place


def attribute_content(tokens: Sequence[Token]) -> Sequence[Token]:
    """What stands between the brackets."""
    start = next(place for place, token in enumerate(tokens) if token.text == "[")
    return tokens[start + 1 : -1]


# ---- tests -----------------------------------------------------------------------------------


def without_tests(tokens: Sequence[Token]) -> list[Token]:
    """The tokens without what is only compiled for tests, at any depth."""
    kept: list[Token] = []
    place = 0
    while place < len(tokens):
        end = attribute_end(tokens, place)
        if end == place:
            kept.append(tokens[place])
            place += 1
        elif not is_test_only(attribute_content(tokens[place:end])):
            kept += tokens[place:end]
            place = end
        elif tokens[place + 1].text == "!":
            return []  # all of the file or module
        else:
            while kept and kept[-1].kind == "doc":
                kept.pop()
            place = item_end(tokens, end)
    return kept


def is_test_only(attribute: Sequence[Token]) -> bool:
    """Whether it is `test`, or a `cfg` that never holds outside of tests."""
    if [token.text for token in attribute] == ["test"]:
        return True
    return len(attribute) > 2 and attribute[0].text == "cfg" and implies_test(attribute[2:-1])


def implies_test(predicate: Sequence[Token]) -> bool:
    if not predicate:
        return False
    if len(predicate) == 1:
        return predicate[0].text == "test"
    if predicate[1].text != "(":
        return False
    parts = list(split_at_commas(predicate[2:-1]))
    if predicate[0].text == "all":
        return any(implies_test(part) for part in parts)
    return predicate[0].text == "any" and all(implies_test(part) for part in parts)


def split_at_commas(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    start = place = 0
    while place < len(tokens):
        if tokens[place].text == ",":
            yield tokens[start:place]
            start = place = place + 1
        elif tokens[place].kind == "mark" and tokens[place].text in OPENING:
            place = matching(tokens, place)
        else:
            place += 1
    if start < len(tokens):
        yield tokens[start:]


def item_end(tokens: Sequence[Token], place: int) -> int:
    """The place behind what an attribute before `place` is about: an item, a statement, a field, an argument."""
    keyword = ""
    while place < len(tokens):
        token = tokens[place]
        end = attribute_end(tokens, place)
        if end > place:
            place = end
            continue
        if token.text in ITEMS or token.text == "let":
            keyword = keyword or token.text
            # `const fn`, `extern "C" fn` are functions.
            keyword = token.text if token.text == "fn" and keyword in ("const", "extern") else keyword
        if token.kind == "mark" and token.text in OPENING:
            place = matching(tokens, place)
            if token.text == "{" and keyword not in TO_SEMICOLON:
                # An expression in braces may be followed by the comma of its list.
                return place + 1 if place < len(tokens) and tokens[place].text == "," and not keyword else place
            continue
        if token.kind == "mark" and token.text in CLOSING:
            return place
        if token.text == ";" or (token.text == "," and not keyword):
            return place + 1
        place += 1
    return place


# ---- items -----------------------------------------------------------------------------------


def items(tokens: Sequence[Token]) -> Iterator[Item]:
    """The items of a module, an implementation or a trait, in their order."""
    place = 0
    while place < len(tokens):
        docs, attributes, start = leading(tokens, place)
        if start >= len(tokens):
            return
        end = max(item_end(tokens, start), start + 1)
        yield item(tokens[start:end], docs, attributes)
        place = end


def leading(tokens: Sequence[Token], place: int) -> tuple[list[Token], list[Sequence[Token]], int]:
    """The documentation and the attributes at `place`, and where what they are about begins."""
    docs: list[Token] = []
    attributes: list[Sequence[Token]] = []
    while place < len(tokens):
        if tokens[place].kind in ("doc", "inner"):
            docs += [tokens[place]] * (tokens[place].kind == "doc")
            place += 1
            continue
        end = attribute_end(tokens, place)
        if end == place:
            break
        attributes.append(attribute_content(tokens[place:end]))
        place = end
    return docs, attributes, place


def item(whole: Sequence[Token], docs: list[Token], attributes: list[Sequence[Token]]) -> Item:
    place, is_public = skip_qualifiers(whole)
    kind = whole[place].text if place < len(whole) and whole[place].text in ITEMS else ""
    if kind in ("const", "extern"):
        # `const fn`, `const unsafe extern "C" fn`, `extern "C" { ... }`.
        keyword = next((token.text for token in whole[place:] if token.text in ("fn", ":", "{", "=", ";")), "")
        kind = "fn" if keyword == "fn" else kind
    name = ""
    if kind in NAMED:
        start = next(index for index in range(place, len(whole)) if whole[index].text == kind) + 1
        name = next((token.text for token in whole[start:] if token.kind == "name" and token.text != "mut"), "")
    brace = body_start(whole, kind)
    body = None if brace is None else whole[brace + 1 : matching(whole, brace) - 1]
    head = whole if brace is None else whole[:brace]
    return Item(kind, name, whole[0].line, is_public, docs, attributes, head, body, whole)


def skip_qualifiers(tokens: Sequence[Token]) -> tuple[int, bool]:
    place, is_public = 0, False
    while place < len(tokens) and tokens[place].text in QUALIFIERS:
        is_public |= tokens[place].text == "pub"
        place += 1
        if is_public and place < len(tokens) and tokens[place].text == "(":
            place = matching(tokens, place)
    return place, is_public


def body_start(tokens: Sequence[Token], kind: str) -> int | None:
    if kind in TO_SEMICOLON:
        return None
    place = 0
    while place < len(tokens):
        if tokens[place].text == "{":
            return place
        place = matching(tokens, place) if tokens[place].text in ("(", "[") else place + 1
    return None


def members(item: Item) -> Iterator[Item]:
    """The fields of a structure, the variants of an enumeration, the items of a trait or an implementation."""
    if item.body is None:
        return
    if item.kind in ("trait", "impl"):
        yield from items(item.body)
    elif item.kind in ("struct", "enum", "union"):
        for part in split_outside_angles(item.body):
            docs, attributes, start = leading(part, 0)
            place, is_public = skip_qualifiers(part[start:])
            if start + place < len(part):
                name = part[start + place]
                yield Item("member", name.text, name.line, is_public, docs, attributes, part[start:], None, part)


def split_outside_angles(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """As `split_at_commas`, but the commas of generic arguments do not count."""
    kept: list[Token] = []
    angles = 0
    for part in split_at_commas(tokens):
        kept += part
        angles += sum({"<": 1, ">": -1}.get(token.text, 0) for token in part)
        angles += arrows(part)
        if angles <= 0:
            yield kept
            kept, angles = [], 0
    if kept:
        yield kept


def arrows(tokens: Sequence[Token]) -> int:
    """How many `>` belong to `->` or `=>`."""
    return sum(one.text in ("-", "=") and other.text == ">" for one, other in itertools.pairwise(tokens))
