"""Fits the numbers of LLVM's rules to programs with profiles: those with the least mean divergence.

Each program has one vote. A comparison's best answer is how often it held, in the mean, drawn a little to what LLVM
says where few programs have much of it; what no program has keeps LLVM's numbers, and so do blocks of a kind that fewer
than three have. Weights of blocks and loops act on each other, so each is tried in turn until none gets better. Which
rules there are, what they look at and their order stay LLVM's.
"""

import dataclasses
import math
from collections.abc import Iterable, Sequence

from .cells import Cell, Program, Sum
from .numbers import Numbers, Pair
from .numbers import llvm as llvms_numbers

#: Weights of comparisons are out of this.
WHOLE = 1000
#: This share of one program's executions is taken to have gone as LLVM says beside what was measured.
PRIOR = 0.05
#: A kind of block in fewer programs than this gets no number of its own.
FEWEST = 3
#: A step of weights and ratios that are tried, and how far from one they go.
STEP, FURTHEST = 2 ** (1 / 8), 2**20
#: Rounds over all numbers; three are enough where they are apart.
ROUNDS = 6


def fit(programs: Sequence[Program], names: Iterable[str] | None = None) -> Numbers:
    """The numbers for `programs`; of the comparisons with these `names`, or of those that LLVM's rules know."""
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
    """The comparisons that rules look at: LLVM's, and those that some program has."""
    seen = {cell.condition for program in programs for cell in program.cells}
    return sorted((seen | set(llvms_numbers().conditions)) - {""})


#: A cell in all programs together, each with one vote.
Found = tuple[Cell, Sum]


def pool(programs: Sequence[Program]) -> dict[Cell, Sum]:
    pooled: dict[Cell, Sum] = {}
    for program in programs:
        for cell, found in program.cells.items():
            if cell.is_estimated:
                cell = cell._replace(condition="")  # which has no part in the answer
            total = pooled.setdefault(cell, Sum())
            total.share += found.share
            total.first += found.first
    return pooled


def count_with(programs: Iterable[Program], reason: str) -> int:
    """How many programs have a branch to a block that rarely runs for this reason."""
    return sum(any(reason in (cell.first.reason, cell.second.reason) for cell in one.cells) for one in programs)


def condition(compared: Iterable[Found], name: str, llvm: Pair | None) -> Pair | None:
    """How often the comparison held where the rules look at it, out of `WHOLE`; LLVM's answer if it never ran."""
    share = sum(found.share for cell, found in compared if cell.condition == name)
    first = sum(found.first for cell, found in compared if cell.condition == name)
    if not share:
        return llvm
    holds, fails = llvm or (1, 1)
    drawn = round(WHOLE * (first + PRIOR * holds / (holds + fails)) / (share + PRIOR))
    drawn = min(max(drawn, 1), WHOLE - 1)
    return drawn, WHOLE - drawn


def best(estimated: Sequence[Found], now: Numbers, candidates: Iterable[Numbers]) -> Numbers:
    """That with the least divergence; `now` if none is better."""

    def cost(numbers: Numbers) -> float:
        total = 0.0
        for cell, found in estimated:
            answer = numbers.answer(cell)
            total -= found.first * math.log2(answer) + (found.share - found.first) * math.log2(1 - answer)
        return total

    costs = [(cost(candidate), candidate) for candidate in candidates]
    least, found = min(costs, key=lambda tried: tried[0])
    return found if least < cost(now) - 1e-9 else now


def with_weight(numbers: Numbers, reason: str, weight: int) -> Numbers:
    return dataclasses.replace(numbers, weights={**numbers.weights, reason: weight})


def pair(ratio: float) -> Pair:
    return 1 << 20, max(1, round(ratio * (1 << 20)))
