"""Runs the FileCheck tests in lit-tests/."""

import pathlib
import shutil
import subprocess
from collections.abc import Sequence

from . import environment, shell
from .llvm import Llvm
from .paths import LIT_TESTS
from .tools import Tools


def run_lit(tools: Tools, words: Sequence[str] = (), *, build: bool = True) -> subprocess.CompletedProcess[str]:
    """Runs lit with options, test files and folders. If none of `words` is a file or folder, runs all tests."""
    debug_plugin = tools.llvm.target / "debug" / "libbpa.so"
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
        "debug_plugin": debug_plugin,
        "examples": debug_plugin.parent / "examples",
        "output": tools.llvm.target / "lit",
        # scripts/test installs duckdb. Without duckdb, lit skips the tests that need it.
        "duckdb": environment.libraries(environment.place("duckdb")),
    }
    defined = [f"-D{name}={value}" for name, value in parameters.items()]
    return subprocess.run([*find_lit(tools.llvm), "-sv", *defined, *words], text=True)


def find_lit(llvm: Llvm) -> list[str]:
    """Returns the command that runs lit. Searches LLVM's packages, then PATH, then the packages from pip."""
    shipped = shell.run_function("shipped_lit", str(llvm.version))
    if shipped.returncode == 0:
        return ["python3", shipped.stdout.strip()]
    found = shutil.which("lit") or shutil.which("llvm-lit")
    return [found or str(environment.program("lit"))]
