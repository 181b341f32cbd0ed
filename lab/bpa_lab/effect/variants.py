"""The variants of a program."""

import dataclasses
import hashlib
import pathlib
import re
from collections.abc import Sequence

from bpa_dev.messages import Failure

from .recipes import Recipe, Recipes
from .subject import Subject

NAMES = ("plain", "llvm", "bpa", "counts", "weights", "pgo")
#: Variants with entry counts. With `-alone`, the plugin writes no weights. With `early-`, all later passes use the
#: counts; otherwise, only the code generator uses the counts.
COUNTS = re.compile("(early-)?(counts|cold|attributes)(-alone)?")
#: The point of variants whose names begin with LATE. At this point, only the code generator uses weights.
LAST, LATE = "optimizer-last", "late-"
PREDICTOR = re.compile(r"predictor=([^;>]*)")


@dataclasses.dataclass(frozen=True)
class Variant:
    name: str
    recipe: Recipe


@dataclasses.dataclass(frozen=True)
class Choice:
    """The variants that the command line selects."""

    names: tuple[str, ...]
    plugin: pathlib.Path
    #: The point of the pipeline at which weights are written.
    point: str
    predictor: str
    #: Additional variants: the name of each variant, and its value of BPA_PIPELINE.
    more: tuple[tuple[str, str], ...]

    def variants(self, subject: Subject, recipes: Recipes) -> list[Variant]:
        return [Variant(name, self._recipe(name, subject, recipes)) for name in self.names] + [
            Variant(name, self._with_passes(pipeline, recipes)) for name, pipeline in self.more
        ]

    def _recipe(self, name: str, subject: Subject, recipes: Recipes) -> Recipe:
        if name.startswith(LATE):
            return dataclasses.replace(self, point=LAST)._recipe(name.removeprefix(LATE), subject, recipes)
        is_late = self.point == LAST
        match name:
            case "plain":
                return recipes.plain()
            case "llvm":
                return self._with_passes(f"{self.point}:rust-bpi<annotate>", recipes)
            case "bpa":
                return self._with_passes(self._annotating, recipes)
            case "both-pgo":
                early, of = subject.profile(recipes.counting())
                late, of = subject.profile(recipes.counting_branches(True, early, of))
                return recipes.with_late_counts(early, late, of)
            case "pgo":
                early, of = subject.profile(recipes.counting())
                return recipes.with_late_counts(early, None, of) if is_late else recipes.with_profile(early, of)
            case "weights":
                return recipes.with_weights(*subject.profile(recipes.counting_branches(is_late)), is_late)
        if counts := COUNTS.fullmatch(name):
            return self._with_passes(self.counting(*counts.groups()), recipes)
        known = ", ".join([*NAMES, "both-pgo", COUNTS.pattern])
        raise Failure(f"no variant {name}; there are {known}, also after {LATE}")

    @property
    def _annotating(self) -> str:
        return f"{self.point}:rust-bpi<annotate;predictor={self.predictor}>"

    def counting(self, early: str | None, degree: str, alone: str | None) -> str:
        point = self.point if early else LAST
        predictor = "" if alone else f";predictor={self.predictor}"
        counting = f"{point}:rust-entry-counts<annotate;write={degree}{predictor}>"
        return counting if alone else f"{self._annotating},{counting}"

    def _with_passes(self, pipeline: str, recipes: Recipes) -> Recipe:
        files = [self.plugin, *map(pathlib.Path, PREDICTOR.findall(pipeline))]
        return recipes.with_passes(self.plugin, pipeline, version_of(files))


def version_of(files: Sequence[pathlib.Path]) -> str:
    """Hashes the files that exist. An item of `files` can also be the name of a predictor: such items are skipped."""
    return " ".join(hashlib.sha256(file.read_bytes()).hexdigest() for file in files if file.is_file())
