"""The LLVM of this machine, for tests that ask it whether IR is well-formed."""

import functools
import pathlib
import subprocess

from bpa_dev import llvm, shell


@functools.cache
def newest() -> llvm.Llvm | None:
    return llvm.choose() if shell.holds("newest_llvm") else None


def has_opaque_pointers() -> bool:
    host = newest()
    return host is not None and host.version >= 15


def complaint(path: pathlib.Path) -> str:
    """What LLVM's verifier has to say against a file; nothing, if it is well-formed."""
    host = newest()
    assert host, "skipped where there is none"
    command = [str(host.tool("opt")), "-passes=verify", "-disable-output", str(path)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return "" if done.returncode == 0 else done.stdout or f"exit code {done.returncode}"
