"""Loops for the generator profile `folding`: each loop branches on a phi of constants of any type.

LLVM folds the phi, the operations and the comparison for each constant. These functions therefore test the constant
folder of bpa. The constants are integers of unusual widths, extreme floating-point values, and addresses.
"""

from .chance import Chance, WeightedChoice
from .constants import FLOATS, address, any_integer, width
from .function import FLOAT_TESTS, INTEGER_TESTS

BLOCKS = 5  # in each function

INTEGERS = ("i1", "i3", "i8", "i13", "i16", "i31", "i32", "i33", "i64", "i65", "i127", "i128", "i129", "i200")
#: For each type: 0, -0, 1, -1, infinity, -infinity, NaN, largest finite, smallest normal, and both smallest denormals.
# fmt: off
MORE_FLOATS = {
    "bfloat": ("0xR0000", "0xR8000", "0xR3F80", "0xRBF80", "0xR7F80", "0xRFF80", "0xR7FC0", "0xR7F7F",
               "0xR0080", "0xR0001", "0xR8001"),
    # An `fp128` or `ppc_fp128` has two 64-bit halves. The lower half of an `fp128` is first.
    "fp128": tuple(f"0xL{low:016X}{high:016X}" for high, low in (
        (0, 0), (1 << 63, 0), (0x3FFF << 48, 0), (0xBFFF << 48, 0), (0x7FFF << 48, 0), (0xFFFF << 48, 0),
        (0x7FFF8 << 44, 0), ((0x7FFF << 48) - 1, (1 << 64) - 1), (1 << 48, 0), (0, 1), (1 << 63, 1))),
    "ppc_fp128": tuple(f"0xM{high:016X}{low:016X}" for high, low in (
        (0, 0), (1 << 63, 0), (0x3FF << 52, 0), (0xBFF << 52, 0), (0x7FF << 52, 0), (0xFFF << 52, 0),
        (0x7FF8 << 48, 0), ((0x7FF << 52) - 1, (0x7C9 << 52) - 1), (1 << 52, 0), (1, 0), (1 << 63 | 1, 0))),
}
# fmt: on
ALL_FLOATS = {**FLOATS, **MORE_FLOATS}
KINDS = {INTEGERS: 5, tuple(ALL_FLOATS): 4, ("ptr",): 1}

# fmt: off
INTEGER_FLAGS = {"add": ("nsw", "nuw"), "sub": ("nsw", "nuw"), "mul": ("nsw", "nuw"), "shl": ("nsw", "nuw"),
                 "lshr": ("exact",), "ashr": ("exact",), "udiv": ("exact",), "sdiv": ("exact",), "urem": (),
                 "srem": (), "and": (), "or": (), "xor": ()}
# fmt: on
FLOAT_FLAGS = dict.fromkeys(("fadd", "fsub", "fmul", "fdiv", "frem"), ("fast", "nnan", "ninf", "nsz"))
STEPS = (0, 0, 1, 1, 1, 2, 3)
#: Function attributes about denormal numbers.
ATTRIBUTES = {
    "": 8,
    ' "denormal-fp-math"="preserve-sign,preserve-sign"': 1,
    ' "denormal-fp-math"="positive-zero,positive-zero"': 1,
    ' "denormal-fp-math"="dynamic,dynamic"': 1,
}


def function(rng: Chance, pointer: str, symbol: str) -> str:
    """Returns the definition of a function with a loop that branches on a phi of constants."""
    word = rng.one(WeightedChoice(rng, KINDS).pick())
    type_ = pointer if word == "ptr" else word
    one, other = _constant(rng, pointer, word), _constant(rng, pointer, word)
    lines = [
        f"define void {symbol}(i1 %c){WeightedChoice(rng, ATTRIBUTES).pick()} {{",
        "entry:",
        "  br label %head",
        "head:",
        f"  %v = phi {type_} [ {_constant(rng, pointer, word)}, %entry ], [ {one}, %yes ], "
        f"[ {other if rng.hit(0.7) else '%v'}, %no ]",
    ]
    value = "%v"
    for place in range(0 if word == "ptr" else rng.one(STEPS)):
        lines.append(f"  %o{place} = {_operation(rng, word)} {type_} {value}, {_constant(rng, pointer, word)}")
        value = f"%o{place}"
    tested = _constant(rng, pointer, word) if rng.hit(0.7) else one
    lines += [
        f"  %t = {_test(rng, word)} {type_} {value}, {tested}",
        "  br i1 %t, label %yes, label %no",
        "yes:",
        "  br label %head",
        "no:",
        "  br i1 %c, label %head, label %exit",
        "exit:",
        "  ret void",
        "}\n",
    ]
    return "\n".join(lines)


def _constant(rng: Chance, pointer: str, word: str) -> str:
    if rng.hit(0.08):
        return rng.one(("undef", "poison"))
    if word == "ptr":
        return _address(rng, pointer)
    if word in ALL_FLOATS:
        return rng.one(ALL_FLOATS[word])
    return any_integer(rng, width(word))


def _address(rng: Chance, pointer: str) -> str:
    base, offset = address(rng), rng.one((-1, 1, 4))
    return rng.one(
        (
            "null",
            base,
            base,
            f"inttoptr (i64 8 to {pointer})",
            f"getelementptr (i8, {pointer} {base}, i64 {offset})",
            f"getelementptr inbounds (i8, {pointer} {base}, i64 {offset})",
            f"inttoptr (i64 ptrtoint ({pointer} {base} to i64) to {pointer})",
        )
    )


def _operation(rng: Chance, word: str) -> str:
    flags = FLOAT_FLAGS if word in ALL_FLOATS else INTEGER_FLAGS
    operation = rng.one(tuple(flags))
    return f"{operation} {rng.one(flags[operation])}" if flags[operation] and rng.hit(0.4) else operation


def _test(rng: Chance, word: str) -> str:
    return f"fcmp {rng.one(FLOAT_TESTS)}" if word in ALL_FLOATS else f"icmp {rng.one(tuple(INTEGER_TESTS))}"
