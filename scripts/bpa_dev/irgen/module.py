"""Puts functions into a module, with the declarations that they need."""

from collections.abc import Iterator
from pathlib import Path

from . import calls, expect, folding
from .chance import Chance, Wheel
from .exceptions import FUNCLET_PERSONALITIES, LANDING_PERSONALITY
from .function import Function
from .libcalls import choose_libcalls
from .names import function_name
from .shapes import LARGEST
from .spelling import Spelling
from .taste import Taste
from .terminators import DEOPTIMIZED
from .values import LOADABLE
from .weights import Metadata

#: Target triple, data layout and the type of `size_t`.
TARGETS = {
    ("x86_64-unknown-linux-gnu", "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128", "i64"): 10,
    (None, None, "i64"): 6,
    (
        "i686-unknown-linux-gnu",
        "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-f64:32:64-f80:32-n8:16:32-S128",
        "i32",
    ): 3,
    ("x86_64-pc-windows-msvc", "e-m:w-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128", "i64"): 1,
}


class Module:
    """One file: its functions, and what they share."""

    def __init__(self, profile: str, spell: Spelling, stream: str, malformed: bool, largest: int = LARGEST) -> None:
        """`stream` names the random stream: the same name gives the same module."""
        self.spell = spell
        self._rng = Chance(stream)
        self._profile = profile
        self._malformed = malformed
        self.largest = largest
        self._triple, self._layout, size_type = Wheel(self._rng, TARGETS).pick()
        self.libcalls = choose_libcalls(self._rng, size_type)
        self.metadata = Metadata()
        self._functions: list[str] = []
        self.blocks = 0

    def add_functions(self, count: int) -> None:
        """Makes that many functions."""
        for index in range(count):
            if self._profile == "folding":
                self._functions.append(folding.function(self._rng, self.spell, f"@f{index}"))
                self.blocks += folding.BLOCKS
                continue
            taste = Taste(self._rng, self._profile, self._malformed)
            symbol = f"@{function_name(self._rng, index)}"
            function = Function(self._rng, self, symbol, taste)
            self._functions.append(function.text)
            self.blocks += len(function.graph)

    def text(self) -> str:
        """The whole file."""
        parts = [*self._head(), "", *self._declarations(), "", *self._functions]
        if self._profile != "expect":
            parts.extend(calls.ATTRIBUTE_GROUPS)
        return "\n".join([*parts, *self.metadata.definitions(), ""])

    def _head(self) -> Iterator[str]:
        if self._triple:
            yield f'target datalayout = "{self._layout}"'
            yield f'target triple = "{self._triple}"'

    def _declarations(self) -> Iterator[str]:
        for word in LOADABLE:
            yield f"@g.{word} = global {self.spell.type(word)} zeroinitializer"
        yield "@other.i8 = external global i8"
        if self._profile == "expect":
            yield from expect.declarations(self.spell)
            return
        yield from calls.declarations(self.spell)
        for libcall in self.libcalls:
            yield libcall.declaration(self.spell)
        for personality in (LANDING_PERSONALITY, *FUNCLET_PERSONALITIES):
            yield f"declare i32 @{personality}(...)"
        for word in DEOPTIMIZED:
            mangled = self.spell.mangled(word)
            yield f"declare {self.spell.type(word)} @llvm.experimental.deoptimize.{mangled}(...)"


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
    """Writes functions into files; answers how many files and blocks those are."""
    spell = Spelling(llvm)
    folder.mkdir(parents=True, exist_ok=True)
    blocks = files = 0
    for first in range(0, functions, per_module):
        stream = f"{profile}-{seed}-{files}"
        module = Module(profile, spell, stream, malformed, largest)
        module.add_functions(min(per_module, functions - first))
        (folder / f"gen-{stream}.ll").write_bytes(module.text().encode("ascii"))
        blocks += module.blocks
        files += 1
    return files, blocks
