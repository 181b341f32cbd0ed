"""The steps of scripts/test."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence

from . import environment
from . import llvm as llvms
from .corpus import Amounts, Corpus
from .llvm import Llvm
from .paths import ROOT, SCRIPTS, TARGET
from .steps import Step
from .tools import Tools

Check = Callable[[], bool]

ANNOTATIONS = ("annotate", "annotated", "overwritten")

#: The crates that do not depend on LLVM.
WITHOUT_LLVM = ("--workspace", "--exclude", "bpa", "--exclude", "bpa-plugin")
WITH_LLVM = ("--package", "bpa", "--package", "bpa-plugin")
#: All cargo commands select the same crates, because the selection changes the features of dependencies. With other
#: features, cargo would build the dependencies and the command `bpa` again.
BUILD_WITHOUT_LLVM = ("build", "--quiet", *WITHOUT_LLVM, "--bins", "--tests")
#: The command `bpa` of the tests.
COMMAND = TARGET / "debug" / "bpa"


def command(*words: str, **variables: str) -> Check:
    """Returns a check that runs a program with additional environment variables."""
    return lambda: subprocess.run(words, env={**os.environ, **variables}).returncode == 0


def cargo(*words: str, **variables: str) -> Check:
    """Returns a check that runs cargo on crates that do not depend on LLVM. All LLVM versions use the same build."""
    subcommand = 2 if words[0] == "nextest" else 1
    common = ("--manifest-path", str(ROOT / "Cargo.toml"), "--target-dir", str(TARGET))
    return command("cargo", *words[:subcommand], *common, *words[subcommand:], **variables)


def dev(*words: str) -> Check:
    return command(str(SCRIPTS / "dev"), *words)


def lab(*words: str) -> Check:
    return command(str(ROOT / "lab" / "run"), *words)


def both(*checks: Check) -> Check:
    """Returns a check that runs `checks` in order until one fails."""
    return lambda: all(check() for check in checks)


# ---- source code ---------------------------------------------------------------------------------------------------


def source_checks(tools: Tools) -> Iterator[Step]:
    formats = command("cargo", "fmt", "--manifest-path", str(ROOT / "Cargo.toml"), "--all", "--check")
    yield Step("checking the format of the source", formats)
    clippy = ("--all-targets", "--", "-D", "warnings")
    yield Step("running clippy", cargo("clippy", *WITHOUT_LLVM, *clippy))
    yield Step("running clippy on the plugin", with_llvm(tools.llvm, "clippy", *WITH_LLVM, *clippy))
    # If nextest is installed, it runs the tests of all crates in parallel.
    has_nextest = shutil.which("cargo-nextest") is not None
    test = (*(("nextest", "run") if has_nextest else ("test",)), "--no-fail-fast")
    yield Step("running the Rust tests", cargo(*test, *WITHOUT_LLVM, "--lib", "--bins"))
    yield Step("running the tests of the plugin", with_llvm(tools.llvm, *test, *WITH_LLVM, "--tests"))
    variables = {"BPA_LLVM": str(tools.llvm.version), "BPA_PLUGIN": str(tools.plugin)}
    yield Step("running the tests of the command", cargo(*test, *WITHOUT_LLVM, "--test", "*", **variables))
    yield Step("checking the Python code: lints, format, types, tests", dev("check-scripts"))


def with_llvm(llvm: Llvm, *words: str, **variables: str) -> Check:
    """Returns a check that runs cargo with the features of an LLVM version."""

    def check() -> bool:
        llvm.cargo(*words, environment=variables)
        return True

    return check


def all_source_checks(tools: Tools) -> Iterator[Step]:
    """Yields the steps of `source_checks` and the steps that only --full runs."""
    yield from source_checks(tools)
    llvm = tools.llvm

    yield Step("running the examples in the documentation", with_llvm(llvm, "test", "--workspace", "--doc"))
    documentation = with_llvm(llvm, "doc", "--workspace", "--no-deps", RUSTDOCFLAGS="-D warnings")
    yield Step("building the documentation without warnings", documentation)
    yield Step("checking docs/src/internals/llvm-map.md against the code", dev("llvm-map", "--check"))
    yield Step("checking links, file names and size of the book", dev("book"))
    yield Step("checking that lab/run model reproduces bpa.model", lab("model", "--check"))
    if llvm.is_default:
        yield Step("running the FileCheck tests with sanitizers", dev("sanitize", "--llvm", str(llvm.version)))
        yield Step("running Miri on the crates without unsafe code", dev("sanitize", "--miri"))


# ---- comparisons ---------------------------------------------------------------------------------------------------


class Comparisons:
    """Creates steps that run commands of scripts/dev. All these commands use the plugin `tools.plugin`."""

    def __init__(self, tools: Tools) -> None:
        self.llvm = tools.llvm
        self._common = ("--llvm", str(tools.llvm.version), "--plugin", str(tools.plugin))

    def dev(self, name: str, *words: str) -> Check:
        return dev(name, *self._common, *words)

    def on(self, name: str, words: Sequence[str], corpus: str, amounts: Amounts | None = None) -> Check:
        """Returns a check that runs a command on a corpus. The check makes the corpus if necessary."""
        return lambda: self.dev(name, *words, str(Corpus(self.llvm, amounts).make(corpus)))()

    def lit(self) -> Step:
        def with_duckdb() -> bool:
            environment.installed("duckdb")
            return self.dev("lit", "--no-build")()

        return Step("running the FileCheck tests", with_duckdb)

    def parity(self, what: str, corpus: str, amounts: Amounts | None = None) -> Step:
        return Step(f"comparing printed numbers with LLVM on {what}", self.on("parity", (), corpus, amounts))

    def reports(self, what: str, corpus: str, amounts: Amounts | None = None) -> Step:
        return Step(f"comparing text, JSON, remarks and pictures on {what}", self.on("reports", (), corpus, amounts))

    def annotation(self, what: str, corpus: str, amounts: Amounts | None = None) -> Step:
        checks = [self.on("parity", ("--analysis", how), corpus, amounts) for how in ANNOTATIONS]
        return Step(f"comparing numbers after annotation with LLVM on {what}", both(*checks))

    def analyses(self, what: str, corpus: str, amounts: Amounts | None = None, levels: Sequence[str] = ("O2",)) -> Step:
        """Compares the code that LLVM generates with `rust-analyses` and without it."""
        pipelines = [("--use-lists", f"rust-analyses,default<{level}>", f"default<{level}>") for level in levels]
        checks = [self.on("transform-parity", words, corpus, amounts) for words in pipelines]
        return Step(f"comparing code with rust-analyses with LLVM's code on {what}", both(*checks))

    def page(self) -> Step:
        return Step("checking the pages of bpa report in a browser", self.dev("check-page"))

    def malformed(self) -> Step:
        """LLVM rejects some malformed weights and crashes on others. The passes of bpa must never crash."""
        folder = str(self.llvm.corpus / "malformed")
        options = ("--functions", "1000", "--per-module", "5", "--seed", "1", "--malformed")
        unverified = ("--disable-verify", "--allow-llvm-crash", folder, "--analysis")
        checks = both(
            dev("generate", "--llvm", str(self.llvm.version), "--out", folder, *options),
            self.dev("parity", "--allow-rejected", "--allow-llvm-crash", folder),
            self.dev("parity", *unverified, "both"),
            self.dev("parity", *unverified, "annotated"),
        )
        return Step("comparing bpa's output with LLVM's output for malformed weights", checks)

    def like(self, other: Llvm) -> Step:
        """Compares the results of `like=N` with the results of LLVM N, on files that both LLVM versions can read."""

        def check() -> bool:
            older = min(other, self.llvm, key=lambda llvm: llvm.version)
            corpus = Corpus(older, Amounts(functions=200))
            files = [str(corpus.make(name)) for name in ("cxx-O2", "generated")]
            # The verifier of a later LLVM version can reject IR that an earlier version accepts.
            return self.dev("parity", "--like", str(other.version), "--disable-verify", *files)()

        return Step(f"comparing like={other.version} with {other}", check)


def like_others(on: Comparisons) -> Iterator[Step]:
    """Yields comparisons with the other installed LLVM versions that have clang."""
    for version in llvms.supported():
        if version != on.llvm.version and llvms.usable(version):
            other = llvms.choose(str(version))
            if other.find_tool("clang"):
                yield on.like(other)


def main_comparisons(on: Comparisons) -> Iterator[Step]:
    """Yields the most important comparisons, on small inputs."""
    for program in ("sqlite-O2", "cxx-O2"):
        yield on.parity(program, program)
    yield on.parity("2000 generated functions", "generated", Amounts(functions=2000))
    yield on.parity("100 llvm-stress modules", "stress", Amounts(count=100))
    few = Amounts(functions=500)
    yield on.annotation("cxx-O2", "cxx-O2")
    yield on.reports("500 generated functions", "generated", few)
    yield on.analyses("200 generated functions", "generated", Amounts(functions=200))
    yield on.analyses("cxx-O2", "cxx-O2")
    yield on.page()


def all_comparisons(on: Comparisons) -> Iterator[Step]:
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
    levels = ("O1", "O2", "O3", "Os", "Oz")
    for program in ("sqlite-O2", "sqlite-profile", "cxx-O2"):
        yield on.analyses(program, program, levels=levels)
    pipelines = ("--pipelines", "--modules", "200", "--seed", "1")
    yield Step("running 200 random pipelines with rust-analyses", on.dev("fuzz", *pipelines))
    yield Step("fuzzing 15 modules against LLVM", on.dev("fuzz", "--modules", "15", "--seed", "1"))
    yield Step("building SQLite with the plugin in clang and lld", on.dev("builds"))
