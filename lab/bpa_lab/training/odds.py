"""Published predictors. Each rule has a probability, and the predictor multiplies the odds of all rules that apply to
the branch.

For two outcomes, the product of odds is Dempster and Shafer's rule (Youfeng Wu and James Larus, "Static branch
frequency and program profile analysis", MICRO 1994). If a successor never completes, unwinds or is cold, the predictor
uses LLVM's prediction, because all compilers predict such successors as unlikely.
"""

from collections.abc import Callable

import numpy as np

from .data import Floats, Integers, Mask, TwoWay

#: The values of the features `predicate`, `test`, `constant` and `returned` (docs/src/reference/features.md).
EQUAL, UNEQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL = range(1, 7)
INTEGERS, POINTERS, FLOATS = range(1, 4)
ZERO, ONE, MINUS_ONE, NEGATIVE = range(1, 5)
RETURNS_ZERO, RETURNS_NEGATIVE, RETURNS_ONE, RETURNS_CONSTANT = range(2, 6)


class Odds:
    """The odds of the first successor, for each row."""

    def __init__(self, data: TwoWay) -> None:
        self.data = data
        self.odds = np.ones(len(data.truth))

    def column(self, successor: str, name: str) -> Integers:
        return self.data.column(f"{successor}.{name}")

    def apply(self, rows: Mask, rate: float) -> None:
        """Applies a rule to `rows`: `rate` is the probability of the first edge."""
        self.odds[rows] *= rate / (1 - rate)

    def apply_to_each(self, holds: Callable[[str], Mask], rate: float) -> None:
        """Applies a rule to the branches for which `holds` is true for exactly one successor. `rate` is the probability
        of this successor."""
        first, second = holds("first"), holds("second")
        self.apply(first & ~second, rate)
        self.apply(second & ~first, 1 - rate)

    def predict(self) -> Floats:
        known = np.zeros(len(self.odds), dtype=bool)
        for successor in ("first", "second"):
            for name in ("never_completes", "exception_path", "cold_call"):
                known |= self.column(successor, name) != 0
        return np.where(known, self.data.llvm, self.odds / (1 + self.odds))


def tests(data: TwoWay, kind: int, predicate: int, *constants: int) -> Mask:
    rows = (data.column("test") == kind) & (data.column("predicate") == predicate)
    return rows & np.isin(data.column("constant"), constants) if constants else rows


def wu_larus(data: TwoWay) -> Floats:
    odds = Odds(data)

    def rare(successor: str, name: str) -> Mask:
        """Whether the feature `name` of the successor is positive and the successor does not post-dominate the
        branch."""
        return (odds.column(successor, name) > 0) & (odds.column(successor, "post_dominates") == 0)

    goes_back = [odds.column(successor, "goes_back") > 0 for successor in ("first", "second")]
    odds.apply_to_each(lambda successor: odds.column(successor, "goes_back") > 0, 0.88)
    odds.apply(tests(data, POINTERS, EQUAL), 0.40)
    odds.apply(tests(data, POINTERS, UNEQUAL), 0.60)
    for predicate, constants, rate in (
        (LESS, (ZERO, ONE), 0.16),
        (LESS_OR_EQUAL, (ZERO,), 0.16),
        (GREATER, (ZERO, MINUS_ONE), 0.84),
        (GREATER_OR_EQUAL, (ZERO,), 0.84),
        (EQUAL, tuple(range(1, 9)), 0.16),
        (UNEQUAL, tuple(range(1, 9)), 0.84),
    ):
        odds.apply(tests(data, INTEGERS, predicate, *constants), rate)
    odds.apply_to_each(lambda successor: rare(successor, "uses_tested"), 0.62)
    neither = ~goes_back[0] & ~goes_back[1]
    odds.apply_to_each(lambda successor: neither & (odds.column(successor, "leaves") > 0), 0.20)
    odds.apply_to_each(lambda successor: rare(successor, "enters"), 0.75)
    odds.apply_to_each(lambda successor: rare(successor, "calls"), 0.22)
    odds.apply_to_each(lambda successor: rare(successor, "stores"), 0.45)
    odds.apply_to_each(lambda successor: odds.column(successor, "returned") > 0, 0.28)
    return odds.predict()


def gcc(data: TwoWay) -> Floats:
    """Predicts with the rates in GCC's predict.def. Leaves out rules that need features that bpa does not have."""
    odds = Odds(data)

    def returns(successor: str, *what: int) -> Mask:
        return np.isin(odds.column(successor, "returned"), what)

    is_iterated = (odds.column("first", "goes_back") > 0) | (odds.column("second", "goes_back") > 0)
    leaves_at_end = is_iterated | (data.column("is_header") > 0)
    odds.apply_to_each(lambda successor: leaves_at_end & (odds.column(successor, "leaves") > 0), 0.11)
    odds.apply_to_each(lambda successor: ~leaves_at_end & (odds.column(successor, "leaves") > 0), 0.33)
    odds.apply_to_each(lambda successor: odds.column(successor, "enters") > 0, 0.73)
    odds.apply(tests(data, POINTERS, EQUAL), 0.30)
    odds.apply(tests(data, POINTERS, UNEQUAL), 0.70)
    for predicate, rate in ((LESS, 0.41), (LESS_OR_EQUAL, 0.41), (GREATER, 0.59), (GREATER_OR_EQUAL, 0.59)):
        odds.apply(tests(data, INTEGERS, predicate, ZERO, ONE, MINUS_ONE), rate)
    # GCC has no rule for comparisons of integers with 0.
    for kind, constants in ((INTEGERS, tuple(range(2, 9))), (FLOATS, ())):
        odds.apply(tests(data, kind, EQUAL, *constants), 0.34)
        odds.apply(tests(data, kind, UNEQUAL, *constants), 0.66)
    odds.apply_to_each(lambda successor: returns(successor, RETURNS_NEGATIVE), 0.02)
    is_pointer = data.column("test") == POINTERS
    odds.apply_to_each(lambda successor: is_pointer & returns(successor, RETURNS_ZERO), 0.29)
    odds.apply_to_each(lambda successor: returns(successor, RETURNS_ONE, RETURNS_CONSTANT), 0.35)
    odds.apply_to_each(lambda successor: odds.column(successor, "returned") > 0, 0.34)
    odds.apply_to_each(
        lambda successor: (odds.column(successor, "calls") > 0) & (odds.column(successor, "post_dominates") == 0), 0.33
    )
    return odds.predict()
