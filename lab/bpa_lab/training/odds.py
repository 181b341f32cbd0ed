"""Published predictors: rules with rates, and all rules that apply are combined as odds.

Odds are multiplied, which is Dempster and Shafer's rule for two sides (Youfeng Wu and James Larus, "Static branch
frequency and program profile analysis", MICRO 1994). If a successor never completes, unwinds or is cold, LLVM's
prediction is used: all compilers have that information.
"""

from collections.abc import Callable

import numpy as np

from .data import Floats, Integers, Mask, TwoWay

#: How `predicate` and `constant`, `test` and `returned` of docs/src/reference/features.md are numbered.
EQUAL, UNEQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL = range(1, 7)
INTEGERS, POINTERS, FLOATS = range(1, 4)
ZERO, ONE, MINUS_ONE, NEGATIVE = range(1, 5)
RETURNS_ZERO, RETURNS_NEGATIVE, RETURNS_ONE, RETURNS_CONSTANT = range(2, 6)


class Odds:
    """Odds of the first successor, multiplied by those of each rule."""

    def __init__(self, data: TwoWay) -> None:
        self.data = data
        self.odds = np.ones(len(data.truth))

    def side(self, side: str, name: str) -> Integers:
        return self.data.column(f"{side}.{name}")

    def says(self, rows: Mask, rate: float) -> None:
        """On these rows, the first side is taken at this rate."""
        self.odds[rows] *= rate / (1 - rate)

    def of_each_side(self, holds: Callable[[str], Mask], rate: float) -> None:
        """A side of which that holds, and of the other not, is taken at this rate."""
        first, second = holds("first"), holds("second")
        self.says(first & ~second, rate)
        self.says(second & ~first, 1 - rate)

    def answer(self) -> Floats:
        known = np.zeros(len(self.odds), dtype=bool)
        for side in ("first", "second"):
            for name in ("never_completes", "exception_path", "cold_call"):
                known |= self.side(side, name) != 0
        return np.where(known, self.data.llvm, self.odds / (1 + self.odds))


def tests(data: TwoWay, kind: int, predicate: int, *constants: int) -> Mask:
    rows = (data.column("test") == kind) & (data.column("predicate") == predicate)
    return rows & np.isin(data.column("constant"), constants) if constants else rows


def wu_larus(data: TwoWay) -> Floats:
    odds = Odds(data)

    def rare(side: str, name: str) -> Mask:
        """That, and it is not on all ways to the end."""
        return (odds.side(side, name) > 0) & (odds.side(side, "post_dominates") == 0)

    goes_back = [odds.side(side, "goes_back") > 0 for side in ("first", "second")]
    odds.of_each_side(lambda side: odds.side(side, "goes_back") > 0, 0.88)
    odds.says(tests(data, POINTERS, EQUAL), 0.40)
    odds.says(tests(data, POINTERS, UNEQUAL), 0.60)
    for predicate, constants, rate in (
        (LESS, (ZERO, ONE), 0.16),
        (LESS_OR_EQUAL, (ZERO,), 0.16),
        (GREATER, (ZERO, MINUS_ONE), 0.84),
        (GREATER_OR_EQUAL, (ZERO,), 0.84),
        (EQUAL, tuple(range(1, 9)), 0.16),
        (UNEQUAL, tuple(range(1, 9)), 0.84),
    ):
        odds.says(tests(data, INTEGERS, predicate, *constants), rate)
    odds.of_each_side(lambda side: rare(side, "uses_tested"), 0.62)
    neither = ~goes_back[0] & ~goes_back[1]
    odds.of_each_side(lambda side: neither & (odds.side(side, "leaves") > 0), 0.20)
    odds.of_each_side(lambda side: rare(side, "enters"), 0.75)
    odds.of_each_side(lambda side: rare(side, "calls"), 0.22)
    odds.of_each_side(lambda side: rare(side, "stores"), 0.45)
    odds.of_each_side(lambda side: odds.side(side, "returned") > 0, 0.28)
    return odds.answer()


def gcc(data: TwoWay) -> Floats:
    """The rates that GCC's predict.def declares, for those of its rules that the features can express."""
    odds = Odds(data)

    def returns(side: str, *what: int) -> Mask:
        return np.isin(odds.side(side, "returned"), what)

    is_iterated = (odds.side("first", "goes_back") > 0) | (odds.side("second", "goes_back") > 0)
    leaves_at_end = is_iterated | (data.column("is_header") > 0)
    odds.of_each_side(lambda side: leaves_at_end & (odds.side(side, "leaves") > 0), 0.11)
    odds.of_each_side(lambda side: ~leaves_at_end & (odds.side(side, "leaves") > 0), 0.33)
    odds.of_each_side(lambda side: odds.side(side, "enters") > 0, 0.73)
    odds.says(tests(data, POINTERS, EQUAL), 0.30)
    odds.says(tests(data, POINTERS, UNEQUAL), 0.70)
    for predicate, rate in ((LESS, 0.41), (LESS_OR_EQUAL, 0.41), (GREATER, 0.59), (GREATER_OR_EQUAL, 0.59)):
        odds.says(tests(data, INTEGERS, predicate, ZERO, ONE, MINUS_ONE), rate)
    # Of integers and 0 it says nothing.
    for kind, constants in ((INTEGERS, tuple(range(2, 9))), (FLOATS, ())):
        odds.says(tests(data, kind, EQUAL, *constants), 0.34)
        odds.says(tests(data, kind, UNEQUAL, *constants), 0.66)
    odds.of_each_side(lambda side: returns(side, RETURNS_NEGATIVE), 0.02)
    is_pointer = data.column("test") == POINTERS
    odds.of_each_side(lambda side: is_pointer & returns(side, RETURNS_ZERO), 0.29)
    odds.of_each_side(lambda side: returns(side, RETURNS_ONE, RETURNS_CONSTANT), 0.35)
    odds.of_each_side(lambda side: odds.side(side, "returned") > 0, 0.34)
    odds.of_each_side(lambda side: (odds.side(side, "calls") > 0) & (odds.side(side, "post_dominates") == 0), 0.33)
    return odds.answer()
