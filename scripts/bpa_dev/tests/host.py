"""The newest LLVM of this machine, for tests that verify IR."""

import functools
import pathlib
import subprocess

from bpa_dev import llvm, shell


@functools.cache
def newest() -> llvm.Llvm | None:
    return llvm.choose() if shell.succeeds("newest_llvm") else None


def has_opaque_pointers() -> bool:
    host = newest()
    return host is not None and host.version >= 15


def verifier_errors(path: pathlib.Path) -> str:
    """Returns the errors of LLVM's verifier. The text is empty if the file is valid."""
    host = newest()
    assert host, "this test needs an LLVM"
    command = [str(host.tool("opt")), "-passes=verify", "-disable-output", str(path)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return "" if done.returncode == 0 else done.stdout or f"exit code {done.returncode}"
