"""The source of SQLite and its compiler flags."""

import json
import pathlib
import shutil
import subprocess

from .messages import Failure, announce
from .paths import TARGET

#: The crate that contains the SQLite amalgamation. The version is fixed because measurements must stay comparable.
CRATE = "libsqlite3-sys"
CRATE_VERSION = "0.30.1"

#: Optional parts of SQLite are enabled to analyse more code.
FLAGS = (
    "-w",
    "-DSQLITE_ENABLE_FTS5",
    "-DSQLITE_ENABLE_RTREE",
    "-DSQLITE_ENABLE_SESSION",
    "-DSQLITE_ENABLE_PREUPDATE_HOOK",
    "-DSQLITE_THREADSAFE=0",
    "-DSQLITE_OMIT_LOAD_EXTENSION",
)

# The empty [workspace] keeps this project out of the repository's workspace.
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
    """Returns the folder of sqlite3.c. cargo downloads the crate as a dependency of a project that is never built."""
    project = TARGET / "corpus" / "sqlite-source"
    if not (project / "sqlite3.c").exists():
        announce(f"fetching SQLite (crate {CRATE} {CRATE_VERSION})")
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
    for name in ("sqlite3.h", "sqlite3.c"):  # sqlite3.c is last: if it exists, the copy is complete.
        shutil.copy(amalgamation / name, project / name)
