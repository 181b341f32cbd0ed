"""One LLVM: its tools, and cargo and the plugin for it."""

import dataclasses
import functools
import os
import pathlib
import subprocess
from collections.abc import Mapping

from . import shell
from .messages import Failure
from .paths import SCRIPTS, TARGET


@dataclasses.dataclass(frozen=True)
class Llvm:
    version: int
    #: The folder of its tools.
    bin: pathlib.Path

    def __str__(self) -> str:
        return f"LLVM {self.version}"

    def find_tool(self, name: str) -> pathlib.Path | None:
        """A tool, which may be in a package of its own."""
        done = shell.run_function("llvm_tool", str(self.version), name)
        return pathlib.Path(done.stdout.strip()) if done.returncode == 0 else None

    def tool(self, name: str) -> pathlib.Path:
        tool = self.find_tool(name)
        if tool is None:
            raise Failure(f"no {name} of {self} found (package clang-{self.version} or llvm-{self.version})")
        return tool

    @functools.cached_property
    def feature(self) -> str:
        """The Cargo feature that chooses it."""
        return shell.ask("llvm_feature", str(self.version))

    @functools.cached_property
    def environment(self) -> dict[str, str]:
        """The environment in which llvm-sys finds it."""
        variable = shell.ask("llvm_prefix_variable", str(self.version))
        return {**os.environ, variable: shell.ask("llvm_prefix", str(self.version))}

    @property
    def is_default(self) -> bool:
        """Whether it is the LLVM of cargo's default features."""
        return shell.ask("default_llvm") == str(self.version)

    @property
    def target(self) -> pathlib.Path:
        """Where cargo builds for it."""
        return TARGET / f"llvm-{self.version}"

    @property
    def corpus(self) -> pathlib.Path:
        """Where the programs compiled by it are kept."""
        return TARGET / "corpus" / f"llvm-{self.version}"

    def cargo(self, subcommand: str, *arguments: str, environment: Mapping[str, str] | None = None) -> None:
        """Runs cargo with the feature of this LLVM. Cargo prints errors itself."""
        words = (str(self.version), subcommand, *arguments)
        done = shell.run_function("cargo_llvm", *words, environment=environment, stdout=None)
        if done.returncode != 0:
            raise Failure(f"cargo {subcommand} failed")

    def build(self, *, debug: bool = False) -> pathlib.Path:
        """Builds the plugin; the libbpa.so."""
        command = [str(SCRIPTS / "build"), "--llvm", str(self.version), *["--debug"] * debug]
        built = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if built.returncode != 0:
            raise Failure("the plugin does not build")
        return pathlib.Path(built.stdout.splitlines()[-1])


def choose(version: str = "") -> Llvm:
    """LLVM `version`, or the newest supported one on this machine; says what to do if there is none."""
    chosen = shell.ask("choose_llvm", version)
    bindir = pathlib.Path(shell.ask("llvm_prefix", chosen)) / "bin"
    return Llvm(int(chosen), bindir)


def supported() -> list[int]:
    """The versions that can be built for, oldest first."""
    return [int(word) for word in shell.ask("supported_llvms").split()]


def usable(version: int) -> bool:
    """Whether it is on this machine, with what building takes."""
    return shell.holds("llvm_usable", str(version))
