"""Builds the plugin that docs/src/guide/library.md shows, and compares what it prints with what the page says.

It is built outside of this repository's own packages, as somebody else would.
"""

import argparse
import difflib
import pathlib
import re
import shutil
import subprocess

from .. import llvm as llvms
from ..comparing.runs import Word
from ..llvm import Llvm
from ..messages import Failure, say
from ..paths import DOCS, ROOT, TARGET
from ..tools import add_llvm_option

PAGE = DOCS / "src/guide/library.md"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_llvm_option(parser)


def run(arguments: argparse.Namespace) -> int:
    llvm = llvms.choose(arguments.llvm)
    page = PAGE.read_text()
    folder = TARGET / "library-page" / f"llvm-{llvm.version}"
    write_package(folder, page, llvm)
    say(f"building the plugin of docs/src/guide/library.md for {llvm}")
    expected, printed = fenced(page, "text"), output_of(build(folder, llvm), folder / "my.ll", llvm)
    if printed != expected:
        changes = difflib.unified_diff(
            expected.splitlines(), printed.splitlines(), "the page", "the plugin", lineterm="", n=1
        )
        print("\n".join(changes))
        raise Failure("docs/src/guide/library.md shows other output than its plugin prints")
    print("the plugin of docs/src/guide/library.md prints what the page says")
    return 0


def fenced(page: str, language: str) -> str:
    """The first block of the page in that language."""
    block = re.search(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    if block is None:
        raise Failure(f"docs/src/guide/library.md has no block marked `{language}`")
    return block[1]


def write_package(folder: pathlib.Path, page: str, llvm: Llvm) -> None:
    (folder / "src").mkdir(parents=True, exist_ok=True)
    library = f'path = "{ROOT}", default-features = false, features = ["{llvm.feature}"]'
    manifest = fenced(page, "toml").replace('path = "../bpa"', library)
    # It lies inside the repository, and is none of its packages.
    (folder / "Cargo.toml").write_text(f"{manifest}\n[workspace]\n")
    shutil.copy(ROOT / "Cargo.lock", folder / "Cargo.lock")
    (folder / "src/lib.rs").write_text(fenced(page, "rust"))
    (folder / "my.ll").write_text(fenced(page, "llvm"))


def build(folder: pathlib.Path, llvm: Llvm) -> pathlib.Path:
    command: list[Word] = ["cargo", "build", "--quiet", "--manifest-path", folder / "Cargo.toml"]
    command += ["--target-dir", llvm.target]
    if subprocess.run(command, env=llvm.environment).returncode != 0:
        raise Failure("the plugin of docs/src/guide/library.md does not build")
    return llvm.target / "debug/libhot_loops.so"


def output_of(plugin: pathlib.Path, file: pathlib.Path, llvm: Llvm) -> str:
    opaque = ["-opaque-pointers"] * (llvm.version == 14)
    command: list[Word] = [llvm.tool("opt"), *opaque, f"-load-pass-plugin={plugin}"]
    command += ["-passes=hot-loops", "-disable-output", file]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Failure(f"opt with the plugin of docs/src/guide/library.md: exit code {done.returncode}\n{done.stderr}")
    return done.stderr
