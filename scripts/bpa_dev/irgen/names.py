"""Names of blocks and functions, easy ones and ones that need quotes.

A name is kept as it is written in IR: without sigil, with quotes and escapes where it needs them.
Value names are `%v<n>` and `%a<n>`; no pattern here can produce one.
"""

from .chance import Chance

WORDS = ("for.cond", "for.body", "if.then", "if.end", "while.body", "sw.bb", "return", "cleanup", "L")
# fmt: off
QUOTED = (
    "with space {}", "quo\\22te{}", "back\\5Cslash{}", "caf\\C3\\A9{}", "\\E2\\86\\92{}", "{}lead",
    "{}", "tab\\09{}", "edge -> {}", "high\\FF{}", "a,b{}", "@at{}", "%percent{}", "({})",
)
# fmt: on
PLAIN = ("bb{}", "B.{}", "_{}", "$dollar{}", "-dash{}", ".dot{}")

STYLES = {"plain": 3, "words": 3, "unnamed": 4, "quoted": 1, "mixed": 3}


def block_name(rng: Chance, style: str, index: int) -> str | None:
    """A name that is unique by its index, or None for a block that shall stay unnamed."""
    if style == "mixed":
        style = rng.one(("plain", "words", "unnamed", "quoted"))
    if style == "unnamed":
        return None
    if style == "plain":
        return f"bb{index}" if rng.hit(0.7) else rng.one(PLAIN).format(index)
    if style == "words":
        return f"{rng.one(WORDS)}{index}"
    return f'"{rng.one(QUOTED).format(index)}"'


# fmt: off
FUNCTION_PATTERNS = (
    '"fun with space {}"', '"quo\\22te.{}"', '"\\01raw{}"', '"na\\C3\\AFve{}"', '"{}"', '"back\\5C{}"',
    '"operator()({})"', "_ZN5outer5innerILi{}EEvv", "dotted.name.{}", "-{}-",
)
# fmt: on


def function_name(rng: Chance, index: int) -> str:
    """A function's name, unique by its index within the module."""
    return f"f{index}" if rng.hit(0.75) else rng.one(FUNCTION_PATTERNS).format(index)
