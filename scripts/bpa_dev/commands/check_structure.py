"""Checks that no files use each other in a circle, and that the core stays pure.

A file uses another if a path or a `use` in it comes to an item that is defined there; to declare a module, or to pass
on names of it, is no use of it. What only tests see does not count. Each circle is told by the lines that make it.
Methods are not followed: a call shows no file.

Files of the command (crates/cli) are left out: folders there are units, whose files use what their mod.rs defines.

The core knows no LLVM, has no `unsafe`, reads no environment, and has no floating point but where it writes for people.
"""

import argparse
import collections
import fnmatch
import pathlib
from collections.abc import Iterable, Iterator, Mapping

from ..findings import Finding, tell
from ..paths import ROOT
from ..rust.lexer import Token, tokens
from ..rust.modules import Crate, workspace
from ..rust.resolve import Resolver, Use
from ..rust.syntax import without_tests

#: The crates without LLVM.
CORE = ("bpa_cfg", "bpa_model", "bpa_profile", "bpa_report", "bpa_core")
NO_LLVM = {
    "unsafe": "the core has no `unsafe`",
    "llvm_sys": "the core knows no LLVM",
    "inkwell": "the core knows no LLVM",
    "llvm_plugin": "the core knows no LLVM",
}
#: What the tests of other crates share.
TEST_SUPPORT = {"test_support.rs"}
FLOATS = {"f32", "f64"}
#: Where floating point may be, behind the name of the crate, and why.
FLOATS_MAY_BE = {
    "bpa_report/*": "output for people",
    "bpa_profile/double.rs": "numbers for output",
    "bpa_profile/profile/frequency.rs": "a lossy value for those who ask for it",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, metavar="DIR", help="the workspace to look at")
    parser.add_argument("--uses", action="store_true", help="tell all uses between files, and check nothing")


def run(arguments: argparse.Namespace) -> int:
    crates = workspace(arguments.root)
    if arguments.uses:
        for use in sorted(all_uses(crates), key=lambda use: (use.path, use.line)):
            target = use.target.relative_to(arguments.root)
            print(Finding(use.path, use.line, f"{use.text} of {target}").shown(arguments.root))
        return 0
    files = sum(len(crate.files) for crate in crates)
    layered = [use for use in all_uses(crates) if not use.path.is_relative_to(arguments.root / "crates" / "cli")]
    found = [*declarations(crates), *circles(layered, arguments.root), *layers(crates)]
    return tell(found, arguments.root, f"{files} files: no circles, and the core is pure")


# ---- circles ---------------------------------------------------------------------------------


def all_uses(crates: list[Crate]) -> list[Use]:
    resolver = Resolver(crates)
    return [use for crate in crates for module in crate.root.walk() for use in resolver.uses(module)]


def declarations(crates: list[Crate]) -> Iterator[Finding]:
    """Files that would not be looked at."""
    for crate in crates:
        for path, line, name in crate.missing:
            yield Finding(path, line, f"no file for the module `{name}`")
        for path in sorted(crate.folder.rglob("*.rs")):
            # A program beside the library is a root of its own: it uses the library, and nothing uses it.
            programs = {crate.folder / name for name in ("main.rs", "cargo-bpa.rs")}
            if path not in crate.files | crate.test_files | programs:
                yield Finding(path, 1, "no module declares this file")


def circles(uses: Iterable[Use], root: pathlib.Path) -> Iterator[Finding]:
    graph: dict[pathlib.Path, dict[pathlib.Path, Use]] = collections.defaultdict(dict)
    for use in uses:
        known = graph[use.path].get(use.target)
        if known is None or use.line < known.line:
            graph[use.path][use.target] = use
    for component in components(graph):
        for path in component:
            for target, use in graph[path].items():
                if target in component:
                    text = f"`{use.text}` uses {target.relative_to(root)} in a circle of {len(component)} files"
                    yield Finding(path, use.line, text)


def components(graph: Mapping[pathlib.Path, Mapping[pathlib.Path, object]]) -> Iterator[set[pathlib.Path]]:
    """The strongly connected components of more than one file."""
    reach = {path: reachable(graph, path) for path in list(graph)}
    done: set[pathlib.Path] = set()
    for path in sorted(reach):
        component = {other for other in reach[path] if path in reach.get(other, ())}
        if len(component) > 1 and path not in done:
            done |= component
            yield component


def reachable(graph: Mapping[pathlib.Path, Mapping[pathlib.Path, object]], start: pathlib.Path) -> set[pathlib.Path]:
    """What can be come to from there in one or more steps."""
    seen: set[pathlib.Path] = set()
    waiting = [start]
    while waiting:
        for target in graph.get(waiting.pop(), ()):
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return seen


# ---- layers ----------------------------------------------------------------------------------


def layers(crates: list[Crate]) -> Iterator[Finding]:
    for crate in crates:
        if crate.root.name in CORE:
            for path in sorted(crate.files):
                name = path.relative_to(crate.folder).as_posix()
                if pathlib.PurePath(name).name not in TEST_SUPPORT:
                    yield from impurities(path, f"{crate.root.name}/{name}")


def impurities(path: pathlib.Path, name: str) -> Iterator[Finding]:
    floats = any(fnmatch.fnmatch(name, pattern) for pattern in FLOATS_MAY_BE)
    code = [token for token in without_tests(list(tokens(path.read_text()))) if token.kind not in ("doc", "inner")]
    for place, token in enumerate(code):
        if token.kind == "name" and token.text in NO_LLVM:
            yield Finding(path, token.line, f"`{token.text}`: {NO_LLVM[token.text]}")
        elif is_float(code, place) and not floats:
            yield Finding(path, token.line, f"`{token.text}`: no floating point in the core but where it writes")
        elif [part.text for part in code[place : place + 3]] == ["std", "::", "env"]:
            yield Finding(path, token.line, "`std::env`: the core reads no environment")


def is_float(code: list[Token], place: int) -> bool:
    """A type or a literal; `pair.0.1` has none."""
    token = code[place]
    if token.kind == "name":
        return token.text in FLOATS
    after_dot = place > 0 and code[place - 1].text == "."
    return token.kind == "number" and not after_dot and ("." in token.text or token.text[-3:] in FLOATS)
