"""What is written differently for different LLVM versions."""

#: The oldest version whose IR is written.
OLDEST = 14


class Spelling:
    """The dialect of textual IR that one LLVM version reads.

    Types are named by short words all over the generator; the word `ptr` means a pointer to bytes.
    """

    def __init__(self, llvm: int) -> None:
        #: Pointers name what they point at up to LLVM 14; from 15 on they are all `ptr`.
        self.opaque_pointers = llvm >= 15
        #: From LLVM 15 on, `callbr` marks labels as `!i`; before, it passes block addresses.
        self.callbr_labels = llvm >= 15
        #: Before LLVM 15 the verifier wants the destinations of a `callbr` to differ ...
        self.callbr_duplicates = llvm >= 15
        #: ... and allows no branch weights on it.
        self.callbr_weights = llvm >= 16
        #: Recent verifiers know the kinds of `!prof` and reject the others.
        self.unknown_prof_kinds = llvm < 20
        #: Entry counts that were made up may say so up to LLVM 23.
        self.synthetic_counts = llvm < 24

    def pointer(self, pointee: str) -> str:
        """The type of a pointer to `pointee`."""
        return "ptr" if self.opaque_pointers else pointee + "*"

    def type(self, word: str) -> str:
        """The type that a word of the generator stands for."""
        return "i8*" if word == "ptr" and not self.opaque_pointers else word

    def mangled(self, word: str) -> str:
        """The type as it appears in the name of an overloaded intrinsic."""
        if word == "ptr":
            return "p0" if self.opaque_pointers else "p0i8"
        return {"void": "isVoid", "float": "f32"}.get(word, word)

    def recast(self, name: str, actual: str, wanted: str) -> str:
        """The function `name` of type `actual`, called as if its type were `wanted`."""
        return name if self.opaque_pointers else f"bitcast ({actual}* {name} to {wanted}*)"

    def personality(self, name: str) -> str:
        """A personality function, as a pointer to bytes."""
        return f"ptr @{name}" if self.opaque_pointers else f"i8* bitcast (i32 (...)* @{name} to i8*)"
