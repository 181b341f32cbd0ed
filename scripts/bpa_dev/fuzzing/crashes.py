"""Keeps modules that LLVM's own passes crash on, one for each place where they do, and one that it has no steady
answer for."""

import re
import shutil
from pathlib import Path

from ..comparing.runs import shown
from .judge import Crash

# "#7 0x... llvm::f(int) ./f.cpp:12:3" and "llvm::f(int) (/lib/libLLVM.so.1+0x12)".
FRAME = re.compile(rb"^ *#\d+ 0x[0-9a-f]+ (.*)$", re.MULTILINE)
# How a crash is told of, and how it ends.
OUTSIDE = (b"PrintStackTrace", b"RunSignalHandlers", b"SignalHandler", b"abort", b"raise", b"__pthread", b"__restore")
DEPTH = 3


class Crashes:
    """A folder of modules."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._smallest: dict[bytes, tuple[int, Path]] = {}

    def keep(self, crash: Crash, name: str) -> None:
        """Keeps the smallest module of each place, with the command and what it says."""
        place, size = place_of(crash.stderr), crash.module.stat().st_size
        smallest, earlier = self._smallest.get(place, (size + 1, None))
        if size >= smallest:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        kept = self._folder / f"{name}.bc"
        shutil.copy(crash.module, kept)
        kept.with_suffix(".txt").write_bytes(f"{shown([*crash.command[:-1], kept])}\n".encode() + crash.stderr)
        self._smallest[place] = size, kept
        if earlier:
            earlier.unlink()
            earlier.with_suffix(".txt").unlink()


def place_of(stderr: bytes) -> bytes:
    """The innermost functions of LLVM's on the stack."""
    frames = [frame.split(b"(")[0].split(b" ")[0] for frame in FRAME.findall(stderr)]
    named = [frame for frame in frames if frame and not any(word in frame for word in OUTSIDE)]
    return b" < ".join(named[:DEPTH])
