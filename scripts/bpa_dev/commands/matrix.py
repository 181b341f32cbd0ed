"""Runs scripts/test for every supported LLVM version, and prints a table of the results.

If apt has packages of an LLVM version, the command installs the packages and runs the tests on this system. For each
other LLVM version, debootstrap creates a root file system of a Debian or Ubuntu release that has this version. This
repository and the Rust toolchain are mounted in the root file system, and chroot runs the tests there. Using chroot
needs root permissions.
BPA_DEBIAN_MIRROR and BPA_UBUNTU_MIRROR set mirrors. The exit status is 0 only if every version was tested and no test
failed.
"""

import argparse
import pathlib
import re
import subprocess
import time

from .. import llvm as llvms
from .. import roots, shell
from ..messages import Failure, announce
from ..paths import SCRIPTS, TARGET

CLEAN = re.compile(r"[1-9]\d* passed, 0 failed, \d+ skipped")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("versions", nargs="*", type=int, metavar="N", help="LLVM versions (default: all)")
    parser.add_argument("--full", action="store_true", help="run every comparison, at full size")
    parser.add_argument("--roots", type=pathlib.Path, default=TARGET / "roots", metavar="DIR", help="folder for roots")


def run(arguments: argparse.Namespace) -> int:
    supported = llvms.supported()
    for version in arguments.versions:
        if version not in supported:
            raise Failure(f"LLVM {version} is not supported; supported are {supported[0]} to {supported[-1]}")
    words = ["--full"] if arguments.full else []
    rows = []
    for version in arguments.versions or supported:
        announce(f"testing LLVM {version}")
        start = time.monotonic()
        result = outcome(version, words, arguments.roots)
        rows.append((version, result, (time.monotonic() - start) / 60))
    for version, result, minutes in rows:
        print(f"LLVM {version:<4}{result:<36}{minutes:6.1f} min")
    return 0 if all(CLEAN.fullmatch(result) for _, result, _ in rows) else 1


def outcome(version: int, words: list[str], folder: pathlib.Path) -> str:
    """Returns the last line that scripts/test prints, or a line that describes the error."""
    if not llvms.usable(version) and not shell.succeeds("apt_knows", f"llvm-{version}-dev"):
        return roots.run_tests(version, words, folder)
    command = [str(SCRIPTS / "test"), "--llvm", str(version), *words]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    return (done.stdout.splitlines() or ["no result"])[-1]
