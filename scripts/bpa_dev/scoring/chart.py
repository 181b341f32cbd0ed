"""The calibration curve: what was predicted against what was true, by rule."""

import collections
import pathlib
from collections.abc import Sequence

from ..environment import add_library
from .measures import measure
from .records import Program

#: Answers are taken together that differ by less.
STEP = 0.02


def draw(programs: Sequence[Program], target: pathlib.Path) -> None:
    """A point a rule and answer: how likely the rule called a side, and how often the branches went there.

    Each program has the same weight, and the area of a point is its share of all executions.
    """
    add_library("matplotlib")
    import matplotlib

    matplotlib.use("svg" if target.suffix == ".svg" else "agg")
    matplotlib.rcParams["svg.hashsalt"] = "bpa"  # the same picture each time
    from matplotlib import pyplot

    points = calibration(programs)
    figure, axes = pyplot.subplots(figsize=(7, 6))
    axes.plot([0.5, 1], [0.5, 1], color="0.7", linewidth=1, label="as predicted", zorder=0)
    for rule, by_answer in sorted(points.items()):
        predicted, true, share = zip(*(values for _, values in sorted(by_answer.items())), strict=True)
        axes.plot(predicted, true, linewidth=0.8, alpha=0.5)
        colour = axes.lines[-1].get_color()
        axes.scatter(predicted, true, s=[max(4.0, part * 2500) for part in share], alpha=0.6, color=colour, label=rule)
    axes.set_xlabel("predicted probability of the likelier side")
    axes.set_ylabel("share of executions that went there")
    axes.set_xlim(0.48, 1.02)
    axes.set_ylim(-0.02, 1.02)
    legend = axes.legend(loc="lower right", frameon=False)
    for handle in legend.legend_handles:
        if hasattr(handle, "set_sizes"):
            handle.set_sizes([40])
    names = f"{len(programs)} programs" if len(programs) > 1 else programs[0].name
    axes.set_title(f"Two-way branches of {names}; area: share of executions")
    figure.tight_layout()
    figure.savefig(target, metadata={"Date": None} if target.suffix == ".svg" else None)
    pyplot.close(figure)


#: What was predicted, what was true, and the share of all executions.
Point = tuple[float, float, float]


def calibration(programs: Sequence[Program]) -> dict[str, dict[int, Point]]:
    """For each rule its points, by their answers."""
    sums: dict[tuple[str, int], list[float]] = collections.defaultdict(lambda: [0.0, 0.0, 0.0])
    for program in programs:
        branches = [branch for branch in program.branches if branch.kind == "two-way"]
        executions = sum(branch.executions for branch in branches)
        for branch in branches:
            found = measure(branch.sides)
            weight = branch.executions / executions / len(programs)
            # Of two that are equally likely, each is as good: half of the branches go there.
            truth = 0.5 if branch.sides[0].answer == branch.sides[1].answer else found.truth
            for place, part in enumerate((found.predicted, truth, 1.0)):
                sums[branch.rule, round(found.predicted / STEP)][place] += weight * part
    points: dict[str, dict[int, Point]] = collections.defaultdict(dict)
    for (rule, answer), (predicted, truth, weight) in sums.items():
        points[rule][answer] = (predicted / weight, truth / weight, weight)
    return points
