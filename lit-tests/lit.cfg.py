"""Configuration of lit for this folder. `scripts/dev lit` runs lit with the parameters in `PARAMETERS`."""

import os
import re
import shutil
import subprocess
import sys

import lit.formats

PARAMETERS = ("llvm", "tools", "opt", "plugin", "debug_plugin", "examples", "output", "duckdb")
missing = [name for name in PARAMETERS if name not in lit_config.params]
if missing:
    lit_config.fatal(f"missing parameters: {', '.join(missing)}; run these tests with scripts/dev lit")
llvm, tools, opt, plugin, debug_plugin, examples, output, duckdb = (
    lit_config.params[name] for name in PARAMETERS)

config.name = f"bpa with LLVM {llvm}"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".test", ".c", ".cpp", ".mir"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
config.test_exec_root = output

# With this PATH, the tools of LLVM (`FileCheck`, `not`, `llc`, `clang`, ...) are from the tested LLVM version.
config.environment["PATH"] = os.pathsep.join((tools, config.environment["PATH"]))
# Variables for sanitizers.
for name in ("LD_PRELOAD", "ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
        # The allocator of a sanitizer does not reuse memory soon.
        config.available_features.add("sanitizer")

if os.path.exists(os.path.join(duckdb, "duckdb")):
    config.available_features.add("duckdb")
else:
    lit_config.warning("duckdb is not installed: tests that need it are skipped; scripts/test installs it")

# A plugin with debug assertions, which the quick tests use, is not the plugin of a release.
if plugin != debug_plugin:
    config.available_features.add("optimised-plugin")

# The tests use opaque pointers. LLVM 14 needs `-opaque-pointers`.
opt_flags = ["-opaque-pointers"] if llvm == "14" else []
opt = " ".join([opt, *opt_flags])
root = os.path.dirname(config.test_source_root)
bpa = f"{opt} -load-pass-plugin={plugin}"


def check(*passes):
    """A command that runs `passes`, and then compares bpa's probabilities and frequencies with the values of LLVM."""
    return f"{bpa} -passes='{','.join([*passes, 'rust-bfi<check>'])}' -disable-output"


llvm_flags = " ".join(subprocess.run(
    [os.path.join(tools, "llvm-config"), "--cxxflags", "--ldflags", "--libs"],
    stdout=subprocess.PIPE, text=True, check=True).stdout.split())
# `\b` prevents a substitution from replacing the start of a longer name.
config.substitutions += [
    (r"%opt\b", opt),
    (r"%llc\b", " ".join([os.path.join(tools, "llc"), *opt_flags])),
    (r"%plugin\b", plugin),
    (r"%bpa\b", bpa),
    # lit applies substitutions in this order, so a longer name must precede its prefix.
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
    # The compiler and flags for test programs that link with LLVM.
    (r"%cxx\b", "c++ -O1 -fno-rtti -pthread"),
    (r"%llvm_flags\b", llvm_flags),
    (r"%llvm_version\b", llvm),
]

# `REQUIRES: llvm16` requires exactly LLVM 16. `REQUIRES: llvm-ge-18` requires LLVM 18 or later.
config.available_features.add(f"llvm{llvm}")
for version in range(14, int(llvm) + 1):
    config.available_features.add(f"llvm-ge-{version}")

# LLVM 24 uses nested cycles and a different algorithm for irreducible regions. `%OLD_or_NEW` is the FileCheck prefix
# for output that differs between LLVM 23 and 24. The prefix is `NEW` for LLVM 24 and later versions, and `OLD` for
# earlier versions. `%through23` is the option that selects the output of LLVM 23. Old versions of lit do not support
# conditions within a line.
config.substitutions += [
    (r"%OLD_or_NEW\b", "NEW" if int(llvm) >= 24 else "OLD"),
    (r"%through23\b", ";like=23" if int(llvm) >= 24 else ""),
]

# The `opt` of every other installed version.
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
# Before LLVM 15, lld cannot load plugins.
if os.path.exists(os.path.join(tools, "ld.lld")) and int(llvm) >= 15:
    config.available_features.add("lld")
