"""Fast random choices."""

import random
from bisect import bisect
from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Chance(random.Random):
    """A random number generator whose seed is a string."""

    def hit(self, probability: float) -> bool:
        return self.random() < probability

    def below(self, bound: int) -> int:
        return int(self.random() * bound)

    def between(self, low: int, high: int) -> int:
        """Returns an integer from low to high, including both."""
        return low + int(self.random() * (high - low + 1))

    def one(self, items: Sequence[Item]) -> Item:
        return items[int(self.random() * len(items))]

    def size(self, mean: float) -> int:
        """Returns a random integer of at least 1. The mean is about `mean`, and the distribution has a long tail."""
        return 1 + int(self.expovariate(1.0) * (mean - 0.5)) if mean > 1 else 1


class WeightedChoice(Generic[Item]):
    """Chooses random items with probabilities in proportion to weights."""

    __slots__ = ("_bounds", "_items", "_last", "_random")

    def __init__(self, rng: Chance, weights: Mapping[Item, float]) -> None:
        self._random = rng.random
        self._items = [item for item, weight in weights.items() if weight > 0]
        self._bounds: list[float] = []
        total = 0.0
        for item in self._items:
            total += weights[item]
            self._bounds.append(total)
        self._last = len(self._items) - 1

    def pick(self) -> Item:
        bounds = self._bounds
        return self._items[bisect(bounds, self._random() * bounds[-1], 0, self._last)]


UNEVEN = (0.1, 0.4, 1.0, 1.0, 1.0, 2.5, 10.0)


def uneven_choice(rng: Chance, weights: Mapping[Item, float]) -> WeightedChoice[Item]:
    """Multiplies each weight by a random factor, and returns a `WeightedChoice` of these weights.

    Each function then has many instances of a few features.
    """
    return WeightedChoice(rng, {item: weight * rng.one(UNEVEN) for item, weight in weights.items()})
