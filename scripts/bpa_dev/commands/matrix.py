"""Builds and tests against every supported LLVM that can be installed; ends in a table.

A version that this system has packages for is installed and tested here. For the others a small root of a Debian or
Ubuntu release that has them is made with debootstrap (one for all versions of that release), and tested in with chroot,
with this repository and this Rust toolchain mounted into it: that takes root. BPA_DEBIAN_MIRROR and BPA_UBUNTU_MIRROR
say where the packages come from.

Exits with 0 only if every version was compared and none differs.
"""

import argparse
import pathlib

from .. import llvm as llvms
from .. import shell
from ..messages import Failure
from ..paths import TARGET
from ..versions import here, roots
from ..versions.row import Row, Sizes, table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("versions", nargs="*", type=int, metavar="N", help="the LLVM versions (default: all)")
    parser.add_argument(
        "--roots",
        type=pathlib.Path,
        default=TARGET / "roots",
        metavar="DIR",
        help="where roots are made and kept (default: target/roots)",
    )
    parser.add_argument(
        "--functions",
        type=int,
        default=5000,
        metavar="K",
        help="generated functions of each profile to compare (default: 5000)",
    )
    parser.add_argument(
        "--stress", type=int, default=500, metavar="K", help="llvm-stress modules to compare (default: 500)"
    )
    # For itself: one row, on this system, as a line of text.
    parser.add_argument("--row", type=int, help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    sizes = Sizes(arguments.functions, arguments.stress)
    if arguments.row:
        print(here.row(arguments.row, sizes).as_line())
        return 0
    supported = llvms.supported()
    for version in arguments.versions:
        if version not in supported:
            raise Failure(f"LLVM {version} is not supported; supported are {supported[0]} to {supported[-1]}")
    rows = [make_row(version, sizes, arguments.roots) for version in arguments.versions or supported]
    for line in table(rows):
        print(line)
    return 0 if all(row.is_clean() for row in rows) else 1


def make_row(version: int, sizes: Sizes, folder: pathlib.Path) -> Row:
    if llvms.usable(version) or shell.holds("apt_knows", f"llvm-{version}-dev"):
        return here.install_and_row(version, sizes)
    return roots.row(version, sizes, folder)
