"""Runs the FileCheck tests in lit-tests/."""

import json
import pathlib
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any

from . import environment, shell
from .llvm import Llvm
from .messages import error
from .paths import LIT_TESTS
from .steps import skip
from .tools import Tools

#: The features of lit.cfg.py that scripts/test installs.
INSTALLED = {"clang", "lld", "duckdb"}


def run_lit(tools: Tools, words: Sequence[str] = (), *, build: bool = True) -> int:
    """Runs lit with options, test files and folders, and returns the exit code. If none of `words` is a file or folder,
    runs all tests. Records the tests that cannot run on this machine."""
    if build:
        tools.llvm.build(debug=True)
        tools.llvm.cargo("build", "--quiet", "--examples")
    if not any(pathlib.Path(word).exists() for word in words):
        words = [*words, str(LIT_TESTS)]
    # The parameters of lit.cfg.py.
    parameters = {
        "llvm": tools.llvm.version,
        "tools": tools.llvm.bin,
        "opt": " ".join(tools.opt),
        "plugin": tools.plugin,
        "debug_plugin": tools.llvm.debug_plugin,
        "examples": tools.llvm.debug_plugin.parent / "examples",
        "output": tools.llvm.target / "lit",
        # scripts/test installs duckdb. Without duckdb, lit skips the tests that need it.
        "duckdb": environment.libraries(environment.place("duckdb")),
    }
    defined = [f"-D{name}={value}" for name, value in parameters.items()]
    results = tools.llvm.target / "lit.json"
    status = subprocess.run([*find_lit(tools.llvm), "-sv", "-o", str(results), *defined, *words]).returncode
    return record_skipped(json.loads(results.read_text()), tools.llvm.version) or status


def record_skipped(results: Mapping[str, Any], version: int) -> int:
    """Records the tests that cannot run on this machine. A test of another LLVM version is not a skipped test. If
    scripts/test installs what a test needs, returns 1."""
    status = 0
    for test in results["tests"]:
        _, is_missing, features = test["output"].partition("unavailable features: ")
        missing = {name for name in features.split(", ") if not re.fullmatch(r"llvm(-ge-)?\d+", name)}
        if test["code"] != "UNSUPPORTED" or not is_missing or not missing:
            continue
        name, needs = test["name"].rpartition(" :: ")[2], ", ".join(sorted(missing))
        # Before LLVM 15, lld cannot load plugins.
        if missing & INSTALLED and not (missing == {"lld"} and version < 15):
            error(f"{name} needs {needs}, which scripts/test installs")
            status = 1
        else:
            skip(name, f"needs {needs}")
    return status


def find_lit(llvm: Llvm) -> list[str]:
    """Returns the command that runs lit. Searches LLVM's packages, then PATH, then the packages from pip."""
    shipped = shell.run_function("shipped_lit", str(llvm.version))
    if shipped.returncode == 0:
        return ["python3", shipped.stdout.strip()]
    found = shutil.which("lit") or shutil.which("llvm-lit")
    return [found or str(environment.program("lit"))]
