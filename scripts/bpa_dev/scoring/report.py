"""The tables that `scripts/score` prints."""

import heapq
from collections.abc import Iterable, Sequence
from statistics import fmean

from ..table import Table
from .measures import Tally, by_rule, measure, tally
from .records import Branch, Program

HEADINGS = {"two-way": "two-way branches", "switch": "switches", "other": "other branches"}
PROGRAMS = Table((22, 10, 18, 9, 9, 9, 9, 10), " ")
RULES = Table((22, 10, 18, 8, 8, 9, 10, 8, 9, 11, 11, 10, 10), " ")
BRANCHES = Table((16, 16, 11, 9), " ")


def print_programs(programs: Sequence[Program]) -> None:
    """Prints a row for each program, the unweighted mean over programs, and the mean weighted by executions."""
    PROGRAMS.print_row("two-way branches", "branches", "executions", "hits", "misses", "least", "KL bits", "no rule")
    tallies = []
    for program in programs:
        branches = of_kind(program, "two-way")
        all_of, even = tally(branches), by_rule(branches).get("even", Tally())
        if all_of.executions:
            tallies.append((all_of, even))
            print_program(program.name, [(all_of, even)])
    if len(tallies) > 1:
        print_program("mean of programs", tallies)
        pooled, even = Tally(), Tally()
        for all_of, rest in tallies:
            pooled.add(all_of.mean, all_of.executions, all_of.branches)
            even.add(rest.mean, rest.executions, rest.branches)
        print_program("all executions", [(pooled, even)])
    print()


def print_program(name: str, tallies: Sequence[tuple[Tally, Tally]]) -> None:
    hits, perfect = (fmean(getattr(all_of.mean, part) for all_of, _ in tallies) for part in ("hits", "perfect"))
    PROGRAMS.print_row(
        name,
        str(sum(all_of.branches for all_of, _ in tallies)),
        str(round(sum(all_of.executions for all_of, _ in tallies))),
        percent(hits),
        percent(1 - hits),
        percent(1 - perfect),
        f"{fmean(all_of.mean.bits for all_of, _ in tallies):.4f}",
        percent(fmean(even.executions / all_of.executions for all_of, even in tallies)),
    )


def print_rules(programs: Sequence[Program]) -> None:
    """Prints a row for each rule. The rule with the most avoidable wrong predictions is first."""
    for kind, heading in HEADINGS.items():
        parts = [by_rule(of_kind(program, kind)) for program in programs]
        pooled: dict[str, Tally] = {}
        for part in parts:
            for rule, one in part.items():
                pooled.setdefault(rule, Tally()).add(one.mean, one.executions, one.branches)
        if not pooled:
            continue
        means = ("share", "hits", "KL bits") if len(programs) > 1 else ()
        columns = ("branches", "executions", "share", "hits", "perfect", "predicted", "true", "KL bits", "avoidable")
        RULES.print_row(heading, *columns, *(f"mean {name}" for name in means))
        everything = Tally()
        for one in pooled.values():
            everything.add(one.mean, one.executions, one.branches)
        for rule, one in sorted(pooled.items(), key=lambda item: -item[1].avoidable):
            print_rule(rule, one, everything, parts if means else [])
        print_rule("all", everything, everything, [])
        print()


def print_rule(name: str, one: Tally, everything: Tally, parts: Sequence[dict[str, Tally]]) -> None:
    mean = one.mean
    cells = [str(one.branches), str(round(one.executions)), percent(share(one.executions, everything.executions))]
    cells += [percent(part) for part in (mean.hits, mean.perfect, mean.predicted, mean.profiled)]
    cells += [f"{mean.bits:.4f}", percent(share(one.avoidable, everything.avoidable))]
    if parts:
        # The share of executions is averaged over all programs. Hits and bits are averaged only over the programs in
        # which this rule predicts a branch.
        whole = [sum(other.executions for other in part.values()) for part in parts]
        shares = (share(part.get(name, Tally()).executions, all_of) for part, all_of in zip(parts, whole, strict=True))
        having = [part[name].mean for part in parts if name in part]
        cells += [percent(fmean(shares)), percent(fmean(m.hits for m in having))]
        cells.append(f"{fmean(m.bits for m in having):.4f}")
    RULES.print_row(name, *cells)


def print_branches(programs: Sequence[Program], count: int) -> None:
    """Prints the branches with the most avoidable wrong predictions."""
    costs = (
        ((found.perfect - found.hits) * branch.executions, branch.executions, found, branch, program.name)
        for program in programs
        for branch in program.branches
        for found in [measure(branch.successors)]
    )
    costliest = heapq.nlargest(count, (cost for cost in costs if cost[0] > 0), key=lambda cost: cost[0])
    if not costliest:
        return
    BRANCHES.print_row("costliest", "executions", "predicted", "true", "  rule, where")
    for cost, executions, found, branch, program in costliest:
        where = f"  {branch.rule}: {branch.where}" + (f" ({program})" if len(programs) > 1 else "")
        BRANCHES.print_row(f"{cost:.0f}", str(executions), percent(found.predicted), percent(found.profiled), where)
    print()


def of_kind(program: Program, kind: str) -> Iterable[Branch]:
    return [branch for branch in program.branches if branch.kind == kind]


def share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def percent(value: float) -> str:
    return f"{value * 100:.2f}%"
