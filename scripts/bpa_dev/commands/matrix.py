"""Runs scripts/test against every supported LLVM that can be installed; ends in a table.

A version that this system has packages for is installed and tested here. For the others, a small root of a Debian or
Ubuntu release that has them is made with debootstrap (one for all versions of that release), and tested in with chroot,
with this repository and this Rust toolchain mounted into it: that takes root. BPA_DEBIAN_MIRROR and BPA_UBUNTU_MIRROR
name the mirrors. Exits with 0 only if every version was tested and nothing failed.
"""

import argparse
import pathlib
import re
import subprocess
import time

from .. import llvm as llvms
from .. import roots, shell
from ..messages import Failure, say
from ..paths import SCRIPTS, TARGET

CLEAN = re.compile(r"[1-9]\d* passed, 0 failed")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("versions", nargs="*", type=int, metavar="N", help="the LLVM versions (default: all)")
    parser.add_argument("--full", action="store_true", help="every comparison, at full size")
    parser.add_argument("--roots", type=pathlib.Path, default=TARGET / "roots", metavar="DIR", help="kept there")


def run(arguments: argparse.Namespace) -> int:
    supported = llvms.supported()
    for version in arguments.versions:
        if version not in supported:
            raise Failure(f"LLVM {version} is not supported; supported are {supported[0]} to {supported[-1]}")
    words = ["--full"] if arguments.full else []
    rows = []
    for version in arguments.versions or supported:
        say(f"testing LLVM {version}")
        start = time.monotonic()
        result = outcome(version, words, arguments.roots)
        rows.append((version, result, (time.monotonic() - start) / 60))
    for version, result, minutes in rows:
        print(f"LLVM {version:<4}{result:<24}{minutes:6.1f} min")
    return 0 if all(CLEAN.fullmatch(result) for _, result, _ in rows) else 1


def outcome(version: int, words: list[str], folder: pathlib.Path) -> str:
    """The last line of scripts/test, or what went wrong."""
    if not llvms.usable(version) and not shell.holds("apt_knows", f"llvm-{version}-dev"):
        return roots.run_tests(version, words, folder)
    command = [str(SCRIPTS / "test"), "--llvm", str(version), *words]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    return (done.stdout.splitlines() or ["no result"])[-1]
