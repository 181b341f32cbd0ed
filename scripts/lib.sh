# shellcheck shell=bash
# What the scripts in this folder share. Source it; it does nothing by itself.

# So that a failure inside $(...) is a failure.
shopt -s inherit_errexit

ROOT=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
TARGET=${CARGO_TARGET_DIR:-$ROOT/target}

# The supported LLVMs, oldest first, as the Cargo features that choose them.
mapfile -t SUPPORTED_FEATURES < <(sed -n 's/^\(llvm[0-9]*-[0-9]*\) = .*/\1/p' "$ROOT/Cargo.toml")
# The LLVM of cargo's default features, which is installed if no LLVM is found.
DEFAULT_LLVM=16

# ---- progress and errors ---------------------------------------------------------------------

if [[ -t 2 && -z ${NO_COLOR:-} ]]; then
  BOLD=$'\e[1m' GREEN=$'\e[32m' RED=$'\e[31m' PLAIN=$'\e[0m'
else
  BOLD='' GREEN='' RED='' PLAIN=''
fi

# Progress goes to stderr: stdout belongs to results that other scripts read.
say() { printf '%s==>%s %s\n' "$BOLD" "$PLAIN" "$*" >&2; }
good() { printf '%s%s%s\n' "$GREEN" "$*" "$PLAIN" >&2; }
bad() { printf '%s%s%s\n' "$RED" "$*" "$PLAIN" >&2; }
die() {
  bad "$(basename "$0"): $*"
  exit 1
}

# The comment at the top of a script is its help text.
usage() { awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"; }

# ---- which LLVM ------------------------------------------------------------------------------

supported_llvms() {
  local feature
  for feature in "${SUPPORTED_FEATURES[@]}"; do
    feature=${feature#llvm}
    echo "${feature%-*}"
  done
}

default_llvm() { echo "$DEFAULT_LLVM"; }

supported_range() { supported_llvms | sed -n '1h; $ { H; x; s/\n/ to /; p; }'; }

# llvm_feature N: the Cargo feature of LLVM N (16 -> llvm16-0).
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

# The variable that names the folder of LLVM for llvm-sys (16 -> LLVM_SYS_160_PREFIX).
llvm_prefix_variable() {
  local feature
  feature=$(llvm_feature "$1")
  feature=${feature#llvm}
  echo "LLVM_SYS_${feature/-/}_PREFIX"
}

# llvm_config N: the path of the llvm-config that belongs to LLVM N; fails if there is none.
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

# llvm_tool N NAME: the path of a tool of LLVM N, say `llvm_tool 16 opt`; fails if there is none.
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

# An LLVM one can build against has headers (distributions package those apart) and `opt`.
llvm_usable() {
  local config
  config=$(llvm_config "$1") && [[ -e $("$config" --includedir)/llvm-c/Core.h ]] &&
    llvm_tool "$1" opt >/dev/null
}

# The newest supported LLVM on this machine; fails if there is none.
newest_llvm() {
  local version newest=''
  for version in $(supported_llvms); do
    if llvm_usable "$version"; then newest=$version; fi
  done
  [[ -n $newest ]] && echo "$newest"
}

# choose_llvm [N]: N if it is given, else the newest supported one; says what to do if it is
# not there.
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
    "$(llvm_prefix_variable "$version") to where it is installed"
}

# ---- cargo -----------------------------------------------------------------------------------

# cargo_llvm N SUBCOMMAND ARG...: cargo for LLVM N, in a target directory of its own, so that
# going from one LLVM to another rebuilds nothing. `nextest run` is one SUBCOMMAND of two words.
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

# Builds the command `bpa`, and prints where it is. It is the same for every LLVM.
build_command() {
  say "building the command bpa"
  cargo build --manifest-path "$ROOT/Cargo.toml" --target-dir "$TARGET" --profile command --package bpa-cli >&2
  echo "$TARGET/command/bpa"
}

# ---- what has to be installed ----------------------------------------------------------------

MISSING=()

# need PACKAGE COMMAND...: PACKAGE is missing unless COMMAND succeeds. Asking for the thing and
# not for the package leaves machines alone that have the thing from somewhere else.
need() {
  local package=$1
  shift
  "$@" >/dev/null 2>&1 || MISSING+=("$package")
}

compiles_cxx() { c++ -x c++ -include vector -fsyntax-only /dev/null; }

# has_header N HEADER: whether clang++ of LLVM N finds a C++ header.
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

# What building the plugin takes, and running it on SQLite.
needs_of_quickstart() {
  need "llvm-$1-dev" llvm_usable "$1"
  need g++ compiles_cxx
  need "clang-$1" llvm_tool "$1" clang
  need python3 python3 -c ''
}

# The lit that comes with LLVM N, or with another version on this machine: any will do.
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
  # Before that, lld loads no plugins.
  if [[ $1 -ge 15 ]]; then need "lld-$1" llvm_tool "$1" ld.lld; fi
  need python3-venv python3 -c 'import ensurepip'
  need graphviz command -v dot
  need chromium has_browser
  need nlohmann-json3-dev has_header "$1" nlohmann/json.hpp
}

# A browser that tests can drive.
has_browser() { command -v chromium || command -v chromium-browser || command -v google-chrome; }

as_root() {
  if [[ $(id -u) == 0 ]]; then
    "$@"
  elif [[ -n ${CI:-} ]]; then
    sudo -n "$@" # fail rather than wait for a password that nobody types
  else
    sudo "$@"
  fi
}

# What apt says of each package is only of interest where it fails.
apt_quietly() {
  local said status=0
  said=$(as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" 2>&1) || status=$?
  [[ $status == 0 ]] || bad "$said"
  return "$status"
}

apt_knows() { apt-cache show "$1" >/dev/null 2>&1; }

# ensure_packages: installs everything that `need` found missing; silent when that is nothing.
ensure_packages() {
  local package known=()
  [[ ${#MISSING[@]} -gt 0 ]] || return 0
  command -v apt-get >/dev/null ||
    die "please install what these Debian packages hold, then run this again: ${MISSING[*]}"
  say "installing ${MISSING[*]}"
  apt_quietly update
  for package in "${MISSING[@]}"; do
    # Some releases have the content of one package in another: go on, and let its user complain.
    if apt_knows "$package"; then known+=("$package"); else bad "apt knows no $package"; fi
  done
  apt_quietly install -y --no-install-recommends "${known[@]}"
  MISSING=()
}

# llvm_to_install [N]: which LLVM to use before anything was installed: N if it is given, else
# the newest supported one on this machine, else the default one, or, where the distribution has
# no package of that, the newest it has.
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
    # A fresh system has no package lists yet.
    if [[ $attempt == first ]]; then apt_quietly update; fi
  done
  die "apt knows no LLVM ($(supported_range)) to install"
}

require_cargo() {
  command -v cargo >/dev/null || die "no cargo found; install Rust (https://rustup.rs) first"
}
