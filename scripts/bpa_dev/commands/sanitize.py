"""Runs the FileCheck tests and comparisons with AddressSanitizer and UndefinedBehaviorSanitizer, or runs Miri.

Clang checks the C++ code. If a nightly Rust toolchain is installed, AddressSanitizer also checks the Rust code. The
sanitizers replace the allocator of the process, so they also find an object that is freed twice, or freed in the wrong
way. Each report ends the process, so the test fails. With `--miri`, runs a selection of the unit tests of crates
that do not depend on LLVM in Miri.
"""

import argparse
import os
import subprocess

from .. import llvm as llvms
from .. import shell
from ..corpus import Amounts, Corpus
from ..messages import Failure
from ..paths import ROOT, SCRIPTS, TARGET
from ..steps import skip
from ..tools import add_llvm_option

FLAGS = "-fsanitize=address,undefined -fno-sanitize=vptr,function -fno-sanitize-recover=all -fno-omit-frame-pointer"
#: opt does not free all its memory. Its C++ library is not built with a sanitizer, so containers are not annotated.
OPTIONS = "detect_leaks=0:detect_container_overflow=0"
MIRI = ("bpa-cfg", "bpa-profile")
#: Parts of the names of tests. An interpreter needs minutes for other tests.
IN_MIRI = ("checked::", "bpi::probability", "counts::", "dominators::", "graph::", "loops::", "scaled::", "scc::")
SLOW_IN_MIRI = ("deep", "large", "linear", "match_their_definition")
#: Cargo separates the plugin from build scripts and macros only if it has an explicit target.
TRIPLE = f"{os.uname().machine}-unknown-linux-gnu"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_llvm_option(parser)
    parser.add_argument("--functions", type=int, default=300, help="number of generated functions (default: 300)")
    parser.add_argument("--miri", action="store_true", help="run Miri instead")
    parser.add_argument("for_lit", nargs="*", metavar="TEST", help="test files and folders (default: all)")


def run(arguments: argparse.Namespace) -> int:
    has_nightly = shell.succeeds("rustup", "run", "nightly", "cargo", "miri", "--version")
    if arguments.miri:
        if has_nightly:
            return run_miri()
        skip("Miri", "needs a nightly Rust toolchain with Miri")
        return 0
    llvm = llvms.choose(arguments.llvm)
    clang = str(llvm.tool("clang++"))
    amounts = Amounts(functions=arguments.functions)
    inputs = [str(Corpus(llvm, amounts).make(name)) for name in ("generated", "cxx-O2")]
    target = TARGET / "sanitized"
    built = target / "build"
    variables = {"CXX": clang, "CXXFLAGS": FLAGS, "CARGO_TARGET_DIR": str(built)}
    if has_nightly:
        variables |= {"RUSTUP_TOOLCHAIN": "nightly", "RUSTFLAGS": "-Zsanitizer=address"}
    else:
        skip("AddressSanitizer in Rust code", "needs a nightly Rust toolchain with Miri")
    what = ("--target", TRIPLE, "--package", "bpa", "--package", "bpa-plugin", "--lib", "--examples")
    llvm.cargo("build", "--quiet", *what, environment=variables)
    # The other commands find the plugin and the examples in the folder of an ordinary build.
    folder = target / f"llvm-{llvm.version}" / "debug"
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.unlink(missing_ok=True)
    if not (target / "python").is_symlink():
        (target / "python").symlink_to(TARGET / "python")
    folder.symlink_to(built / folder.parent.name / TRIPLE / "debug")
    tested = {"LD_PRELOAD": runtime(clang), "ASAN_OPTIONS": OPTIONS, "CARGO_TARGET_DIR": str(target)}
    tools = ("--llvm", str(llvm.version), "--plugin", str(folder / "libbpa.so"))

    def succeeds(*words: str) -> bool:
        return subprocess.run([str(SCRIPTS / "dev"), *words], env={**os.environ, **tested}).returncode == 0

    runs = [("lit", "--no-build", *tools, *arguments.for_lit), ("reports", *tools, *inputs)]
    runs += [("parity", *tools, *how, *inputs) for how in ((), ("--analysis", "annotated"))]
    runs.append(("transform-parity", *tools, "rust-analyses,default<O2>", "default<O2>", *inputs))
    failed = [words for words in runs if not succeeds(*words)]
    return 1 if failed else 0


def run_miri() -> int:
    command = ["rustup", "run", "nightly", "cargo", "miri", "test", "--manifest-path", str(ROOT / "Cargo.toml")]
    packages = [word for name in MIRI for word in ("--package", name)]
    slow = [word for name in SLOW_IN_MIRI for word in ("--skip", name)]
    variables = {
        "MIRIFLAGS": "-Zmiri-disable-isolation",
        "PROPTEST_CASES": "1",
        "CARGO_TARGET_DIR": str(TARGET / "miri"),
    }
    done = subprocess.run([*command, "--lib", *packages, "--", *IN_MIRI, *slow], env={**os.environ, **variables})
    return done.returncode


def runtime(clang: str) -> str:
    """The shared library of AddressSanitizer, which also contains UndefinedBehaviorSanitizer."""
    name = f"libclang_rt.asan-{os.uname().machine}.so"
    path = subprocess.run([clang, f"-print-file-name={name}"], stdout=subprocess.PIPE, text=True, check=True).stdout
    if not os.path.isabs(path.strip()):
        raise Failure(f"{clang} has no {name}: on Debian, install libclang-rt-N-dev")
    return path.strip()
