"""What a path names."""

import dataclasses
import pathlib
from collections.abc import Iterator, Sequence

from .lexer import Token
from .modules import Crate, Definition, Import, Module, is_use

Target = Module | Definition


@dataclasses.dataclass(frozen=True)
class Use:
    """Something of another file that a line needs."""

    path: pathlib.Path
    line: int
    #: As it stands there.
    text: str
    target: pathlib.Path


class Resolver:
    def __init__(self, crates: Sequence[Crate]) -> None:
        self.roots = {crate.root.name: crate.root for crate in crates}

    # ---- paths -------------------------------------------------------------------------------

    def resolve(self, module: Module, segments: Sequence[str], seen: frozenset[tuple[int, str]]) -> list[Target]:
        """Everything that the path may name in this module; nothing if it leads out of the workspace."""
        first, *rest = segments
        found: list[Target]
        if first in ("crate", "$crate"):
            found = [module.root]
        elif first == "self":
            found = [module]
        elif first == "super":
            found = [module.parent] if module.parent else []
        elif first == "::":
            found = [self.roots[rest[0]]] if rest and rest[0] in self.roots else []
            rest = rest[1:]
        else:
            found = self.look_up(module, first, seen)
            if not found and first in self.roots:
                found = [self.roots[first]]
        for name in rest:
            # A module and a function may have one name: only one of them has something inside.
            found = [target for target in found if isinstance(target, Module)] or found
            found = [target for one in found for target in self.step(one, name, seen)]
        return found

    def step(self, target: Target, name: str, seen: frozenset[tuple[int, str]]) -> list[Target]:
        """`name` in what the path has come to."""
        if isinstance(target, Definition):
            return [target]  # a variant, or something that is implemented for it
        if name == "super":
            return [target.parent] if target.parent else []
        if name == "self":
            return [target]
        # What is declared nowhere, a macro of the module has made.
        return self.look_up(target, name, seen) or [Definition(name, "", target.path, target.line)]

    def look_up(self, module: Module, name: str, seen: frozenset[tuple[int, str]]) -> list[Target]:
        """What the module calls by this name; a macro only if there is nothing else, or the name ends with `!`."""
        found: list[Target] = [*module.children.get(name, []), *module.definitions.get(name, [])]
        if (id(module), name) in seen:
            return found  # `pub use estimate::estimate` asks for the module
        seen |= {(id(module), name)}
        for imported in module.imports:
            if imported.name == name.removesuffix("!"):
                found += self.resolve(module, imported.segments, seen)
        if not found:
            for imported in module.imports:
                if imported.name == "*":
                    for target in self.resolve(module, imported.segments[:-1], seen):
                        if isinstance(target, Module):
                            found += self.look_up(target, name, seen)
        return found or [*module.definitions.get(f"{name}!", [])]

    # ---- what a module uses ------------------------------------------------------------------

    def uses(self, module: Module) -> Iterator[Use]:
        """What the code of a module needs of other files; that of its children does not count.

        To declare a module, or to pass on the names of one, is no use of it.
        """
        mentioned = {token.text for token in mentions(module.code)}
        for imported in module.imports:
            if imported.name == "*":
                yield from self.glob_uses(module, imported, mentioned)
            elif not imported.is_public or imported.name in mentioned:
                yield from self.uses_of(module, imported.segments, imported.line)
        for line, segments in paths(module.code):
            yield from self.uses_of(module, segments, line)

    def uses_of(self, module: Module, segments: Sequence[str], line: int) -> Iterator[Use]:
        for target in self.resolve(module, segments, frozenset()):
            if isinstance(target, Definition) and target.path != module.path:
                yield Use(module.path, line, "::".join(segments), target.path)

    def glob_uses(self, module: Module, imported: Import, mentioned: set[str]) -> Iterator[Use]:
        for target in self.resolve(module, imported.segments[:-1], frozenset()):
            if isinstance(target, Module):
                for name in sorted(mentioned):
                    for found in self.look_up(target, name, frozenset()):
                        if isinstance(found, Definition) and found.path != module.path:
                            yield Use(
                                module.path, imported.line, f"{name} of {'::'.join(imported.segments)}", found.path
                            )


def mentions(code: Sequence[Token]) -> Iterator[Token]:
    """The names in the code that are neither fields, nor methods, nor in a `use`."""
    place = 0
    while place < len(code):
        if is_use(code, place):
            while code[place].text != ";":
                place += 1
        elif code[place].kind == "name" and not (place and code[place - 1].text == "." and code[place - 2].text != "."):
            yield code[place]
        place += 1


def paths(code: Sequence[Token]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Every path of more than one name, with its line; those in a `use` are left out."""
    place = 0
    while place < len(code):
        if is_use(code, place):
            while code[place].text != ";":
                place += 1
        elif code[place].kind == "name" and (place == 0 or code[place - 1].kind != "path"):
            segments = [code[place].text]
            line = code[place].line
            while place + 2 < len(code) and code[place + 1].kind == "path" and code[place + 2].kind == "name":
                segments.append(code[place + 2].text)
                place += 2
            following = "".join(token.text for token in code[place + 1 : place + 3])
            if following in ("!(", "![", "!{"):
                segments[-1] += "!"
            if len(segments) > 1:
                yield line, tuple(segments)
        place += 1
