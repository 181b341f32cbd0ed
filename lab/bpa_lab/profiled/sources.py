"""Downloads source packages with apt, and crates from crates.io, at fixed versions. Checks their checksums, and unpacks
them."""

import hashlib
import pathlib
import shutil
import subprocess
import tarfile
import threading
import time

from bpa_dev.messages import Failure, announce
from bpa_dev.paths import TARGET
from bpa_dev.roots import DEBIAN

from .manifest import Program

CACHE = TARGET / "corpus" / "archives"
#: The Debian release of the source packages.
RELEASE = "bookworm"
CRATES = "https://static.crates.io/crates"
ATTEMPTS = 4
LOCK = threading.Lock()
#: Protects inputs.py. A thread that holds INPUTS_LOCK can also lock LOCK, because an input can require a download.
INPUTS_LOCK = threading.Lock()


def unpack(program: Program, folder: pathlib.Path) -> None:
    """Unpacks the original source of the program in a new folder."""
    archive = fetch(program)
    partial = folder.with_name(f"{folder.name}.partial")
    for old in (partial, folder):
        shutil.rmtree(old, ignore_errors=True)
    with tarfile.open(archive) as file:
        file.extractall(partial, filter="tar")
    inside = list(partial.iterdir())
    (inside[0] if len(inside) == 1 and inside[0].is_dir() else partial).rename(folder)
    shutil.rmtree(partial, ignore_errors=True)


def fetch(program: Program) -> pathlib.Path:
    """Downloads the archive unless it is in the cache, and returns its path."""
    file = CACHE / program.archive
    with LOCK:  # Two parallel runs of apt would use common files.
        for attempt in range(ATTEMPTS):
            if file.exists():
                break
            time.sleep(5 * attempt)  # A mirror may be temporarily incomplete, so the download is repeated.
            download(program)
    if not file.exists():
        raise Failure(f"cannot download {program.archive}")
    found = hashlib.sha256(file.read_bytes()).hexdigest()
    if found != program.sha256:
        file.unlink()
        raise Failure(f"{program.archive} has checksum {found}, expected {program.sha256}")
    return file


def download(program: Program) -> None:
    announce(f"fetching {program.archive}")
    CACHE.mkdir(parents=True, exist_ok=True)
    if program.language == "Rust":
        url = f"{CRATES}/{program.package}/{program.archive}"
        subprocess.run(["curl", "-sfL", "-o", program.archive, url], cwd=CACHE)
        return
    options = apt_options()
    wanted = ["source", "--download-only", "--tar-only", f"{program.package}={program.version}"]
    subprocess.run(["apt-get", "-qq", *options, *wanted], cwd=CACHE, stdout=subprocess.DEVNULL)


def apt_options() -> list[str]:
    """Returns options with which apt uses only the sources of RELEASE, not the configuration of this system."""
    folder = CACHE / "apt"
    lists, sources = folder / "lists", folder / "sources.list"
    # `fetch` checks the checksums, so apt need not check signatures.
    entry = f"deb-src [trusted=yes] {DEBIAN} {RELEASE} main\n"
    options = [
        f"-oDir::Etc::sourcelist={sources}",
        *("-oDir::Etc::sourceparts=/nonexistent", f"-oDir::State::lists={lists}"),
        *("-oDir::Cache::pkgcache=", "-oDir::Cache::srcpkgcache=", "-oAPT::Sandbox::User=root"),
    ]
    if not sources.exists():
        (lists / "partial").mkdir(parents=True, exist_ok=True)
        partial = sources.with_suffix(".partial.list")
        partial.write_text(entry)
        subprocess.run(
            ["apt-get", "-qq", f"-oDir::Etc::sourcelist={partial}", *options[1:], "update"],
            stdout=subprocess.DEVNULL,
            check=False,
        )
        partial.rename(sources)
    return options
