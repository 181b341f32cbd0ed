"""Random choices, quick enough to be made millions of times."""

import random
from bisect import bisect
from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Chance(random.Random):
    """A random source that is seeded with text, so that streams are told apart by name."""

    def hit(self, probability: float) -> bool:
        """True with the given probability."""
        return self.random() < probability

    def below(self, bound: int) -> int:
        """An integer from 0 to bound - 1."""
        return int(self.random() * bound)

    def between(self, low: int, high: int) -> int:
        """An integer from low to high, both included."""
        return low + int(self.random() * (high - low + 1))

    def one(self, items: Sequence[Item]) -> Item:
        """One of the items, all equally likely."""
        return items[int(self.random() * len(items))]

    def size(self, mean: float) -> int:
        """A size of at least 1 with a long tail, `mean` on average."""
        return 1 + int(self.expovariate(1.0) * (mean - 0.5)) if mean > 1 else 1


class Wheel(Generic[Item]):
    """A weighted choice whose weights are fixed once."""

    __slots__ = ("_bounds", "_items", "_last", "_random")

    def __init__(self, rng: Chance, weights: Mapping[Item, float]) -> None:
        """`weights` maps an item to its weight; an item of weight 0 never comes up."""
        self._random = rng.random
        self._items = [item for item, weight in weights.items() if weight > 0]
        self._bounds: list[float] = []
        total = 0.0
        for item in self._items:
            total += weights[item]
            self._bounds.append(total)
        self._last = len(self._items) - 1

    def pick(self) -> Item:
        """One item."""
        bounds = self._bounds
        return self._items[bisect(bounds, self._random() * bounds[-1], 0, self._last)]


UNEVEN = (0.1, 0.4, 1.0, 1.0, 1.0, 2.5, 10.0)


def uneven_wheel(rng: Chance, weights: Mapping[Item, float]) -> Wheel[Item]:
    """A wheel whose weights are distorted at random, so that one function is dense in one feature."""
    return Wheel(rng, {item: weight * rng.one(UNEVEN) for item, weight in weights.items()})
