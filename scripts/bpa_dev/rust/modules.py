"""The modules of a crate, over its files."""

import dataclasses
import pathlib
import tomllib
from collections.abc import Iterator, Sequence

from .lexer import Token, tokens
from .syntax import Item, items, members, without_tests


@dataclasses.dataclass(frozen=True)
class Definition:
    """An item, or a member of one: `name` is `Type::member` then; that of a macro ends with `!`."""

    name: str
    kind: str
    path: pathlib.Path
    line: int
    docs: tuple[Token, ...] = ()
    is_public: bool = False


@dataclasses.dataclass(frozen=True)
class Import:
    """One name of a `use`: `name` is what it is called here, `*` all that the path has."""

    name: str
    segments: tuple[str, ...]
    line: int
    is_public: bool


@dataclasses.dataclass
class Module:
    name: str
    path: pathlib.Path
    line: int
    parent: "Module | None"
    #: All but its modules' tokens.
    code: list[Token] = dataclasses.field(default_factory=list)
    children: dict[str, list["Module"]] = dataclasses.field(default_factory=dict)
    definitions: dict[str, list[Definition]] = dataclasses.field(default_factory=dict)
    imports: list[Import] = dataclasses.field(default_factory=list)

    @property
    def root(self) -> "Module":
        return self.parent.root if self.parent else self

    @property
    def segments(self) -> tuple[str, ...]:
        """Its path, the crate's name first."""
        return (*(self.parent.segments if self.parent else ()), self.name)

    def walk(self) -> Iterator["Module"]:
        yield self
        for modules in self.children.values():
            for module in modules:
                yield from module.walk()

    def define(self, definition: Definition) -> None:
        self.definitions.setdefault(definition.name, []).append(definition)


@dataclasses.dataclass(frozen=True)
class Crate:
    root: Module
    #: The folder of its sources.
    folder: pathlib.Path
    #: Files that only tests see.
    test_files: frozenset[pathlib.Path]
    #: Modules that are declared and have no file: (file, line, name).
    missing: tuple[tuple[pathlib.Path, int, str], ...]

    @property
    def files(self) -> set[pathlib.Path]:
        return {module.path for module in self.root.walk()}


def workspace(root: pathlib.Path) -> list[Crate]:
    """The library crates of the workspace in this folder."""
    manifest = tomllib.loads((root / "Cargo.toml").read_text())
    folders = [root, *(root / member for member in manifest.get("workspace", {}).get("members", []))]
    return [read_crate(folder) for folder in folders if (folder / "src/lib.rs").exists()]


def read_crate(folder: pathlib.Path) -> Crate:
    manifest = tomllib.loads((folder / "Cargo.toml").read_text())
    name = manifest.get("lib", {}).get("name", manifest["package"]["name"]).replace("-", "_")
    source = folder / "src"
    code, everything = Reader(with_tests=False), Reader(with_tests=True)
    root = code.read(name, source / "lib.rs")
    with_tests = {module.path for module in everything.read(name, source / "lib.rs").walk()}
    without = {module.path for module in root.walk()}
    return Crate(root, source, frozenset(with_tests - without), tuple(code.missing))


class Reader:
    def __init__(self, *, with_tests: bool) -> None:
        self.with_tests = with_tests
        self.missing: list[tuple[pathlib.Path, int, str]] = []

    def read(self, name: str, path: pathlib.Path) -> Module:
        """The crate whose root is this file."""
        root = Module(name, path, 1, None)
        self.read_file(root, path.parent)
        return root

    def read_file(self, module: Module, folder: pathlib.Path) -> None:
        """`folder` is where the files of its children are."""
        content = list(tokens(module.path.read_text()))
        self.fill(module, content if self.with_tests else without_tests(content), folder)

    def fill(self, module: Module, content: Sequence[Token], folder: pathlib.Path) -> None:
        for item in items(content):
            if item.kind == "mod":
                self.add_child(module, item, folder)
                continue
            module.code += item.whole
            for attribute in item.attributes:
                module.code += [*attribute, Token("mark", ";", item.line)]
            add_definitions(module, item)
        module.imports += imports(module.code)

    def add_child(self, parent: Module, item: Item, folder: pathlib.Path) -> None:
        child = Module(item.name, parent.path, item.line, parent)
        if item.body is not None:
            self.fill(child, item.body, folder / item.name)
        else:
            candidates = [folder / f"{item.name}.rs", folder / item.name / "mod.rs"]
            if (given := given_path(item)) is not None:
                candidates = [parent.path.parent / given]
            found = next((path for path in candidates if path.exists()), None)
            if found is None:
                self.missing.append((parent.path, item.line, item.name))
                return
            child.path, child.line = found, 1
            self.read_file(child, found.parent if found.name == "mod.rs" else folder / item.name)
        parent.children.setdefault(item.name, []).append(child)


