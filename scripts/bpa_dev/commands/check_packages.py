"""Installs the packages of scripts/package in a new Debian 12 file system without Rust, and runs `bpa` and `opt` there.

debootstrap makes the file system in the folder of --roots. debootstrap needs a mirror, and must run as the user root.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import time

from .. import shell
from ..messages import Failure, announce
from ..paths import ROOT, SCRIPTS, TARGET
from ..roots import make_root

RELEASE = "bookworm"
SECURITY = os.environ.get("BPA_DEBIAN_SECURITY_MIRROR") or "http://deb.debian.org/debian-security"

# The mounts are in a separate namespace and therefore end with the process.
ENTER = """
root=$1
shift
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
exec chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive bash -euc "$@"
"""

INSTALL = """
cd /packages
apt-get -qq update
apt-get -qq install -y --no-install-recommends ./*.deb "$@" >/dev/null
! command -v cargo
"""

#: The commands that a user tries after the installation.
TRY = """
cd /packages
bpa doctor | tail -1
bpa explain --llvm "$1" table.c | grep -A1 'find\\|branch: 5.9%' | head -4
clang-"$1" -O2 -emit-llvm -c table.c -o table.bc
opt-"$1" -load-pass-plugin=libbpa.so -passes=rust-bpi -disable-output table.bc 2>&1 | head -3
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--llvm", action="append", metavar="N", help="LLVM versions to test (default: 16 and 22)")
    parser.add_argument("--packages", type=pathlib.Path, metavar="DIR", help="folder of packages (default: build them)")
    parser.add_argument("--roots", type=pathlib.Path, default=TARGET / "roots", metavar="DIR", help="folder for roots")


def run(arguments: argparse.Namespace) -> int:
    versions = arguments.llvm or ["16", "22"]
    packages = [str(path) for path in arguments.packages.glob("*.deb")] if arguments.packages else make(versions)
    base, root = arguments.roots / RELEASE, arguments.roots / "packages"
    if not make_root(RELEASE, base):
        raise Failure(f"cannot make a root of {RELEASE}")
    try:
        copy(base, root, packages)
        install(root, versions)
        for version in versions:
            attempt(root, version)
    finally:
        subprocess.run(["rm", "-rf", "--one-file-system", str(root)], check=False)
    return 0


def make(versions: list[str]) -> list[str]:
    options = [word for version in versions for word in ("--llvm", version)]
    made = subprocess.run([SCRIPTS / "package", *options], stdout=subprocess.PIPE, text=True)
    if made.returncode != 0:
        raise Failure("scripts/package failed")
    return made.stdout.split()


def copy(base: pathlib.Path, root: pathlib.Path, packages: list[str]) -> None:
    subprocess.run(["cp", "-a", "--reflink=auto", str(base), str(root)], check=True)
    # LLVM 22 is in the security updates of Debian 12. A new root file system has no apt source for these updates.
    (root / "etc/apt/sources.list.d/security.list").write_text(f"deb {SECURITY} {RELEASE}-security main\n")
    (root / "packages").mkdir()
    for path in [*packages, str(ROOT / "docs/src/guide/table.c")]:
        shutil.copy(path, root / "packages")


def install(root: pathlib.Path, versions: list[str]) -> None:
    announce("installing the packages")
    start = time.monotonic()
    print(inside(root, INSTALL, *(f"clang-{version}" for version in versions)), end="")
    print(f"installed with LLVM and clang {' and '.join(versions)} in {time.monotonic() - start:.0f} s")


def attempt(root: pathlib.Path, version: str) -> None:
    start = time.monotonic()
    printed = inside(root, TRY, version)
    print(printed, end="")
    for part in ("ready: ", "branch: 5.9% to line 8, 94.1% to line 9", "Printing analysis", "edge "):
        if part not in printed:
            raise Failure(f"LLVM {version}: the output of the commands has no {part!r}")
    print(f"LLVM {version}: bpa explain and opt -load-pass-plugin=libbpa.so take {time.monotonic() - start:.1f} s")


def inside(root: pathlib.Path, script: str, *words: str) -> str:
    """Runs a script in the root file system, and returns the output of the script."""
    command = ["unshare", "--mount", "bash", "-euc", ENTER, "packages", str(root), script, "packages", *words]
    done = shell.run_function("as_root", *command)
    if done.returncode != 0:
        raise Failure(f"a script failed in {root}; it begins with: {script.strip().splitlines()[0]}")
    return done.stdout
