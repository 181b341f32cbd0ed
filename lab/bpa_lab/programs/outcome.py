"""A program built with the plugin, held against the same program without."""

import dataclasses
import os
import pathlib
import time
from collections.abc import Iterator

from bpa_dev import shell
from bpa_dev.messages import Failure, say
from bpa_dev.tools import Tools

from .place import Place
from .recipes import Recipe, Tests
from .weights import Weights, objects, weights

PIPELINE = "optimizer-last:rust-bpi<annotate>"
FLAGS = "-O2"
#: A test that fails is run alone, up to so many times: some wait for other processes for a fixed time.
CHANCES = 3


@dataclasses.dataclass(frozen=True)
class Build:
    tests: Tests
    objects: dict[str, str]
    weights: Weights
    seconds: float


@dataclasses.dataclass(frozen=True)
class Outcome:
    plain: Build
    with_plugin: Build

    def trouble(self) -> Iterator[str]:
        """What is not as it should be."""
        before, after = self.plain.tests, self.with_plugin.tests
        if not before:
            yield "no test was run"
        for name in sorted(before.keys() | after.keys()):
            if before.get(name) != after.get(name):
                yield f"test {name}: {told(before, name)} without the plugin, {told(after, name)} with it"
        if self.plain.objects.keys() != self.with_plugin.objects.keys():
            yield "other objects were made"
        if self.with_plugin.weights.instructions <= self.plain.weights.instructions:
            yield "no weights were added"

    def different_objects(self) -> int:
        after = self.with_plugin.objects
        return sum(after.get(name) != digest for name, digest in self.plain.objects.items())


def told(tests: Tests, name: str) -> str:
    return {True: "passed", False: "failed", None: "not run"}[tests.get(name)]


def compare(recipe: Recipe, tools: Tools) -> Outcome:
    missing = "; ".join(f"need {package} {command}" for package, command in recipe.needs)
    if not shell.holds("eval", f"{missing}; ensure_packages"):
        raise Failure(f"what building {recipe.name} takes cannot be installed")
    plain = build(recipe, tools, "plain", FLAGS, {})
    plugin = f"{FLAGS} -fpass-plugin={link_to(tools, recipe.plugin_name)}"
    return Outcome(plain, build(recipe, tools, "plugin", plugin, {"BPA_PIPELINE": PIPELINE}))


def link_to(tools: Tools, name: str) -> pathlib.Path:
    """The plugin by that name."""
    link = tools.llvm.target / "programs" / "plugin" / name
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(tools.plugin)
    return link


def build(recipe: Recipe, tools: Tools, how: str, flags: str, more: dict[str, str]) -> Build:
    """In the same folder whichever way it is built, for names of files get into objects."""
    say(f"building {recipe.name} with {tools.llvm}, {how}")
    start = time.monotonic()
    folder = tools.llvm.target / "programs" / recipe.name.partition(" ")[0]
    recipe.source.unpack(folder)
    with pathlib.Path(f"{folder}-{how}.log").open("w") as log:
        place = Place(folder, environment(tools, flags, more), log)
        compilations = recipe.build(place)
        if not compilations:
            raise Failure(f"nothing was compiled; see {log.name}")
        made, found = objects(folder), weights(compilations, place.environment)
        say(f"running the tests of {recipe.name}, {how}")
        tests = recipe.test(place)
        for name in [name for name, passed in tests.items() if not passed]:
            tests[name] = any(recipe.passes(place, name) for _ in range(CHANCES))
    return Build(tests, made, found, time.monotonic() - start)


def environment(tools: Tools, flags: str, more: dict[str, str]) -> dict[str, str]:
    compilers = {"CC": str(tools.llvm.tool("clang")), "CXX": str(tools.llvm.tool("clang++"))}
    return {**os.environ, **compilers, "CFLAGS": flags, "CXXFLAGS": flags, "LC_ALL": "C.UTF-8", **more}