def given_path(item: Item) -> str | None:
    """What `#[path = "..."]` says."""
    for attribute in item.attributes:
        if len(attribute) == 3 and attribute[0].text == "path":
            return attribute[2].text.strip('"')
    return None


def add_definitions(module: Module, item: Item) -> None:
    if item.kind == "impl":
        add_members(module, implemented_type(item), item)
    elif item.kind == "macro_rules":
        # A module may have the same name.
        name = f"{item.name}!"
        definition = Definition(name, item.kind, module.path, item.line, tuple(item.docs), item.is_public)
        # An exported macro is at the root, whatever module it stands in.
        (module.root if item.has_attribute("macro_export") else module).define(definition)
    elif item.name and item.kind not in ("use", "extern"):
        module.define(Definition(item.name, item.kind, module.path, item.line, tuple(item.docs), item.is_public))
        add_members(module, item.name, item)


def add_members(module: Module, owner: str, item: Item) -> None:
    for member in members(item):
        if member.name:
            name = f"{owner}::{member.name}"
            docs = tuple(member.docs)
            module.define(Definition(name, member.kind, module.path, member.line, docs, member.is_public))


def implemented_type(item: Item) -> str:
    """The last name of the type that an `impl` is for."""
    head = item.head
    start = 1
    if len(head) > 1 and head[1].text == "<":
        start = behind_angles(head, 1)
    name, place = "", start
    while place < len(head):
        token = head[place]
        if token.text == "<":
            place = behind_angles(head, place)
            continue
        if token.text == "where":
            break
        if token.kind == "name" and token.text not in ("for", "dyn", "mut"):
            name = token.text
        place += 1
    return name


def behind_angles(head: Sequence[Token], place: int) -> int:
    depth = 0
    while place < len(head):
        text = head[place].text
        is_arrow = text == ">" and head[place - 1].text in ("-", "=")
        depth += {"<": 1, ">": -1}.get(text, 0) + is_arrow
        place += 1
        if depth == 0:
            break
    return place


# ---- use -------------------------------------------------------------------------------------


def imports(code: Sequence[Token]) -> Iterator[Import]:
    """What every `use` in the code brings in, also those inside of functions."""
    for place, token in enumerate(code):
        if not is_use(code, place):
            continue
        end = next(index for index in range(place, len(code)) if code[index].text == ";")
        is_public = place > 0 and (code[place - 1].text in ("pub", ")"))
        for name, segments in tree(code[place + 1 : end], ()):
            yield Import(name, segments, token.line, is_public)


def is_use(code: Sequence[Token], place: int) -> bool:
    """`use<'a>` in a type is none."""
    return code[place].text == "use" and code[place].kind == "name" and code[place + 1].text != "<"


def tree(content: Sequence[Token], before: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The names that one tree of a `use` declares, and the paths behind them."""
    segments, place = before, 0
    while place < len(content):
        token = content[place]
        if token.text == "{":
            for part in split_trees(content[place + 1 : -1]):
                yield from tree(part, segments)
            return
        if token.text == "as":
            yield content[place + 1].text, strip_self(segments)
            return
        if token.kind != "path" or not segments:
            segments = (*segments, token.text)
        place += 1
    segments = strip_self(segments)
    yield segments[-1], segments


def strip_self(segments: tuple[str, ...]) -> tuple[str, ...]:
    """`a::{self}` is `a`."""
    return segments[:-1] if len(segments) > 1 and segments[-1] == "self" else segments


def split_trees(content: Sequence[Token]) -> Iterator[Sequence[Token]]:
    depth, start = 0, 0
    for place, token in enumerate(content):
        depth += {"{": 1, "}": -1}.get(token.text, 0)
        if token.text == "," and depth == 0:
            yield content[start:place]
            start = place + 1
    if start < len(content):
        yield content[start:]
