"""Times the programs of all variants. The variants alternate, so other load affects all variants equally."""

import statistics
from collections.abc import Sequence

from bpa_dev.messages import announce

from .subject import Subject
from .variants import Variant


def measure(subject: Subject, variants: Sequence[Variant], rounds: int, orders: int) -> dict[str, list[float]]:
    """Returns the median time in seconds over the rounds, for each variant and link order."""
    times: dict[str, list[list[float]]] = {variant.name: [[] for _ in range(orders)] for variant in variants}
    for variant in variants:
        for order in range(orders):
            subject.programs(variant.recipe, order)
    for number in range(rounds):
        announce(f"{subject.name}: round {number + 1} of {rounds}")
        for order in range(orders):
            # Each round starts with a different variant, because the position in a round may affect the time.
            for place in range(len(variants)):
                variant = variants[(place + number) % len(variants)]
                times[variant.name][order].append(subject.seconds(variant.recipe, order))
    return {name: [statistics.median(ran) for ran in by_order] for name, by_order in times.items()}
