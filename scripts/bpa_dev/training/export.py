"""A fitted model as the text that `predictor=FILE` reads. docs/predictors.md describes it."""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # nothing here needs more than the names of its parts
    import lightgbm

TITLE = "bpa-model 1"
#: What leaves add is told in this part of one.
PART = 65_536


def as_text(booster: "lightgbm.Booster", names: Sequence[str]) -> str:
    """Integers alone: thresholds rounded down, as all features are integers, and leaves to the nearest."""
    side = [name.removeprefix("first.") for name in names if name.startswith("first.")]
    branch = names[: len(names) - 2 * len(side)]
    trees = [tree["tree_structure"] for tree in booster.dump_model()["tree_info"]]
    lines = [TITLE, f"branch {','.join(branch)}", f"side {','.join(side)}", "start 0"]
    return "\n".join([*lines, *(" ".join(words(tree)) for tree in trees)]) + "\n"


def words(node: dict[str, Any]) -> Iterator[str]:
    """A tree in preorder. Trees are shallow."""
    if "split_feature" not in node:
        yield str(round(node["leaf_value"] * PART))
        return
    yield f"{node['split_feature']}<={math.floor(node['threshold'])}@{round(node['internal_value'] * PART)}"
    yield from words(node["left_child"])
    yield from words(node["right_child"])
