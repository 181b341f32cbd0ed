"""Random constants for conditions."""

from .chance import Chance

SMALL = (2, 3, 4, 5, 7, 8, 10, 16, 31, 32, 42, 63, 64, 100, 127, -2, -5, -100)

#: For each type: 0, -0, 1, -1, 2, 0.5, infinity, NaN, the largest finite number and the smallest denormal number.
# fmt: off
FLOATS = {
    "float": ("0.0", "-0.0", "1.0", "-1.0", "2.0", "0.5", "0x7FF0000000000000", "0x7FF8000000000000",
              "0x47EFFFFFE0000000", "0x36A0000000000000"),
    "double": ("0.0", "-0.0", "1.0", "-1.0", "2.0", "0.5", "0x7FF0000000000000", "0x7FF8000000000000",
               "0x7FEFFFFFFFFFFFFF", "0x0000000000000001"),
    "half": ("0xH0000", "0xH8000", "0xH3C00", "0xHBC00", "0xH4000", "0xH3800", "0xH7C00", "0xH7E00",
             "0xH7BFF", "0xH0001"),
    "x86_fp80": ("0xK00000000000000000000", "0xK80000000000000000000", "0xK3FFF8000000000000000",
                 "0xKBFFF8000000000000000", "0xK40008000000000000000", "0xK3FFE8000000000000000",
                 "0xK7FFF8000000000000000", "0xK7FFFC000000000000000", "0xK7FFEFFFFFFFFFFFFFFFF",
                 "0xK00000000000000000001"),
}
# fmt: on
COMMON_FLOATS = 5  # The number of frequent constants at the start of each row.


def width(word: str) -> int:
    return int(word[1:])


def integer(value: int, bits: int) -> str:
    """Wraps a value to the width, and formats it for IR."""
    if bits == 1:
        return "true" if value & 1 else "false"
    value &= (1 << bits) - 1
    return str(value - (1 << bits) if value >> (bits - 1) else value)


def any_integer(rng: Chance, bits: int) -> str:
    """Returns an integer constant, mostly 0, 1 or -1, because LLVM has rules for these constants."""
    kind = rng.random()
    if kind < 0.30:
        value = 0
    elif kind < 0.48:
        value = 1
    elif kind < 0.66:
        value = -1
    elif kind < 0.86:
        value = rng.one(SMALL)
    elif kind < 0.93:
        value = 1 << rng.below(bits)
    else:
        value = rng.getrandbits(bits)
    return integer(value, bits)


def address(rng: Chance) -> str:
    return rng.one(("@g.i8", "@other.i8"))


def any_constant(rng: Chance, word: str) -> str:
    if rng.hit(0.02):
        return "undef"
    if word == "ptr":
        return "null" if rng.hit(0.5) else address(rng)
    floats = FLOATS.get(word)
    if floats:
        return floats[rng.below(COMMON_FLOATS)] if rng.hit(0.8) else rng.one(floats)
    return any_integer(rng, width(word))
