"""Installs the packages of scripts/package in a fresh root of Debian 12 without Rust, and runs `bpa` and `opt` there.

The root is made with debootstrap, under --roots; it takes root, a mirror, and some minutes.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import time

from .. import shell
from ..messages import Failure, say
from ..paths import ROOT, SCRIPTS, TARGET
from ..roots import make_root

RELEASE = "bookworm"
SECURITY = os.environ.get("BPA_DEBIAN_SECURITY_MIRROR") or "http://deb.debian.org/debian-security"

# Mounts are made in a namespace of their own, and so go with the process.
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

#: What whoever has installed them types first.
TRY = """
cd /packages
bpa doctor | tail -1
bpa explain --llvm "$1" table.c | grep -A1 'find\\|branch: 5.9%' | head -4
clang-"$1" -O2 -emit-llvm -c table.c -o table.bc
opt-"$1" -load-pass-plugin=libbpa.so -passes=rust-bpi -disable-output table.bc 2>&1 | head -3
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--llvm", action="append", metavar="N", help="versions to try (default: 16 and 22)")
    parser.add_argument("--packages", type=pathlib.Path, metavar="DIR", help="these (default: make them)")
    parser.add_argument("--roots", type=pathlib.Path, default=TARGET / "roots", metavar="DIR")


def run(arguments: argparse.Namespace) -> int:
    versions = arguments.llvm or ["16", "22"]
    packages = [str(path) for path in arguments.packages.glob("*.deb")] if arguments.packages else make(versions)
    base, root = arguments.roots / RELEASE, arguments.roots / "packages"
    if not make_root(RELEASE, base):
        raise Failure(f"no root of {RELEASE}")
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
        raise Failure("scripts/package fails")
    return made.stdout.split()


def copy(base: pathlib.Path, root: pathlib.Path, packages: list[str]) -> None:
    """A root that nothing was installed in."""
    subprocess.run(["cp", "-a", "--reflink=auto", str(base), str(root)], check=True)
    # Debian 12 has LLVM 22 among its security updates, as a system that was installed has, and a bare root has not.
    (root / "etc/apt/sources.list.d/security.list").write_text(f"deb {SECURITY} {RELEASE}-security main\n")
    (root / "packages").mkdir()
    for path in [*packages, str(ROOT / "docs/src/guide/table.c")]:
        shutil.copy(path, root / "packages")


def install(root: pathlib.Path, versions: list[str]) -> None:
    say("apt-get install")
    start = time.monotonic()
    print(inside(root, INSTALL, *(f"clang-{version}" for version in versions)), end="")
    print(f"installed with LLVM and clang {' and '.join(versions)} in {time.monotonic() - start:.0f} s")


def attempt(root: pathlib.Path, version: str) -> None:
    start = time.monotonic()
    printed = inside(root, TRY, version)
    print(printed, end="")
    for part in ("ready: ", "branch: 5.9% to line 8, 94.1% to line 9", "Printing analysis", "edge "):
        if part not in printed:
            raise Failure(f"LLVM {version}: no {part!r}")
    print(f"LLVM {version}: bpa explain and opt with a bare name answer, in {time.monotonic() - start:.1f} s together")


def inside(root: pathlib.Path, script: str, *words: str) -> str:
    """What the script prints that runs in the root."""
    command = ["unshare", "--mount", "bash", "-euc", ENTER, "packages", str(root), script, "packages", *words]
    done = shell.run_function("as_root", *command)
    if done.returncode != 0:
        raise Failure(f"failed in {root}: {script.strip().splitlines()[0]}")
    return done.stdout
