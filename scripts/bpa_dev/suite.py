"""The steps of scripts/test, in their order."""

import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence

from . import environment
from . import llvm as llvms
from .corpus import Amounts, Corpus
from .llvm import Llvm
from .messages import Failure, error
from .paths import ROOT, SCRIPTS, TARGET
from .steps import Step
from .tools import Tools

Check = Callable[[], bool]

FUZZ_TARGETS = str(ROOT / "fuzz" / "Cargo.toml")
LOWER_EXPECT = ("rust-lower-expect", "lower-expect")
ANNOTATIONS = ("annotate", "annotated", "overwritten")


def command(*words: str) -> Check:
    """Runs a program, which prints its own errors."""
    return lambda: subprocess.run(words).returncode == 0


def dev(*words: str) -> Check:
    return command(str(SCRIPTS / "dev"), *words)


def lab(*words: str) -> Check:
    return command(str(ROOT / "lab" / "run"), *words)


def both(*checks: Check) -> Check:
    """One after the other, up to the first that fails."""
    return lambda: all(check() for check in checks)


# ---- the source ----------------------------------------------------------------------------------------------------


def source_checks(llvm: Llvm) -> Iterator[Step]:
    def cargo(*words: str, **environment: str) -> Check:
        def check() -> bool:
            llvm.cargo(*words, environment=environment)
            return True

        return check

    version = str(llvm.version)
    manifests = [str(ROOT / "Cargo.toml"), FUZZ_TARGETS]
    formats = [command("cargo", "fmt", "--manifest-path", manifest, "--all", "--check") for manifest in manifests]
    yield Step("checking the format of the source", both(*formats))
    clippy = cargo("clippy", "--workspace", "--all-targets", "--", "-D", "warnings")
    yield Step("running clippy", clippy)
    # The tests of the command use the plugin of this version.
    # nextest runs the tests of all crates side by side, where it is installed.
    has_nextest = shutil.which("cargo-nextest") is not None
    run_tests = ("nextest", "run") if has_nextest else ("test",)
    tests = cargo(*run_tests, "--workspace", "--no-fail-fast", BPA_LLVM=version, BPA_TEST_REQUIRED="1")
    yield Step("running the unit and property tests, and those of the command bpa", tests)
    yield Step("scripts: types, lints and tests", dev("check-scripts"))


def all_source_checks(llvm: Llvm) -> Iterator[Step]:
    """The same, and steps that only --full runs."""
    yield from source_checks(llvm)

    def documentation() -> bool:
        llvm.cargo("doc", "--workspace", "--no-deps", environment={"RUSTDOCFLAGS": "-D warnings"})
        return True

    yield Step("building the documentation, warnings are errors", documentation)
    yield Step("comparing docs/src/internals/llvm-map.md with the code", dev("llvm-map", "--check"))
    yield Step("checking the links, the names of files and the size of the book", dev("book"))
    yield Step("fitting crates/profile/predictors/calibrated.toml again", lab("calibrate", "--check"))
    yield Step("learning crates/model/predictors/bpa.model again", lab("model", "--check"))
    if llvm.is_default:
        target = str(TARGET / "fuzz-targets")
        clippy = ("cargo", "clippy", "--manifest-path", FUZZ_TARGETS, "--target-dir", target, "--locked")
        yield Step("running clippy on the fuzz targets", command(*clippy, "--", "-D", "warnings"))


# ---- comparisons ---------------------------------------------------------------------------------------------------


