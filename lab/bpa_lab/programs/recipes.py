"""How programs are built and tested, each as its own documentation says: one a build system."""

import json
import os
import pathlib
import re
from collections.abc import Callable
from typing import Protocol

from . import make
from .make import Compilation
from .place import Place
from .sources import Source

#: By name, whether a test has passed.
Tests = dict[str, bool]

JOBS = str(os.cpu_count() or 1)
DATABASE = "build/compile_commands.json"
#: Debian's package, and a command of lib.sh that succeeds where it is installed.
Need = tuple[str, str]


class Recipe(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def built_by(self) -> str: ...
    @property
    def source(self) -> Source: ...
    @property
    def needs(self) -> tuple[Need, ...]: ...
    #: What the plugin is called in CFLAGS.
    @property
    def plugin_name(self) -> str: ...

    def build(self, place: Place) -> list[Compilation]:
        """Builds it; what was compiled."""
        ...

    def test(self, place: Place) -> Tests: ...

    def passes(self, place: Place, test: str) -> bool:
        """One test alone."""
        ...


class Gawk:
    """Its Makefile gives CFLAGS to the compiler twice."""

    name = "gawk 5.2.1"
    built_by = "configure, make"
    source = Source("g/gawk/gawk_5.2.1.orig.tar.xz", "2337a0283b180ec1b9c727973a34781c6478b3ae9bcbdcca0a4dc49861d75a65")
    plugin_name = "libbpa.so"
    needs = (
        ("make", "command -v make"),
        ("xz-utils", "command -v xz"),
        ("locales", "test -e /usr/share/i18n/locales/fr_FR"),
    )
    #: Its tests of character sets want all of these.
    LOCALES = (
        *((f"{name}.UTF-8", name, "UTF-8") for name in ("en_US", "fr_FR", "ja_JP", "ru_RU", "el_GR")),
        ("el_GR.iso88597", "el_GR", "ISO-8859-7"),
    )
    MAKE = ("make", "-w", "V=1")
    #: Not all: Debian's archive has no manual, which `make all` wants.
    PARTS = (("-C", "support", "all"), ("all-am",), ("-C", "extension", "all"))
    TEST_NAME = re.compile(r"^[a-z][\w-]*$", re.MULTILINE)

    def build(self, place: Place) -> list[Compilation]:
        place.run("./configure")
        said = "".join(place.run(*self.MAKE, f"-j{JOBS}", "-O", *part) for part in self.PARTS)
        return list(make.compilations(said, place.environment["CC"]))

    def test(self, place: Place) -> Tests:
        for name, language, characters in self.LOCALES:
            place.attempt("localedef", "-i", language, "-f", characters, str(locales(place) / name))
        _, said = self.attempt(place, "-k", "check")
        _, _, listed = said.partition("==== Starting basic tests ====")
        failed = self.failed(place)
        return {name: name not in failed for name in self.TEST_NAME.findall(listed)}

    def passes(self, place: Place, test: str) -> bool:
        self.attempt(place, test)
        return test not in self.failed(place)

    def attempt(self, place: Place, *words: str) -> tuple[int, str]:
        return place.attempt("env", f"LOCPATH={locales(place)}", *self.MAKE, "-C", "test", *words)

    def failed(self, place: Place) -> set[str]:
        """Those that leave what they have printed."""
        return {path.name.removeprefix("_") for path in (place.folder / "test").glob("_*")}


def locales(place: Place) -> pathlib.Path:
    folder = place.folder / "locales"
    folder.mkdir(exist_ok=True)
    return folder


class Cmark:
    name = "cmark 0.30.2"
    built_by = "CMake, make"
    source = Source(
        "c/cmark/cmark_0.30.2.orig.tar.gz", "6c7d2bcaea1433d977d8fed0b55b71c9d045a7cdf616e3cd2dce9007da753db3"
    )
    plugin_name = "libbpa.so"
    needs = (("make", "command -v make"), ("cmake", "command -v cmake"))
    RESULT = re.compile(r"^ *\d+/\d+ Test +#\d+: (\S+) \.+ *(Passed|\S+)", re.MULTILINE)

    def build(self, place: Place) -> list[Compilation]:
        place.run("cmake", "-S", ".", "-B", "build", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
        place.run("cmake", "--build", "build", f"-j{JOBS}")
        return database(place)

    def test(self, place: Place) -> Tests:
        return self.results(place)

    def passes(self, place: Place, test: str) -> bool:
        return self.results(place, "-R", f"^{re.escape(test)}$")[test]

    def results(self, place: Place, *words: str) -> Tests:
        _, said = place.attempt("ctest", "--test-dir", "build", *words)
        return {name: result == "Passed" for name, result in self.RESULT.findall(said)}


class Opus:
    name = "opus 1.5.2"
    built_by = "meson, ninja"
    source = Source("o/opus/opus_1.5.2.orig.tar.gz", "65c1d2f78b9f2fb20082c38cbe47c951ad5839345876e46941612ee87f9a7ce1")
    #: meson takes a flag that ends in `.so` for a library, and puts linker flags around it.
    plugin_name = "bpa-plugin"
    needs = (("meson", "command -v meson"), ("ninja-build", "command -v ninja"))
    #: For each of meson's own time limits, as machines are busy.
    TIMES = "20"

    def build(self, place: Place) -> list[Compilation]:
        place.run("meson", "setup", "build", "--buildtype=plain")
        place.run("ninja", "-C", "build", f"-j{JOBS}")
        return database(place)

    def test(self, place: Place) -> Tests:
        return self.results(place)

    def passes(self, place: Place, test: str) -> bool:
        return self.results(place, test)[test]

    def results(self, place: Place, *names: str) -> Tests:
        place.attempt("meson", "test", "-C", "build", "-t", self.TIMES, *names)
        lines = (place.folder / "build/meson-logs/testlog.json").read_text().splitlines()
        tests: Tests = {}
        for result in map(json.loads, lines):
            # Two tests may share a name.
            tests[result["name"]] = tests.get(result["name"], True) and result["result"] == "OK"
        return tests


def database(place: Place) -> list[Compilation]:
    compilations: list[Compilation] = json.loads((place.folder / DATABASE).read_text())
    return compilations


RECIPES: dict[str, Callable[[], Recipe]] = {"gawk": Gawk, "cmark": Cmark, "opus": Opus}
