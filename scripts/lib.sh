# shellcheck shell=bash
# Functions for the scripts in this folder.

# A failure inside $(...) ends the script.
shopt -s inherit_errexit

ROOT=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
TARGET=${CARGO_TARGET_DIR:-$ROOT/target}

# The Cargo features of the supported LLVM versions, oldest first.
mapfile -t SUPPORTED_FEATURES < <(sed -n 's/^\(llvm[0-9]*-[0-9]*\) = .*/\1/p' "$ROOT/Cargo.toml")
# The LLVM version of Cargo's default features. If a script finds no LLVM, it installs this version.
DEFAULT_LLVM=16

# ---- progress and errors ---------------------------------------------------------------------

if [[ -t 2 && -z ${NO_COLOR:-} ]]; then
  BOLD=$'\e[1m' GREEN=$'\e[32m' RED=$'\e[31m' PLAIN=$'\e[0m'
else
  BOLD='' GREEN='' RED='' PLAIN=''
fi

# Progress goes to stderr because other scripts read results from stdout.
announce() { printf '%s==>%s %s\n' "$BOLD" "$PLAIN" "$*" >&2; }
good() { printf '%s%s%s\n' "$GREEN" "$*" "$PLAIN" >&2; }
bad() { printf '%s%s%s\n' "$RED" "$*" "$PLAIN" >&2; }
die() {
  bad "$(basename "$0"): $*"
  exit 1
}

