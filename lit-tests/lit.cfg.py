"""How lit runs the tests in this folder. `scripts/dev lit` starts it and names the parameters."""

import os
import re
import shutil
import subprocess
import sys

import lit.formats

PARAMETERS = ("llvm", "tools", "opt", "plugin", "debug_plugin", "examples", "output", "duckdb")
missing = [name for name in PARAMETERS if name not in lit_config.params]
if missing:
    lit_config.fatal(f"run these tests with scripts/dev lit (no parameter {', '.join(missing)})")
llvm, tools, opt, plugin, debug_plugin, examples, output, duckdb = (
    lit_config.params[name] for name in PARAMETERS)

config.name = f"bpa with LLVM {llvm}"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".test", ".c", ".cpp", ".mir"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
config.test_exec_root = output

# FileCheck, not, llc, llvm-as, clang and the like of this LLVM, by their plain names.
config.environment["PATH"] = os.pathsep.join((tools, config.environment["PATH"]))
# What sanitizers take.
for name in ("LD_PRELOAD", "ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

if os.path.exists(os.path.join(duckdb, "duckdb")):
    config.available_features.add("duckdb")
else:
    lit_config.warning("no duckdb here: the tests that need it are skipped; scripts/test installs it")

# The whole words alone: `%bpa` and `%plugin` must not eat the start of a longer name.
# Tests are written with opaque pointers, which LLVM 14 has only on demand.
opt_flags = ["-opaque-pointers"] if llvm == "14" else []
opt = " ".join([opt, *opt_flags])
root = os.path.dirname(config.test_source_root)
bpa = f"{opt} -load-pass-plugin={plugin}"


def check(*passes):
    """The plugin compares its probabilities and frequencies with those of LLVM's own analyses, after these passes."""
    return f"{bpa} -passes='{','.join([*passes, 'rust-bfi<check>'])}' -disable-output"


llvm_flags = " ".join(subprocess.run(
    [os.path.join(tools, "llvm-config"), "--cxxflags", "--ldflags", "--libs"],
    stdout=subprocess.PIPE, text=True, check=True).stdout.split())
config.substitutions += [
    (r"%opt\b", opt),
    (r"%llc\b", " ".join([os.path.join(tools, "llc"), *opt_flags])),
    (r"%plugin\b", plugin),
    (r"%bpa\b", bpa),
    # The longer names first.
    (r"%check-annotated\b", check("rust-bpi<annotate>", "verify")),
    (r"%check-overwritten\b", check("rust-bpi<annotate;overwrite>", "verify")),
    (r"%check\b", check()),
    (r"%debug_plugin\b", debug_plugin),
    (r"%examples\b", examples),
    (r"%debug_bpa\b", f"{opt} -load-pass-plugin={debug_plugin}"),
    (r"%python\b", sys.executable),
    (r"%duckdb_python\b", f"env PYTHONPATH={duckdb} {sys.executable}"),
    (r"%scripts\b", os.path.join(root, "scripts")),
    (r"%predictors\b", os.path.join(root, "crates", "profile", "predictors")),
    # For programs that link with the host's LLVM.
    (r"%cxx\b", "c++ -O1 -fno-rtti -pthread"),
    (r"%llvm_flags\b", llvm_flags),
    (r"%llvm_version\b", llvm),
]

# `REQUIRES: llvm16` for one version, `REQUIRES: llvm-ge-18` for that one and all later ones.
config.available_features.add(f"llvm{llvm}")
for version in range(14, int(llvm) + 1):
    config.available_features.add(f"llvm-ge-{version}")

# LLVM 24 sees cycles that nest and solves irreducible regions. Prefixes for what it says otherwise than those before,
# and an option by which it says what they say. (Conditions within a line are nothing that every lit has.)
config.substitutions += [
    (r"%OLD_or_NEW\b", "NEW" if int(llvm) >= 24 else "OLD"),
    (r"%through23\b", ";like=23" if int(llvm) >= 24 else ""),
]

# The `opt` of every other version on this machine.
with open(os.path.join(root, "Cargo.toml")) as manifest:
    versions = re.findall(r"^llvm(\d+)-", manifest.read(), re.MULTILINE)
others = [shutil.which(f"opt-{version}") for version in versions if version != llvm]
others = [other for other in others if other]
config.substitutions.append((r"%other_opts\b", " ".join(others)))
if others:
    config.available_features.add("other-llvm")

targets = subprocess.run([os.path.join(tools, "llc"), "--version"], stdout=subprocess.PIPE, text=True)
if "x86-64" in targets.stdout:
    config.available_features.add("x86")

if os.path.exists(os.path.join(tools, "clang")):
    config.available_features.add("clang")
# Before LLVM 15, lld loads no plugins.
if os.path.exists(os.path.join(tools, "ld.lld")) and int(llvm) >= 15:
    config.available_features.add("lld")
