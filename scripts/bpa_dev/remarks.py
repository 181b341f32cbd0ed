"""Remarks of LLVM's optimiser, read from a file by LLVM's own reader (llvm-c/Remarks.h)."""

import ctypes
import dataclasses
import pathlib
import subprocess
from collections.abc import Iterator

from .llvm import Llvm
from .messages import Failure

Pointer = ctypes.c_void_p
Place = tuple[str, int, int]


@dataclasses.dataclass(frozen=True)
class Part:
    key: str
    text: str
    place: Place | None


@dataclasses.dataclass(frozen=True)
class Remark:
    pass_name: str
    name: str
    function: str
    place: Place | None
    #: 0 if it is not known.
    hotness: int
    parts: tuple[Part, ...]

    def texts(self, key: str) -> list[str]:
        """The texts of all parts of that name."""
        return [part.text for part in self.parts if part.key == key]

    def message(self) -> str:
        return "".join(part.text for part in self.parts)


class Reader:
    """Reads remarks with the library of one LLVM."""

    def __init__(self, llvm: Llvm) -> None:
        asked = subprocess.run([llvm.tool("llvm-config"), "--libdir"], stdout=subprocess.PIPE, text=True, check=True)
        folder = pathlib.Path(asked.stdout.strip())
        names = (f"libLLVM-{llvm.version}.so", "libLLVM.so", f"libLLVM.so.{llvm.version}")
        found = [folder / name for name in names if (folder / name).exists()]
        if not found:
            raise Failure(f"no shared library of {llvm} in {folder}")
        self.library = ctypes.CDLL(str(found[0]))

    def ask(self, name: str, *arguments: Pointer) -> Pointer:
        """What a function of the library says that takes and gives objects."""
        function = getattr(self.library, f"LLVMRemark{name}")
        function.restype = Pointer
        return Pointer(function(*arguments))

    def number(self, name: str, argument: Pointer) -> int:
        function = getattr(self.library, f"LLVMRemark{name}")
        function.restype = ctypes.c_uint64 if name == "EntryGetHotness" else ctypes.c_uint32
        return int(function(argument))

    def string(self, name: str, argument: Pointer) -> str:
        text = self.ask(name, argument)
        if not text:
            return ""
        start, length = self.ask("StringGetData", text), self.number("StringGetLen", text)
        return ctypes.string_at(start, length).decode(errors="replace") if length else ""

    def place(self, name: str, argument: Pointer) -> Place | None:
        place = self.ask(name, argument)
        if not place:
            return None
        numbers = (self.number(f"DebugLocGetSource{what}", place) for what in ("Line", "Column"))
        return (self.string("DebugLocGetSourceFilePath", place), *numbers)  # type: ignore[return-value]

    def parts(self, entry: Pointer) -> Iterator[Part]:
        part = self.ask("EntryGetFirstArg", entry)
        while part:
            yield Part(
                self.string("ArgGetKey", part), self.string("ArgGetValue", part), self.place("ArgGetDebugLoc", part)
            )
            part = self.ask("EntryGetNextArg", part, entry)

    def read(self, data: bytes, kind: str = "YAML") -> list[Remark]:
        """The remarks in `data`, which is YAML or Bitstream. What a bitstream names is looked for from here."""
        # The reader takes an end of the text for granted.
        buffer = ctypes.create_string_buffer(data, len(data) + 1)
        create = getattr(self.library, f"LLVMRemarkParserCreate{kind}")
        create.restype, create.argtypes = Pointer, [Pointer, ctypes.c_uint64]
        parser = Pointer(create(ctypes.cast(buffer, Pointer), len(data)))
        remarks = []
        while entry := self.ask("ParserGetNext", parser):
            remarks.append(
                Remark(
                    self.string("EntryGetPassName", entry),
                    self.string("EntryGetRemarkName", entry),
                    self.string("EntryGetFunctionName", entry),
                    self.place("EntryGetDebugLoc", entry),
                    self.number("EntryGetHotness", entry),
                    tuple(self.parts(entry)),
                )
            )
            self.ask("EntryDispose", entry)
        if self.number("ParserHasError", parser):
            message = self.ask("ParserGetErrorMessage", parser)
            raise Failure(f"no remarks: {ctypes.string_at(message).decode(errors='replace')}")
        self.ask("ParserDispose", parser)
        return remarks
