"""Fits the weights and probabilities of LLVM's rules to profiled programs. The fit minimises the mean divergence over
programs.

All programs have equal weight. The probability of a comparison is the fraction of its executions in which the
comparison is true. The fit also includes LLVM's probability, with a low weight. For a comparison that no program
executes, the fit uses LLVM's probability. If fewer than three programs contain a kind of block, the fit uses LLVM's
weight. The weights of blocks and loops depend on each other, so the search changes one weight at a time until no change
helps. The fit does not change the rules, their conditions or their order.
"""

import dataclasses
import math
from collections.abc import Iterable, Sequence

from .cells import Cell, Program, Sum
from .numbers import Numbers, Pair
from .numbers import llvm as llvms_numbers

#: The sum of the two weights of a comparison.
WHOLE = 1000
#: The weight of the prior. For comparison, all executions of one program together have the weight 1.
PRIOR = 0.05
#: The minimum number of programs for fitting the weight of a kind of block.
FEWEST = 3
#: The search tries ratios of two weights. The greatest ratio is 1, and the smallest ratio is 1 / FURTHEST. STEP is the
#: factor between two successive ratios.
STEP, FURTHEST = 2 ** (1 / 8), 2**20
#: The maximum number of rounds. Each round fits every weight once.
ROUNDS = 6


def fit(programs: Sequence[Program], names: Iterable[str] | None = None) -> Numbers:
    """Fits the weights of the rules to `programs`. `names` are the comparisons to fit (default: LLVM's comparisons)."""
    start = llvms_numbers()
    pooled = pool(programs)
    compared = [found for found in pooled.items() if not found[0].is_estimated and found[0].condition]
    names = list(start.conditions if names is None else names)
    fitted = {name: condition(compared, name, start.conditions.get(name)) for name in names}
    numbers = dataclasses.replace(start, conditions={name: both for name, both in fitted.items() if both})
    estimated = [found for found in pooled.items() if found[0].is_estimated]
    ratios = [1 / STEP**power for power in range(round(math.log(FURTHEST, STEP)) + 1)]
    weights = sorted({max(1, round(start.weights[""] * ratio)) for ratio in ratios})
    reasons = [reason for reason in ("noreturn", "unwind", "cold") if count_with(programs, reason) >= FEWEST]
    for _ in range(ROUNDS):
        before = numbers
        numbers = best(estimated, numbers, [dataclasses.replace(numbers, loop=pair(ratio)) for ratio in ratios])
        numbers = best(estimated, numbers, [dataclasses.replace(numbers, unlikely=pair(ratio)) for ratio in ratios])
        for reason in reasons:
            numbers = best(estimated, numbers, [with_weight(numbers, reason, weight) for weight in weights])
        if numbers == before:
            break
    return numbers


def compared(programs: Sequence[Program]) -> list[str]:
    """Returns the names of LLVM's comparisons and of all comparisons in the programs."""
    seen = {cell.condition for program in programs for cell in program.cells}
    return sorted((seen | set(llvms_numbers().conditions)) - {""})


#: A cell, and the `Sum` of this cell, added up over all programs.
Found = tuple[Cell, Sum]


def pool(programs: Sequence[Program]) -> dict[Cell, Sum]:
    pooled: dict[Cell, Sum] = {}
    for program in programs:
        for cell, found in program.cells.items():
            if cell.is_estimated:
                cell = cell._replace(condition="")  # The rule of estimated weights does not use the condition.
            total = pooled.setdefault(cell, Sum())
            total.share += found.share
            total.first += found.first
    return pooled


def count_with(programs: Iterable[Program], reason: str) -> int:
    """Counts the programs in which a branch leads to a block that is unlikely because of `reason`."""
    return sum(any(reason in (cell.first.reason, cell.second.reason) for cell in one.cells) for one in programs)


def condition(compared: Iterable[Found], name: str, llvm: Pair | None) -> Pair | None:
    """Returns the weights for true and for false results of the comparison `name`. If no program executes the
    comparison, returns LLVM's weights."""
    share = sum(found.share for cell, found in compared if cell.condition == name)
    first = sum(found.first for cell, found in compared if cell.condition == name)
    if not share:
        return llvm
    holds, fails = llvm or (1, 1)
    fitted = round(WHOLE * (first + PRIOR * holds / (holds + fails)) / (share + PRIOR))
    fitted = min(max(fitted, 1), WHOLE - 1)
    return fitted, WHOLE - fitted


def best(estimated: Sequence[Found], now: Numbers, candidates: Iterable[Numbers]) -> Numbers:
    """Returns the candidate with the lowest divergence. If no candidate is better than `now`, returns `now`."""

    def cost(numbers: Numbers) -> float:
        total = 0.0
        for cell, found in estimated:
            predicted = numbers.predict(cell)
            total -= found.first * math.log2(predicted) + (found.share - found.first) * math.log2(1 - predicted)
        return total

    costs = [(cost(candidate), candidate) for candidate in candidates]
    least, found = min(costs, key=lambda tried: tried[0])
    return found if least < cost(now) - 1e-9 else now


def with_weight(numbers: Numbers, reason: str, weight: int) -> Numbers:
    return dataclasses.replace(numbers, weights={**numbers.weights, reason: weight})


def pair(ratio: float) -> Pair:
    return 1 << 20, max(1, round(ratio * (1 << 20)))
