"""A fitted model as the text that `predictor=FILE` reads. docs/src/reference/predictor-files.md describes it."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # nothing here needs more than the names of its parts
    import lightgbm

TITLE = "bpa-model 2"
#: Leaves are integers in this fraction of one.
PART = 65_536


def as_text(parts: Mapping[str, tuple["lightgbm.Booster", Sequence[str]]]) -> str:
    """For each kind of branch its trees and what features are called.

    Integers alone: thresholds rounded down, as all features are integers, and leaves to the nearest.
    """
    lines = [TITLE]
    for name, (booster, features) in parts.items():
        trees = [tree["tree_structure"] for tree in booster.dump_model()["tree_info"]]
        lines += [f"{name} 0", f"features {','.join(features)}", *(" ".join(words(tree)) for tree in trees)]
    return "\n".join(lines) + "\n"


def words(node: dict[str, Any]) -> Iterator[str]:
    """A tree in preorder. Trees are shallow."""
    if "split_feature" not in node:
        yield str(round(node["leaf_value"] * PART))
        return
    yield f"{node['split_feature']}<={math.floor(node['threshold'])}@{round(node['internal_value'] * PART)}"
    yield from words(node["left_child"])
    yield from words(node["right_child"])
