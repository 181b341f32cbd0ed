"""String comparisons, declared as the C library has them and in ways that only look like it.

LLVM gives the result of a string compare its own odds, if name *and* prototype are the library's.
"""

from .chance import Chance, Wheel
from .spelling import Spelling
from .values import Values

WITH_SIZE = ("strncmp", "memcmp", "bcmp", "strncasecmp")
NAMES = ("strcmp", "strcasecmp", *WITH_SIZE)

# fmt: off
VARIANTS = {
    "right": 60, "i64_result": 4, "too_few": 4, "too_many": 3, "other_size": 5, "variadic": 3,
    "nobuiltin": 3, "internal": 3, "raw_name": 3, "integer_argument": 3, "defined": 3,
}
# fmt: on

PREDICATES = {"eq": 40, "ne": 40, "slt": 12, "sgt": 12, "sle": 2, "sge": 2, "ult": 2, "ugt": 2}
RESULTS = {"0": 60, "1": 12, "-1": 12, "5": 12, "-7": 2}


class LibCall:
    """One declaration: symbol, types, and the text that declares or defines it."""

    def __init__(self, name: str, variant: str, size_type: str) -> None:
        self.name = name
        self.symbol = f'@"\\01{name}"' if variant == "raw_name" else f"@{name}"
        self.result = "i64" if variant == "i64_result" else "i32"
        self.parameters = ["ptr", "ptr"]
        if name in WITH_SIZE:
            self.parameters.append(size_type)
        if variant == "too_few":
            self.parameters.pop()
        elif variant == "too_many":
            self.parameters.append("i32")
        elif variant == "other_size":
            self.parameters[-1] = "i32" if size_type == "i64" else "i64"
        elif variant == "integer_argument":
            self.parameters[0] = "i64"
        self.variadic = variant == "variadic"
        self._variant = variant

    def declaration(self, spell: Spelling) -> str:
        """The line that declares the function, or a definition of it."""
        parameters = ", ".join(spell.type(word) for word in self.parameters)
        if self.variadic:
            parameters += ", ..."
        prototype = f"{self.result} {self.symbol}({parameters})"
        if self._variant in ("internal", "defined"):
            linkage = "internal " if self._variant == "internal" else ""
            return f"define {linkage}{prototype} {{\n  ret {self.result} 0\n}}"
        return f"declare {prototype}{' nobuiltin' if self._variant == 'nobuiltin' else ''}"

    def call(self, values: Values, code: list[str]) -> str:
        """Appends a call; answers its result."""
        type_ = values.spell.type
        arguments = ", ".join(f"{type_(word)} {values.operand(code, word)}" for word in self.parameters)
        callee_type = self.result
        if self.variadic:
            callee_type += f" ({', '.join(type_(word) for word in self.parameters)}, ...)"
        attribute = " nobuiltin" if values.rng.hit(0.03) else ""
        return values.define(code, f"call {callee_type} {self.symbol}({arguments}){attribute}")


def choose_libcalls(rng: Chance, size_type: str) -> list[LibCall]:
    """The string compares of one module, each with a prototype of its own choice."""
    variants = Wheel(rng, VARIANTS)
    return [LibCall(name, variants.pick(), size_type) for name in NAMES]


class LibCompare:
    """Makes conditions out of string compares."""

    def __init__(self, rng: Chance, libcalls: list[LibCall]) -> None:
        self._rng = rng
        self._libcalls = libcalls
        self._predicates = Wheel(rng, PREDICATES)
        self._results = Wheel(rng, RESULTS)

    def condition(self, values: Values, code: list[str]) -> str:
        """Appends a call and a compare of its result; answers the i1."""
        libcall = self._rng.one(self._libcalls)
        result = libcall.call(values, code)
        predicate, constant = self._predicates.pick(), self._results.pick()
        return values.define(code, f"icmp {predicate} {libcall.result} {result}, {constant}")
