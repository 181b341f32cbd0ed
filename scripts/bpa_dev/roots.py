"""Root folders with a small Debian or Ubuntu, to test LLVM versions that this system does not have."""

import os
import pathlib
import subprocess
from collections.abc import Sequence

from . import shell
from .messages import announce
from .paths import ROOT

DEBIAN = os.environ.get("BPA_DEBIAN_MIRROR") or "http://deb.debian.org/debian"
UBUNTU = os.environ.get("BPA_UBUNTU_MIRROR") or "http://archive.ubuntu.com/ubuntu"
#: The Debian suite that contains unreleased LLVM versions. The packages of this suite are installed in a chroot with
#: Debian sid.
EXPERIMENTAL = "experimental"
#: For each LLVM version, the Debian or Ubuntu release that has its packages. EXPERIMENTAL has newer versions. Only
#: Ubuntu has LLVM 20.
RELEASES = {
    **dict.fromkeys((14, 15, 16), "bookworm"),
    **dict.fromkeys((17, 18, 19), "trixie"),
    20: "resolute",
    21: "forky",
    **dict.fromkeys((22, 23), "sid"),
}
DEBOOTSTRAP = pathlib.Path("/usr/share/debootstrap/scripts")

# The mounts are in a separate namespace and therefore end with the process.
ENTER = """
root=$1 repository=$2 cargo=$3 rustup=$4
shift 4
mkdir -p "$root/bpa" "$root/cargo" "$root/rustup"
mount --bind "$repository" "$root/bpa"
mount --bind "$cargo" "$root/cargo"
mount --bind "$rustup" "$root/rustup"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
cp /etc/resolv.conf "$root/etc/resolv.conf"
# The new root file system must trust the certificates that this system trusts, for example a proxy's certificate.
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
exec chroot "$root" env -i HOME=/root PATH=/cargo/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  CARGO_HOME=/cargo RUSTUP_HOME=/rustup CARGO_TARGET_DIR=/bpa-target bash -euc "$@"
"""
# A new root has no Python, so lib.sh installs the packages. A mirror can list packages that it does not have yet.
INSIDE = """
for pause in 20 60 ""; do
  if (source /bpa/scripts/lib.sh && needs_of_tests "$1" && ensure_packages); then break; fi
  [[ -n $pause ]] || exit 1
  sleep "$pause"
done
exec /bpa/scripts/test --llvm "$@"
"""


def run_tests(version: int, words: Sequence[str], folder: pathlib.Path) -> str:
    """Runs scripts/test in a small Debian or Ubuntu. Returns the last line of the output, or a line that describes the
    error."""
    release = RELEASES.get(version, EXPERIMENTAL)
    root = folder / release
    if not make_root(release, root):
        return f"cannot make a root of {release}"
    # Downloads the dependencies now, because cargo possibly has no network access inside the chroot.
    subprocess.run(["cargo", "fetch", "--quiet", "--manifest-path", ROOT / "Cargo.toml"])
    home = pathlib.Path.home()
    cargo, rustup = (os.environ.get(f"{name.upper()}_HOME") or str(home / f".{name}") for name in ("cargo", "rustup"))
    command = ["unshare", "--mount", "bash", "-euc", ENTER, "matrix", str(root), str(ROOT), cargo, rustup]
    done = shell.run_function("as_root", *command, INSIDE, "matrix", str(version), *words)
    return (done.stdout.splitlines() or [f"failed in {root}"])[-1]


def make_root(release: str, root: pathlib.Path) -> bool:
    """Installs the Linux release in `root`, unless this was done before. Returns false if debootstrap fails."""
    ready = root.with_suffix(".ready")
    if ready.exists():
        return True
    if not shell.succeeds("command", "-v", "debootstrap"):
        shell.run_function("apt_quietly", "install", "-y", "--no-install-recommends", "debootstrap")
    announce(f"making a root ({release}) in {root}")
    root.parent.mkdir(parents=True, exist_ok=True)
    is_ubuntu = release == "resolute"
    suite = "sid" if release == EXPERIMENTAL else release
    # An older debootstrap has no script for a newer release, but the script of another release works.
    script = suite if (DEBOOTSTRAP / suite).exists() else "gutsy" if is_ubuntu else "sid"
    components = "main,universe" if is_ubuntu else "main"
    options = ["--variant=minbase", f"--components={components}", "--include=ca-certificates"]
    place = [suite, str(root), UBUNTU if is_ubuntu else DEBIAN, str(DEBOOTSTRAP / script)]
    # The package lists of a mirror can be out of date.
    apt = ['Acquire::Check-Valid-Until "false";']
    more = ""
    if release == EXPERIMENTAL:
        # Packages of this suite can depend on other packages of this suite.
        apt.append(f'APT::Default-Release "{EXPERIMENTAL}";')
        more = f"deb {DEBIAN} {EXPERIMENTAL} main"
    finish = """
echo "$2" >"$1/etc/apt/apt.conf.d/mirror"
if [[ -n $3 ]]; then echo "$3" >"$1/etc/apt/sources.list.d/experimental.list"; fi
touch "$1.ready"
"""
    return shell.succeeds("as_root", "debootstrap", *options, *place) and shell.succeeds(
        "as_root", "bash", "-euc", finish, "matrix", str(root), "\n".join(apt), more
    )
