"""SQLite, which most figures are of: its source and its compiler flags."""

import json
import pathlib
import shutil
import subprocess

from .messages import Failure, say
from .paths import TARGET

#: The crate that carries the SQLite amalgamation; pinned, so that figures can be compared.
CRATE = "libsqlite3-sys"
CRATE_VERSION = "0.30.1"

#: Some of its optional parts, for more code to look at.
FLAGS = (
    "-w",
    "-DSQLITE_ENABLE_FTS5",
    "-DSQLITE_ENABLE_RTREE",
    "-DSQLITE_ENABLE_SESSION",
    "-DSQLITE_ENABLE_PREUPDATE_HOOK",
    "-DSQLITE_THREADSAFE=0",
    "-DSQLITE_OMIT_LOAD_EXTENSION",
)

# It stands inside the repository's folder, but is no part of its workspace.
MANIFEST = f"""\
[package]
name = "sqlite-source"
version = "0.0.0"
edition = "2021"
[lib]
path = "nothing.rs"
[dependencies]
{CRATE} = "={CRATE_VERSION}"
[workspace]
"""


def source() -> pathlib.Path:
    """The folder with sqlite3.c, which cargo downloads on behalf of a project that is never built."""
    project = TARGET / "corpus" / "sqlite-source"
    if not (project / "sqlite3.c").exists():
        say(f"fetching SQLite (crate {CRATE} {CRATE_VERSION})")
        project.mkdir(parents=True, exist_ok=True)
        (project / "Cargo.toml").write_text(MANIFEST)
        (project / "nothing.rs").touch()
        copy_amalgamation(project)
    return project


def copy_amalgamation(project: pathlib.Path) -> None:
    command = ["cargo", "metadata", "--format-version", "1", "--quiet"]
    try:
        done = subprocess.run(command, cwd=project, stdout=subprocess.PIPE)
    except FileNotFoundError:
        raise Failure("no cargo found; install Rust (https://rustup.rs) first") from None
    if done.returncode != 0:
        raise Failure(f"cargo could not fetch {CRATE} {CRATE_VERSION}")
    packages = json.loads(done.stdout)["packages"]
    manifest = next(package["manifest_path"] for package in packages if package["name"] == CRATE)
    amalgamation = pathlib.Path(manifest).parent / "sqlite3"
    for name in ("sqlite3.h", "sqlite3.c"):  # the one that is asked for comes last
        shutil.copy(amalgamation / name, project / name)
