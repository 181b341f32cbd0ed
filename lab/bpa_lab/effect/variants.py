"""The variants of a program that are compared."""

import dataclasses
import hashlib
import pathlib
import re
from collections.abc import Sequence

from bpa_dev.messages import Failure

from .subject import Subject
from .ways import Way, Ways

NAMES = ("plain", "llvm", "bpa", "counts", "weights", "pgo")
#: Entry counts of a degree: seen by the code generator alone, or early, by all passes; behind weights, or alone.
COUNTS = re.compile("(early-)?(counts|cold|attributes)(-alone)?")
PREDICTOR = re.compile(r"predictor=([^;>]*)")


@dataclasses.dataclass(frozen=True)
class Variant:
    name: str
    way: Way


@dataclasses.dataclass(frozen=True)
class Choice:
    """The variants that the command line chooses."""

    names: tuple[str, ...]
    plugin: pathlib.Path
    #: Where in the pipeline weights are written.
    point: str
    predictor: str
    #: More of them: a name and what BPA_PIPELINE is.
    more: tuple[tuple[str, str], ...]

    def variants(self, subject: Subject, ways: Ways) -> list[Variant]:
        return [Variant(name, self._way(name, subject, ways)) for name in self.names] + [
            Variant(name, self._with_passes(pipeline, ways)) for name, pipeline in self.more
        ]

    def _way(self, name: str, subject: Subject, ways: Ways) -> Way:
        match name:
            case "plain":
                return ways.plain()
            case "llvm":
                return self._with_passes(f"{self.point}:rust-bpi<annotate>", ways)
            case "bpa":
                return self._with_passes(self._annotating, ways)
            case "weights":
                return ways.with_weights(*subject.profile(ways.counting_branches()))
            case "pgo":
                return ways.with_profile(*subject.profile(ways.counting()))
        if counts := COUNTS.fullmatch(name):
            return self._with_passes(self.counting(*counts.groups()), ways)
        raise Failure(f"no variant {name}; there are {', '.join(NAMES)}, and {COUNTS.pattern}")

    @property
    def _annotating(self) -> str:
        return f"{self.point}:rust-bpi<annotate;predictor={self.predictor}>"

    def counting(self, early: str | None, degree: str, alone: str | None) -> str:
        point = self.point if early else "optimizer-last"
        whose = "" if alone else f";predictor={self.predictor}"
        counting = f"{point}:rust-entry-counts<annotate;write={degree}{whose}>"
        return counting if alone else f"{self._annotating},{counting}"

    def _with_passes(self, pipeline: str, ways: Ways) -> Way:
        files = [self.plugin, *map(pathlib.Path, PREDICTOR.findall(pipeline))]
        return ways.with_passes(self.plugin, pipeline, version_of(files))


def version_of(files: Sequence[pathlib.Path]) -> str:
    """Of those that are there: a predictor may be a name."""
    return " ".join(hashlib.sha256(file.read_bytes()).hexdigest() for file in files if file.is_file())
