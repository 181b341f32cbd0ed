"""Shows how many lines of the crates without LLVM their unit and property tests run (cargo-llvm-cov).

Lines of the tests themselves do not count. Reading the counts takes an llvm-cov and an llvm-profdata as new as the LLVM
inside the Rust compiler: those of `rustup component add llvm-tools`, of LLVM_COV and LLVM_PROFDATA, or of an LLVM that
is installed.
"""

import argparse
import collections
import os
import pathlib
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping

from ..messages import Failure
from ..paths import CORE_PACKAGES, ROOT, TARGET
from ..rust.lexer import tokens
from ..rust.modules import read_crate
from ..rust.syntax import without_tests

VERSION = "0.9.1"
INSTALL = f"cargo install cargo-llvm-cov --version {VERSION} --locked"
#: How often each line ran, by file.
Counts = dict[pathlib.Path, dict[int, int]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--uncovered", action="store_true", help="name every line that no test runs")


def run(arguments: argparse.Namespace) -> int:
    report = TARGET / "coverage.lcov"
    measure(report)
    counts = without_test_code(read_lcov(report.read_text().splitlines()))
    for row in table(counts, ROOT):
        print(row)
    if arguments.uncovered:
        for line in uncovered(counts):
            print(line)
    return 0


# ---- measuring -------------------------------------------------------------------------------


def measure(report: pathlib.Path) -> None:
    """Runs the tests."""
    if subprocess.run(["cargo", "llvm-cov", "--version"], capture_output=True).returncode != 0:
        raise Failure(f"there is no cargo-llvm-cov: {INSTALL}")
    environment = {**os.environ, **llvm_tools(), "CARGO_TARGET_DIR": str(TARGET)}
    command = [
        "cargo",
        "llvm-cov",
        "test",
        *(f"--package={name}" for name in CORE_PACKAGES),
        "--lib",
        "--lcov",
        "--output-path",
        str(report),
    ]
    manifest = ["--manifest-path", str(ROOT / "Cargo.toml")]
    if subprocess.run([*command, *manifest, "--", "--quiet"], env=environment).returncode != 0:
        raise Failure("the tests fail, or do not build")


def llvm_tools() -> dict[str, str]:
    """The variables by which cargo-llvm-cov finds tools that can read what the compiler writes; none if it has some."""
    beside = pathlib.Path(output("rustc", "--print", "target-libdir")).parent / "bin/llvm-cov"
    if "LLVM_COV" in os.environ or beside.exists():
        return {}
    needed = major("LLVM version: ", output("rustc", "-vV"))
    on_path = shutil.which("llvm-cov")
    installed = sorted(pathlib.Path("/usr/lib").glob("llvm-*/bin"), reverse=True)
    for folder in [*([pathlib.Path(on_path).parent] if on_path else []), *installed]:
        tool = folder / "llvm-cov"
        if tool.exists() and major("LLVM version ", output(str(tool), "--version")) >= needed:
            return {"LLVM_COV": str(tool), "LLVM_PROFDATA": str(folder / "llvm-profdata")}
    raise Failure(f"no llvm-cov of LLVM {needed} or newer: install llvm-{needed}, or rustup component add llvm-tools")


def output(*command: str) -> str:
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout.strip()


def major(before: str, text: str) -> int:
    found = re.search(rf"{before}(\d+)", text)
    return int(found[1]) if found else 0


# ---- lines -----------------------------------------------------------------------------------


def read_lcov(lines: Iterable[str]) -> Counts:
    counts: Counts = collections.defaultdict(dict)
    path = pathlib.Path()
    for line in lines:
        key, _, value = line.partition(":")
        if key == "SF":
            path = pathlib.Path(value)
        elif key == "DA":
            number, count = map(int, value.split(",")[:2])
            counts[path][number] = count
    return counts


def without_test_code(counts: Counts) -> Counts:
    """The lines of the core that are not only there for tests."""
    files = {path for folder in CORE_PACKAGES.values() for path in read_crate(folder).files}
    kept: Counts = {}
    for path in sorted(files & counts.keys()):
        code = {token.line for token in without_tests(list(tokens(path.read_text())))}
        kept[path] = {number: count for number, count in counts[path].items() if number in code}
    return kept


# ---- telling ---------------------------------------------------------------------------------


def table(counts: Mapping[pathlib.Path, Mapping[int, int]], folder: pathlib.Path) -> Iterator[str]:
    """A row a module, and one for all."""
    modules: dict[str, list[int]] = collections.defaultdict(list)
    for path, lines in counts.items():
        crate, _, inside = path.relative_to(folder).as_posix().partition("/src/")
        modules[f"{crate}/{inside.partition('/')[0]}"] += lines.values()
    yield f"{'module':24}{'lines':>8}{'run':>8}{'':>9}"
    everything = [count for lines in modules.values() for count in lines]
    for name, values in [*sorted(modules.items()), ("all", everything)]:
        run = sum(map(bool, values))
        share = f"{100 * run / len(values):.1f}%" if values else "-"
        yield f"{name:24}{len(values):8}{run:8}{share:>9}"


def uncovered(counts: Mapping[pathlib.Path, Mapping[int, int]]) -> Iterator[str]:
    for path, lines in counts.items():
        text = path.read_text().splitlines()
        for number, count in lines.items():
            if count == 0:
                yield f"{path.relative_to(ROOT)}:{number}: {text[number - 1].strip()}"
