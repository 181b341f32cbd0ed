"""Writes a model as text for `predictor=FILE`. docs/src/reference/predictor-files.md describes the format."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # This module uses lightgbm only in types.
    import lightgbm

TITLE = "bpa-model 2"
#: A leaf that contains the number N has the value N / PART.
PART = 65_536


def as_text(parts: Mapping[str, tuple["lightgbm.Booster", Sequence[str]]]) -> str:
    """Writes the trees and the names of features for each kind of branch.

    All numbers are integers. Thresholds are rounded down. This rounding changes no result, because features are
    integers. Leaves are rounded to the nearest unit.
    """
    lines = [TITLE]
    for name, (booster, features) in parts.items():
        trees = [tree["tree_structure"] for tree in booster.dump_model()["tree_info"]]
        lines += [f"{name} 0", f"features {','.join(features)}", *(" ".join(words(tree)) for tree in trees)]
    return "\n".join(lines) + "\n"


def words(node: dict[str, Any]) -> Iterator[str]:
    """Yields a tree in preorder."""
    if "split_feature" not in node:
        yield str(round(node["leaf_value"] * PART))
        return
    yield f"{node['split_feature']}<={math.floor(node['threshold'])}@{round(node['internal_value'] * PART)}"
    yield from words(node["left_child"])
    yield from words(node["right_child"])
