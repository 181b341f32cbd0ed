"""Calls, and the functions they call: ordinary, cold, never returning, and in disguise."""

from collections.abc import Iterator

from .chance import Chance, Wheel, uneven_wheel
from .spelling import Spelling
from .values import Values
from .weights import Metadata

#: Callees with a result or parameters: symbol -> (result, parameters, attributes).
CALLEES: dict[str, tuple[str, tuple[str, ...], str]] = {
    "@plain": ("void", (), ""),
    "@plain.value": ("i32", ("i32",), ""),
    "@plain.pointer": ("ptr", ("ptr", "i64"), ""),
    "@cold": ("void", (), "cold"),
    "@cold.value": ("i32", ("i32",), "cold"),
    "@never": ("void", (), "noreturn"),
    "@never.value": ("i32", ("i32",), "noreturn"),
    "@cold.never": ("void", (), "cold noreturn"),
    "@grouped.cold": ("void", ("i32",), "#0"),
    "@grouped.never": ("void", ("i32",), "#1"),
}
ATTRIBUTE_GROUPS = (
    "attributes #0 = { cold }",
    "attributes #1 = { noreturn nounwind }",
    "attributes #2 = { cold nounwind }",
    "attributes #3 = { noreturn }",
)
#: Functions defined in each module so that aliases have something to stand for.
ALIASES = {
    "@alias.plain": ("@aliased.plain", ""),
    "@alias.cold": ("@aliased.cold", " cold"),
    "@alias.never": ("@aliased.never", " noreturn"),
}

ORDINARY = ("@plain", "@plain.value", "@plain.pointer")
COLD = ("@cold", "@cold.value", "@grouped.cold")
NEVER = ("@never", "@never.value", "@grouped.never")

# fmt: off
TARGETS = {"ordinary": 10, "cold": 8, "never": 2.5, "both": 1.5, "indirect": 3, "alias": 2, "recast": 2,
           "assembly": 1.5}
# fmt: on
SITE_ATTRIBUTES = {"": 70, " cold": 10, " noreturn": 4, " cold noreturn": 2, " #2": 4, " #3": 3, " nounwind": 5}
IGNORED_WEIGHTS = ('!"branch_weights", i32 7', '!"VP", i32 0, i64 100, i64 42, i64 100')


def declarations(spell: Spelling) -> Iterator[str]:
    """The lines that declare all callees, and define what the aliases stand for."""
    for symbol, (result, parameters, attributes) in CALLEES.items():
        types = ", ".join(spell.type(word) for word in parameters)
        yield f"declare {spell.type(result)} {symbol}({types}) {attributes}".rstrip()
    for alias, (target, attributes) in ALIASES.items():
        yield f"{alias} = alias void (), {spell.pointer('void ()')} {target}"
        yield f"define void {target}(){attributes} {{\n  ret void\n}}"
    pointer = spell.pointer("void ()")
    yield f"@g.function = global {pointer} @plain"


class Calls:
    """Makes the calls of one function."""

    def __init__(self, rng: Chance, values: Values, metadata: Metadata) -> None:
        self._rng = rng
        self._values = values
        self._metadata = metadata
        self._targets = uneven_wheel(rng, TARGETS)
        self._site_attributes = Wheel(rng, SITE_ATTRIBUTES)
        self._before_unreachable = Wheel(rng, {"never": 5, "both": 2, "ordinary": 1, "none": 3})

    def add(self, code: list[str]) -> None:
        """Appends one call."""
        self._append(code, self._targets.pick())

    def add_before_unreachable(self, code: list[str]) -> None:
        """Usually a call that does not return, as front ends leave it in front of `unreachable`."""
        target = self._before_unreachable.pick()
        if target != "none":
            self._append(code, target)

    def invocation(self, code: list[str]) -> str:
        """What an invoke calls, with arguments and attributes."""
        kind = self._targets.pick()
        if kind == "assembly":
            kind = "ordinary"
        return self._expression(code, kind) + self._site_attributes.pick()

    def _append(self, code: list[str], kind: str) -> None:
        expression = self._expression(code, kind) + self._site_attributes.pick()
        prof = ""
        if self._rng.hit(0.04):
            prof = f", !prof {self._metadata.node(self._rng.one(IGNORED_WEIGHTS))}"
        marker = "tail call" if self._rng.hit(0.1) else "call"
        result = "" if expression.startswith("void") else f"{self._values.fresh()} = "
        code.append(f"{result}{marker} {expression}{prof}")

    def _expression(self, code: list[str], kind: str) -> str:
        """`<type> <callee>(<arguments>)`."""
        if kind == "indirect":
            function = self._values.spell.pointer("void ()")
            pointer = self._values.spell.pointer(function)
            return f"void {self._values.define(code, f'load {function}, {pointer} @g.function')}()"
        if kind == "alias":
            return f"void {self._rng.one(tuple(ALIASES))}()"
        if kind == "recast":
            symbol = self._rng.one(("@cold", "@never", "@plain"))
            return f"void {self._values.spell.recast(symbol, 'void ()', 'void (i32)')}(i32 1)"
        if kind == "assembly":
            return 'void asm sideeffect "", "~{memory}"()'
        symbols = {"ordinary": ORDINARY, "cold": COLD, "never": NEVER, "both": ("@cold.never",)}[kind]
        return self._direct(code, self._rng.one(symbols))

    def _direct(self, code: list[str], symbol: str) -> str:
        result, parameters, _ = CALLEES[symbol]
        type_ = self._values.spell.type
        arguments = ", ".join(f"{type_(word)} {self._values.operand(code, word)}" for word in parameters)
        return f"{type_(result)} {symbol}({arguments})"
