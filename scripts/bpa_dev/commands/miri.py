"""Runs the core's tests in Miri, which finds undefined behaviour, also in the crates that the core uses.

It takes a nightly toolchain with Miri (`rustup +nightly component add miri rust-src`). The core forbids `unsafe` to
itself; what is looked at is how it uses others' unsafe code. Property tests run few cases, as everything is some
hundred times slower.
"""

import argparse
import os
import subprocess

from ..messages import Failure
from ..paths import CORE_PACKAGES, ROOT, TARGET

#: Tests that read files find them, and a clock that does not stand still is none of the core's business.
FLAGS = "-Zmiri-disable-isolation"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cases", type=int, default=2, metavar="K", help="of each property test (default: 2)")
    parser.add_argument("for_tests", nargs="*", metavar="FILTER", help="names of tests; behind `--`, more options")


def run(arguments: argparse.Namespace) -> int:
    if subprocess.run(["cargo", "+nightly", "miri", "--version"], stdout=subprocess.DEVNULL).returncode != 0:
        raise Failure("no Miri found: rustup toolchain install nightly --component miri,rust-src")
    command = [
        "cargo",
        "+nightly",
        "miri",
        "test",
        "--manifest-path",
        str(ROOT / "Cargo.toml"),
        *(f"-p={name}" for name in CORE_PACKAGES),
    ]
    command += ["--target-dir", str(TARGET / "miri"), "--lib", "--tests", "--", *arguments.for_tests]
    environment = {**os.environ, "MIRIFLAGS": FLAGS, "PROPTEST_CASES": str(arguments.cases)}
    return subprocess.run(command, env=environment).returncode
