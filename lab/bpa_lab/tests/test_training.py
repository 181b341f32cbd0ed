"""Tests of the text format of models."""

import unittest
from typing import Any

from bpa_lab.training import export


class Booster:
    """A model with the trees `trees`."""

    def __init__(self, *trees: dict[str, Any]) -> None:
        self._trees = trees

    def dump_model(self) -> dict[str, Any]:
        return {"tree_info": [{"tree_structure": tree} for tree in self._trees]}


def leaf(value: float) -> dict[str, Any]:
    return {"leaf_value": value}


def split(feature: int, threshold: float, mean: float, left: dict[str, Any], right: dict[str, Any]) -> dict[str, Any]:
    words = {"split_feature": feature, "threshold": threshold, "internal_value": mean}
    return {**words, "left_child": left, "right_child": right}


class Export(unittest.TestCase):
    def test_trees_are_written_in_preorder(self) -> None:
        inner = split(1, -0.5, 0.25, leaf(1.0), leaf(-2.0))
        booster: Any = Booster(split(3, 7.000000001, -0.125, inner, leaf(0.00001)), leaf(-0.5))
        switch: Any = Booster(leaf(2.0))
        parts = {"two-way": (booster, ("test", "first.answer")), "switch": (switch, ("test", "side.answer"))}
        text = export.as_text(parts)
        lines = ["bpa-model 2", "two-way 0", "features test,first.answer"]
        lines += ["3<=7@-8192 1<=-1@16384 65536 -131072 1", "-32768", "switch 0", "features test,side.answer", "131072"]
        self.assertEqual(text, "\n".join(lines) + "\n")