# Prints the help text of the script: the comment at the top of the script.
usage() { awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"; }

# ---- LLVM versions ---------------------------------------------------------------------------

supported_llvms() {
  local feature
  for feature in "${SUPPORTED_FEATURES[@]}"; do
    feature=${feature#llvm}
    echo "${feature%-*}"
  done
}

default_llvm() { echo "$DEFAULT_LLVM"; }

supported_range() { supported_llvms | sed -n '1h; $ { H; x; s/\n/ to /; p; }'; }

# llvm_feature N: prints the Cargo feature of LLVM N (16 -> llvm16-0).
llvm_feature() {
  local feature
  for feature in "${SUPPORTED_FEATURES[@]}"; do
    if [[ $feature == "llvm$1-"* ]]; then
      echo "$feature"
      return
    fi
  done
  die "LLVM $1 is not supported; supported are $(supported_range)"
}

# llvm_prefix_variable N: prints the environment variable in which llvm-sys expects the folder of LLVM N
# (16 -> LLVM_SYS_160_PREFIX).
llvm_prefix_variable() {
  local feature
  feature=$(llvm_feature "$1")
  feature=${feature#llvm}
  echo "LLVM_SYS_${feature/-/}_PREFIX"
}

# llvm_config N: prints the path of llvm-config of LLVM N; fails if LLVM N is not found.
llvm_config() {
  local version=$1 variable candidate
  variable=$(llvm_prefix_variable "$version")
  for candidate in "${!variable:-}/bin/llvm-config" "llvm-config-$version" \
    "/usr/lib/llvm-$version/bin/llvm-config" llvm-config; do
    candidate=$(command -v "$candidate") || continue
    if [[ $("$candidate" --version) == "$version".* ]]; then
      echo "$candidate"
      return
    fi
  done
  return 1
}

llvm_prefix() { "$(llvm_config "$1")" --prefix; }

# llvm_tool N NAME: prints the path of a tool of LLVM N, for example `llvm_tool 16 opt`; fails if the tool is not found.
llvm_tool() {
  local version=$1 name=$2 config bindir
  if config=$(llvm_config "$version"); then
    bindir=$("$config" --bindir)
    if [[ -x $bindir/$name ]]; then
      echo "$bindir/$name"
      return
    fi
  fi
  command -v "$name-$version"
}

# llvm_usable N: succeeds if LLVM N has `opt` and headers. In distributions, LLVM's headers are in a separate package.
llvm_usable() {
  local config
  config=$(llvm_config "$1") && [[ -e $("$config" --includedir)/llvm-c/Core.h ]] &&
    llvm_tool "$1" opt >/dev/null
}

# Prints the newest supported LLVM version on this machine; fails if no supported version is found.
newest_llvm() {
  local version newest=''
  for version in $(supported_llvms); do
    if llvm_usable "$version"; then newest=$version; fi
  done
  [[ -n $newest ]] && echo "$newest"
}

# choose_llvm [N]: prints N, by default the newest supported version on this machine. If the version is not installed,
# fails and prints the command that installs it.
choose_llvm() {
  local version=${1:-} wanted
  if [[ -z $version ]]; then
    newest_llvm && return
    version=$DEFAULT_LLVM wanted="LLVM ($(supported_range))"
  else
    llvm_feature "$version" >/dev/null
    llvm_usable "$version" && echo "$version" && return
    wanted="LLVM $version"
  fi
  die "no $wanted with headers and opt found: on Debian or Ubuntu apt-get install" \
    "llvm-$version-dev llvm-$version-tools, elsewhere set" \
    "$(llvm_prefix_variable "$version") to its folder"
}

# ---- cargo -----------------------------------------------------------------------------------

# cargo_llvm N SUBCOMMAND ARG...: runs cargo for LLVM N. Each LLVM version has a separate target directory, because a
# change of Cargo features would rebuild everything. `nextest run` is one SUBCOMMAND of two words.
cargo_llvm() {
  local version=$1 feature prefix subcommand=("$2") features=()
  shift 2
  if [[ ${subcommand[0]} == nextest ]]; then
    subcommand+=("$1")
    shift
  fi
  feature=$(llvm_feature "$version")
  prefix=$(llvm_prefix "$version")
  if [[ $version != "$DEFAULT_LLVM" ]]; then
    features=(--no-default-features --features "$feature")
  fi
  env "$(llvm_prefix_variable "$version")=$prefix" \
    cargo "${subcommand[@]}" --manifest-path "$ROOT/Cargo.toml" \
    --target-dir "$TARGET/llvm-$version" "${features[@]}" "$@"
}

# Builds the command `bpa`, and prints its path. The command does not depend on LLVM.
build_command() {
  announce "building the command bpa"
  cargo build --manifest-path "$ROOT/Cargo.toml" --target-dir "$TARGET" --profile command --package bpa-cli >&2
  echo "$TARGET/command/bpa"
}

# ---- packages --------------------------------------------------------------------------------

MISSING=()

# need PACKAGE COMMAND...: adds PACKAGE to MISSING unless COMMAND succeeds. COMMAND checks for the tool and not for the
# package, because the tool can come from another source.
need() {
  local package=$1
  shift
  "$@" >/dev/null 2>&1 || MISSING+=("$package")
}

compiles_cxx() { c++ -x c++ -include vector -fsyntax-only /dev/null; }

# has_header N HEADER: succeeds if clang++ of LLVM N finds the C++ header.
has_header() {
  local clang
  clang=$(llvm_tool "$1" clang++) || return 1
  echo "#include <$2>" | "$clang" -x c++ -E -
}

has_profile_runtime() {
  local clang resources
  clang=$(llvm_tool "$1" clang) || return 1
  resources=$("$clang" -print-resource-dir) || return 1
  [[ -n $(find "$resources/" -name '*clang_rt.profile*') ]]
}

# The packages that are needed to build the plugin and to run the plugin on SQLite.
needs_of_quickstart() {
  need "llvm-$1-dev" llvm_usable "$1"
  need g++ compiles_cxx
  need "clang-$1" llvm_tool "$1" clang
  need python3 python3 -c ''
}

# Prints the path of the lit.py of LLVM N. If LLVM N has no lit.py, prints the lit.py of another version on this
# machine.
shipped_lit() {
  local candidate
  for candidate in "$(llvm_prefix "$1")"/build/utils/lit/lit.py /usr/lib/llvm-*/build/utils/lit/lit.py; do
    if [[ -e $candidate ]]; then
      echo "$candidate"
      return
    fi
  done
  return 1
}

needs_of_tests() {
  needs_of_quickstart "$1"
  need "llvm-$1-tools" llvm_tool "$1" FileCheck
  need "libclang-rt-$1-dev" has_profile_runtime "$1"
  # Before LLVM 15, lld cannot load plugins.
  if [[ $1 -ge 15 ]]; then need "lld-$1" llvm_tool "$1" ld.lld; fi
  need python3-venv python3 -c 'import ensurepip'
  need graphviz command -v dot
  need patch command -v patch
  need chromium has_browser
  need nlohmann-json3-dev has_header "$1" nlohmann/json.hpp
}

has_browser() { command -v chromium || command -v chromium-browser || command -v google-chrome; }

as_root() {
  if [[ $(id -u) == 0 ]]; then
    "$@"
  elif [[ -n ${CI:-} ]]; then
    sudo -n "$@" # -n: sudo fails instead of waiting for a password
  else
    sudo "$@"
  fi
}

# Runs apt-get, and prints its output only if it fails.
apt_quietly() {
  local output status=0
  output=$(as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" 2>&1) || status=$?
  [[ $status == 0 ]] || bad "$output"
  return "$status"
}

apt_knows() { apt-cache show "$1" >/dev/null 2>&1; }

# ensure_packages: installs the packages in MISSING. If MISSING is empty, prints nothing.
ensure_packages() {
  local package known=()
  [[ ${#MISSING[@]} -gt 0 ]] || return 0
  command -v apt-get >/dev/null ||
    die "missing: ${MISSING[*]} (names of Debian packages); install them, then run this again"
  announce "installing ${MISSING[*]}"
  apt_quietly update
  for package in "${MISSING[@]}"; do
    # In some releases, the files are in a package with a different name. If the files are missing, a later step fails.
    if apt_knows "$package"; then known+=("$package"); else bad "apt has no package $package"; fi
  done
  apt_quietly install -y --no-install-recommends "${known[@]}"
  MISSING=()
}

# llvm_to_install [N]: prints the LLVM version to use or to install. If an item of this list does not exist, the next
# item is printed:
# 1. N; 2. the newest supported version on this machine; 3. the default version, if apt has a package of it;
# 4. the newest supported version for which apt has a package.
llvm_to_install() {
  local version attempt
  if [[ -n ${1:-} ]]; then
    llvm_feature "$1" >/dev/null
    echo "$1" && return
  fi
  newest_llvm && return
  command -v apt-get >/dev/null ||
    die "no LLVM ($(supported_range)) found; install one with its headers, opt and clang"
  for attempt in first second; do
    for version in "$DEFAULT_LLVM" $(supported_llvms | sort -rn); do
      if apt_knows "llvm-$version-dev"; then
        echo "$version" && return
      fi
    done
    # A new system has no package lists.
    if [[ $attempt == first ]]; then apt_quietly update; fi
  done
  die "apt has no package of LLVM $(supported_range)"
}

require_cargo() {
  command -v cargo >/dev/null || die "no cargo found; install Rust (https://rustup.rs) first"
}
