"""Programs under valgrind's memcheck, and what it finds in shared objects of ours."""

import collections
import pathlib
import re
import shutil
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree

from .messages import Failure

PLUGIN = "libbpa.so"
# A stack of what is unloaded has to stay readable.
VALGRIND = [
    *("valgrind", "--quiet", "--keep-debuginfo=yes", "--num-callers=40", "--xml=yes"),
    *("--leak-check=full", "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite"),
]


def require() -> None:
    if not shutil.which("valgrind"):
        raise Failure("valgrind is not installed; on Debian or Ubuntu: apt-get install valgrind")


def new_folder(folder: pathlib.Path) -> pathlib.Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


class Report:
    """What valgrind has written, each place once."""

    def __init__(self, files: list[pathlib.Path], plugins: Sequence[str] = (PLUGIN,)) -> None:
        self.files = files
        self.ours: collections.Counter[str] = collections.Counter()
        self.llvms = 0
        self.unreadable: list[pathlib.Path] = []
        for path in files:
            try:
                errors = ElementTree.fromstring(readable(path.read_bytes())).findall("error")
            except ElementTree.ParseError:
                self.unreadable.append(path)
                continue
            for error in errors:
                if is_ours(error, plugins):
                    self.ours[description(error)] += 1
                else:
                    self.llvms += 1

    def is_clean(self) -> bool:
        return bool(self.files) and not self.ours and not self.unreadable

    def tell(self) -> None:
        for text, times in self.ours.most_common():
            print(f"{text}\n  ({times} times)\n")
        for path in self.unreadable:
            print(f"cut off: {path}")
        print(
            f"valgrind: {len(self.files)} runs of opt, {len(self.ours)} kinds of errors and leaks of ours, "
            f"{self.llvms} errors and leaks of LLVM alone"
        )


def readable(written: bytes) -> str:
    """What valgrind has written, where the program had arguments that are no text: they stand there as they are."""
    return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "?", written.decode(errors="replace"))


def is_ours(error: ElementTree.Element, plugins: Sequence[str]) -> bool:
    """Whether it is about a call that one of the plugins has a part in."""
    return any(plugin in frame.findtext("obj", "") for plugin in plugins for frame in error.iter("frame"))


def description(error: ElementTree.Element) -> str:
    """What it is, and the stacks that tell where: of the error, then of what it is about."""
    lines = [error.findtext("what") or error.findtext("xwhat/text") or "?"]
    lines += [line for part in error if part.tag in ("stack", "auxwhat") for line in lines_of(part)]
    return "\n".join(lines)


def lines_of(part: ElementTree.Element) -> Iterator[str]:
    if part.tag == "auxwhat":
        yield f"  {part.text}"
    for frame in part.iter("frame"):
        place = f"{frame.findtext('file')}:{frame.findtext('line')}"
        if frame.find("file") is None:
            place = frame.findtext("obj", "?")
        yield f"    {frame.findtext('fn', '?')} ({place})"
