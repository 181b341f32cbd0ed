# shellcheck shell=bash
# Where scripts get SQLite from. Source it after lib.sh; it does nothing by itself.

# The crate that carries the SQLite amalgamation; pinned, so that figures can be compared.
SQLITE_CRATE=libsqlite3-sys
SQLITE_CRATE_VERSION=0.30.1

# Some of its optional parts, for more code to look at.
# shellcheck disable=SC2034 # for those who source this
SQLITE_FLAGS=(-w -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_RTREE -DSQLITE_ENABLE_SESSION
  -DSQLITE_ENABLE_PREUPDATE_HOOK -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION)

# The folder with sqlite3.c, which cargo downloads on behalf of a project that is never built.
sqlite_source() {
  local project=$TARGET/corpus/sqlite-source
  mkdir -p "$project"
  if [[ ! -e $project/sqlite3.c ]]; then
    say "fetching SQLite (crate $SQLITE_CRATE $SQLITE_CRATE_VERSION)"
    require_cargo
    cat >"$project/Cargo.toml" <<END
[package]
name = "sqlite-source"
version = "0.0.0"
edition = "2021"
[lib]
path = "nothing.rs"
[dependencies]
$SQLITE_CRATE = "=$SQLITE_CRATE_VERSION"
# The project stands inside the repository's folder, but is no part of its workspace.
[workspace]
END
    touch "$project/nothing.rs"
    (cd "$project" && cargo metadata --format-version 1 --quiet >metadata.json) ||
      die "cargo could not fetch $SQLITE_CRATE $SQLITE_CRATE_VERSION"
    copy_amalgamation "$project"
  fi
  echo "$project"
}

copy_amalgamation() {
  local manifest
  manifest=$(python3 -c '
import json, sys
for package in json.load(open(sys.argv[1]))["packages"]:
    if package["name"] == sys.argv[2]:
        print(package["manifest_path"])' "$1/metadata.json" "$SQLITE_CRATE")
  cp "$(dirname "$manifest")"/sqlite3/sqlite3.h "$1/sqlite3.h"
  cp "$(dirname "$manifest")"/sqlite3/sqlite3.c "$1/sqlite3.c"
}
