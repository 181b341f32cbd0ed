"""Generates LLVM modules with random functions."""

from pathlib import Path

from . import folding
from .chance import Chance, WeightedChoice
from .function import COMPARISONS, LARGEST, PERSONALITIES, Function
from .weights import Metadata

PROFILES = ("general", "irreducible", "folding")
TARGETS = {
    "x86_64-unknown-linux-gnu": "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128",
    "i686-unknown-linux-gnu": "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-f64:32:64-f80:32-n8:16:32-S128",
}
#: The kinds of string comparison functions, and how often the generator chooses each kind. LLVM's rule applies only
#: to the kind "right".
PROTOTYPES = {"right": 80, "nobuiltin": 10, "defined": 10}
DECLARATIONS = """\
@g.i8 = global i8 0
@other.i8 = external global i8
declare void @plain()
declare void @cold() cold
declare void @never() noreturn
declare void @cold.never() cold noreturn
declare void @grouped.cold() #0
declare void @grouped.never() #1
define void @aliased.plain() {
  ret void
}
define void @aliased.cold() cold {
  ret void
}
attributes #0 = { cold nounwind }
attributes #1 = { noreturn nounwind }
"""


class Module:
    def __init__(self, profile: str, llvm: int, stream: str, malformed: bool, largest: int = LARGEST) -> None:
        """`stream` is the random seed. Equal seeds give equal modules."""
        self._rng = Chance(stream)
        self._profile, self._llvm, self._malformed, self._largest = profile, llvm, malformed, largest
        self._metadata = Metadata()
        self._functions: list[str] = []
        self.blocks = 0

    def add_functions(self, count: int) -> None:
        for index in range(count):
            if self._profile == "folding":
                self._functions.append(folding.function(self._rng, self._pointer, f"@f{index}"))
                self.blocks += folding.BLOCKS
                continue
            function = Function(
                self._rng,
                self._profile,
                self._rng.one((f"@f{index}", f"@f{index}", f'@"f \\22{index}"')),
                self._metadata,
                llvm=self._llvm,
                malformed=self._malformed,
                largest=self._largest,
            )
            self._functions.append(function.text)
            self.blocks += function.blocks

    @property
    def _pointer(self) -> str:
        return "ptr" if self._llvm >= 15 else "i8*"

    def text(self) -> str:
        parts = []
        if self._rng.hit(0.6):
            triple = self._rng.one(list(TARGETS))
            parts += [f'target datalayout = "{TARGETS[triple]}"', f'target triple = "{triple}"', ""]
        parts += [DECLARATIONS, *self._declarations(), *self._functions, *self._metadata.definitions(), ""]
        return "\n".join(parts)

    def _declarations(self) -> list[str]:
        pointer = self._pointer
        function = "ptr" if self._llvm >= 15 else "void ()*"
        lines = [f"@alias.{name} = alias void (), {function} @aliased.{name}" for name in ("plain", "cold")]
        lines += [f"declare i32 @{personality}(...)" for personality in PERSONALITIES.values()]
        for name in COMPARISONS:
            size = "" if name in COMPARISONS[:2] else ", i64"
            prototype = f"i32 @{name}({pointer}, {pointer}{size})"
            kind = WeightedChoice(self._rng, PROTOTYPES).pick()
            if kind == "defined":
                lines.append(f"define {prototype} {{\n  ret i32 0\n}}")
            else:
                lines.append(f"declare {prototype}{' nobuiltin' if kind == 'nobuiltin' else ''}")
        return lines


def write_modules(
    folder: Path,
    *,
    functions: int,
    per_module: int,
    seed: int,
    profile: str,
    llvm: int,
    malformed: bool = False,
    largest: int = LARGEST,
) -> tuple[int, int]:
    """Writes functions into files, and returns the numbers of files and blocks."""
    folder.mkdir(parents=True, exist_ok=True)
    blocks = files = 0
    for first in range(0, functions, per_module):
        stream = f"{profile}-{seed}-{files}"
        module = Module(profile, llvm, stream, malformed, largest)
        module.add_functions(min(per_module, functions - first))
        (folder / f"gen-{stream}.ll").write_text(module.text())
        blocks += module.blocks
        files += 1
    return files, blocks
