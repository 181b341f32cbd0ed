"""What checks find: a line each."""

import dataclasses
import pathlib
from collections.abc import Iterable


@dataclasses.dataclass(frozen=True, order=True)
class Finding:
    path: pathlib.Path
    line: int
    text: str

    def shown(self, root: pathlib.Path) -> str:
        path = self.path.relative_to(root) if self.path.is_relative_to(root) else self.path
        return f"{path}:{self.line}: {self.text}"


def tell(findings: Iterable[Finding], root: pathlib.Path, fine: str) -> int:
    """Prints them in their order, or `fine` if there are none; the exit code."""
    ordered = sorted(set(findings))
    for finding in ordered:
        print(finding.shown(root))
    if not ordered:
        print(fine)
    return 1 if ordered else 0
