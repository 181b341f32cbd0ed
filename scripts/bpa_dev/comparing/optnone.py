"""Copies a file twice: with the attribute `optnone`, and without this attribute.

LLVM's function passes skip functions with `optnone`, but the module passes of bpa do not.
"""

import hashlib
import os
import pathlib
import re
import subprocess

from ..paths import TARGET
from ..tools import Tools

CACHE = TARGET / "parity-cache"


def forms_for(path: pathlib.Path, tools: Tools) -> tuple[pathlib.Path, pathlib.Path]:
    """Returns two files: one file for bpa's passes, and one file without `optnone` for LLVM's passes."""
    if path.suffix == ".ll" and b"optnone" not in path.read_bytes():
        return path, path
    status = path.stat()
    identity = f"{path.resolve()} {status.st_mtime_ns} {status.st_size}"
    folder = CACHE / f"llvm-{tools.llvm.version}"
    stem = folder / hashlib.sha256(identity.encode()).hexdigest()[:24]
    original, without, none = (stem.with_suffix(s) for s in (".original.bc", ".bc", ".none"))
    if none.exists():
        return path, path
    if not (original.exists() and without.exists()):
        text = subprocess.run([*tools.opt, "-S", path, "-o", "-"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        cleaned = without_optnone(text.stdout)
        folder.mkdir(parents=True, exist_ok=True)
        if text.returncode != 0 or cleaned == text.stdout:
            if text.returncode == 0:
                none.touch()
            return path, path  # If `opt` cannot read the file, the comparison reports the error.
        assemble(text.stdout, original, tools)
        assemble(cleaned, without, tools)
    return original, without


def without_optnone(text: bytes) -> bytes:
    """Removes the attribute from the text of a module. LLVM writes the attribute only in attribute groups."""

    def clean(group: re.Match[bytes]) -> bytes:
        return re.sub(rb'"[^"]*"|\boptnone ', lambda m: m[0] if m[0][:1] == b'"' else b"", group[0])

    return re.sub(rb"^attributes #.*$", clean, text, flags=re.MULTILINE)


def assemble(text: bytes, path: pathlib.Path, tools: Tools) -> None:
    partial = path.with_suffix(f".{os.getpid()}.partial")
    subprocess.run([tools.llvm.bin / "llvm-as", "-disable-verify", "-", "-o", partial], input=text, check=True)
    partial.rename(path)
