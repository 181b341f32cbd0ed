"""Values that instructions of one function can use."""

from .chance import Chance, Wheel
from .constants import FLOAT_TYPES, INTEGER_TYPES, any_constant
from .spelling import Spelling

#: Every type that has a global variable `@g.<type>` to load from.
LOADABLE = (*INTEGER_TYPES, *FLOAT_TYPES, "ptr")

# fmt: off
ARGUMENT_TYPES = {"i32": 10, "ptr": 8, "i64": 5, "i1": 5, "i8": 3, "double": 3, "float": 2, "i16": 1,
                  "i128": 1, "i3": 1, "i65": 1, "half": 1, "x86_fp80": 1}
# fmt: on


class Values:
    """Fresh names, and operands: arguments, or loads in the block that needs the value."""

    def __init__(self, rng: Chance, spell: Spelling) -> None:
        self.rng = rng
        self.spell = spell
        self.arguments: dict[str, list[str]] = {}
        self._count = 0
        types = Wheel(rng, ARGUMENT_TYPES)
        self._parameters = [types.pick() for _ in range(rng.between(0, 8))]
        self.named_parameters: list[tuple[str, str]] = []

    def name_parameters(self, numbered: bool) -> int:
        """Names the arguments `%0`, `%1` ... or `%a0`, `%a1` ...; answers how many numbers are taken."""
        for index, word in enumerate(self._parameters):
            name = f"%{index}" if numbered else f"%a{index}"
            self.named_parameters.append((word, name))
            self.arguments.setdefault(word, []).append(name)
        return len(self._parameters) if numbered else 0

    def fresh(self) -> str:
        """The name of a new value."""
        self._count += 1
        return f"%v{self._count}"

    def define(self, code: list[str], instruction: str) -> str:
        """Appends an instruction that has a result; answers the result's name."""
        name = self.fresh()
        code.append(f"{name} = {instruction}")
        return name

    def argument_or_constant(self, word: str) -> str:
        """A value that is available everywhere in the function."""
        arguments = self.arguments.get(word)
        return self.rng.one(arguments) if arguments else any_constant(self.rng, word)

    def operand(self, code: list[str], word: str) -> str:
        """A variable of the type, usable at the end of `code`."""
        arguments = self.arguments.get(word)
        if arguments and self.rng.hit(0.75):
            return self.rng.one(arguments)
        return self.load(code, word)

    def load(self, code: list[str], word: str) -> str:
        """A load from the global of that type."""
        type_ = self.spell.type(word)
        return self.define(code, f"load {type_}, {self.spell.pointer(type_)} @g.{word}")
