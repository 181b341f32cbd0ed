"""Times the programs of all variants, in turns, so that what else the machine does meets all alike."""

import statistics
from collections.abc import Sequence

from bpa_dev.messages import announce

from .subject import Subject
from .variants import Variant


def measure(subject: Subject, variants: Sequence[Variant], rounds: int, orders: int) -> dict[str, list[float]]:
    """For each variant and link order, in seconds, the median of the rounds.

    Two variants that are the same have times of their own: by how much these differ is what chance does.
    """
    times: dict[str, list[list[float]]] = {variant.name: [[] for _ in range(orders)] for variant in variants}
    for variant in variants:
        for order in range(orders):
            subject.programs(variant.way, order)
    for number in range(rounds):
        announce(f"{subject.name}: round {number + 1} of {rounds}")
        for order in range(orders):
            # Who comes first in a round would be at an advantage, or at the opposite.
            for place in range(len(variants)):
                variant = variants[(place + number) % len(variants)]
                times[variant.name][order].append(subject.seconds(variant.way, order))
    return {name: [statistics.median(ran) for ran in by_order] for name, by_order in times.items()}