class Comparisons:
    """Makes steps that run commands of scripts/dev on corpora, all with the same plugin."""

    def __init__(self, tools: Tools) -> None:
        self.llvm = tools.llvm
        self._common = ("--llvm", str(tools.llvm.version), "--plugin", str(tools.plugin))

    def dev(self, name: str, *words: str) -> Check:
        return dev(name, *self._common, *words)

    def on(self, name: str, words: Sequence[str], corpus: str, amounts: Amounts | None = None) -> Check:
        """Runs a command on a corpus, which is made if need be."""
        return lambda: self.dev(name, *words, str(Corpus(self.llvm, amounts).make(corpus)))()

    def lit(self) -> Step:
        def with_duckdb() -> bool:
            try:
                environment.installed("duckdb")
            except Failure as failure:
                error(f"no duckdb, so tests that need it are skipped: {failure}")
            return self.dev("lit", "--no-build")()

        return Step("running the FileCheck tests", with_duckdb)

    def parity(self, what: str, corpus: str, amounts: Amounts | None = None) -> Step:
        return Step(f"comparing with LLVM's printers on {what}", self.on("parity", (), corpus, amounts))

    def reports(self, what: str, corpus: str, amounts: Amounts | None = None) -> Step:
        return Step(f"comparing the forms of reports on {what}", self.on("reports", (), corpus, amounts))

    def annotation(self, what: str, corpus: str, amounts: Amounts | None = None) -> Step:
        """LLVM reads our annotations as we do."""
        checks = [self.on("parity", ("--analysis", how), corpus, amounts) for how in ANNOTATIONS]
        return Step(f"reading annotations of {what} back with LLVM", both(*checks))

    def lowering(self, what: str, corpus: str, amounts: Amounts | None = None) -> Step:
        """Our `lower-expect` and LLVM's."""
        return Step(f"comparing with LLVM's lower-expect on {what}",
                    self.on("transform-parity", LOWER_EXPECT, corpus, amounts))  # fmt: skip

    def page(self) -> Step:
        """The other tests of the command are in crates/cli/tests."""
        return Step("opening pages of the command bpa in a browser", self.dev("check-page"))

    def malformed(self) -> Step:
        """LLVM's results where LLVM has some, and no crash. Some forms are rejected, and LLVM crashes on others."""
        folder = str(self.llvm.corpus / "malformed")
        options = ("--functions", "1000", "--per-module", "5", "--seed", "1", "--malformed")
        unverified = ("--disable-verify", "--allow-llvm-crash", folder, "--analysis")
        checks = both(
            dev("generate", "--llvm", str(self.llvm.version), "--out", folder, *options),
            self.dev("parity", "--allow-rejected", "--allow-llvm-crash", folder),
            self.dev("parity", *unverified, "both"),
            self.dev("parity", *unverified, "annotated"),
        )
        return Step("comparing with LLVM's printers on malformed weights", checks)

    def like(self, other: Llvm) -> Step:
        """Our results with `like=`, and those of the other LLVM, on files of the older of the two."""

        def check() -> bool:
            older = min(other, self.llvm, key=lambda llvm: llvm.version)
            corpus = Corpus(older, Amounts(functions=200))
            files = [str(corpus.make(name)) for name in ("cxx-O2", "generated")]
            # A later version may reject what an earlier one accepts.
            return self.dev("parity", "--like", str(other.version), "--disable-verify", *files)()

        return Step(f"comparing like={other.version} with {other}", check)


def like_others(on: Comparisons) -> Iterator[Step]:
    """With the other versions that this machine has with clang."""
    for version in llvms.supported():
        if version != on.llvm.version and llvms.usable(version):
            other = llvms.choose(str(version))
            if other.find_tool("clang"):
                yield on.like(other)


def main_comparisons(on: Comparisons) -> Iterator[Step]:
    """The main promises, on little input."""
    for program in ("sqlite-O2", "cxx-O2"):
        yield on.parity(program, program)
    yield on.parity("2000 generated functions", "generated", Amounts(functions=2000))
    yield on.parity("100 llvm-stress modules", "stress", Amounts(count=100))
    few = Amounts(functions=500)
    yield on.annotation("cxx-O2", "cxx-O2")
    yield on.reports("500 generated functions", "generated", few)
    yield on.lowering("500 generated functions", "generated", Amounts(functions=500, profile="expect"))
    # The patches and pages of the command do not depend on the version of LLVM.
    if on.llvm.is_default:
        yield on.page()


def all_comparisons(on: Comparisons) -> Iterator[Step]:
    """All of them."""
    some = Amounts(functions=2000, seed=2)

    if on.llvm.is_default:
        yield Step("running the commands of the book", on.dev("pages"))
    yield on.page()
    for level in ("O0", "O1", "O2", "O3", "Os"):
        yield on.parity(f"SQLite -{level}", f"sqlite-{level}")
    for level in ("O0", "O2"):
        yield on.parity(f"a C++ program -{level}", f"cxx-{level}")
    yield on.parity("SQLite with a profile", "sqlite-profile")
    yield on.parity("400 llvm-stress modules", "stress", Amounts(count=400))
    for profile, functions in {"general": 8000, "irreducible": 2000, "folding": 5000}.items():
        what = f"{functions} generated functions ({profile})"
        yield on.parity(what, "generated", Amounts(functions=functions, profile=profile))
    for program in ("sqlite-O2", "cxx-O2", "sqlite-profile"):
        yield on.reports(program, program)
    yield on.reports("generated functions", "generated", some)
    yield on.malformed()
    for program in ("sqlite-O2", "cxx-O2"):
        yield on.annotation(program, program)
    yield on.annotation("generated functions", "generated", some)
    yield on.lowering("programs with hints", "expect")
    yield on.lowering("5000 generated functions", "generated", Amounts(functions=5000, profile="expect"))
    yield Step("comparing with LLVM on 15 modules that fuzzing changes", on.dev("fuzz", "--draws", "15", "--seed", "1"))
    yield Step("building SQLite with the plugin in clang and lld", on.dev("builds"))
