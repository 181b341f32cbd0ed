"""The tools of one LLVM version, and functions that build the plugin for this version."""

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
    #: The folder of tools.
    bin: pathlib.Path

    def __str__(self) -> str:
        return f"LLVM {self.version}"

    def find_tool(self, name: str) -> pathlib.Path | None:
        """Returns the path of a tool. The tool can be in a separate Debian package."""
        done = shell.run_function("llvm_tool", str(self.version), name)
        return pathlib.Path(done.stdout.strip()) if done.returncode == 0 else None

    def tool(self, name: str) -> pathlib.Path:
        tool = self.find_tool(name)
        if tool is None:
            raise Failure(
                f"no {name} of {self} found: install clang-{self.version}, lld-{self.version} or llvm-{self.version}"
            )
        return tool

    @functools.cached_property
    def feature(self) -> str:
        return shell.output_of("llvm_feature", str(self.version))

    @functools.cached_property
    def environment(self) -> dict[str, str]:
        """The environment variables with which llvm-sys finds this LLVM version."""
        variable = shell.output_of("llvm_prefix_variable", str(self.version))
        return {**os.environ, variable: shell.output_of("llvm_prefix", str(self.version))}

    @property
    def is_default(self) -> bool:
        return shell.output_of("default_llvm") == str(self.version)

    @property
    def target(self) -> pathlib.Path:
        return TARGET / f"llvm-{self.version}"

    @property
    def debug_plugin(self) -> pathlib.Path:
        return self.target / "debug" / "libbpa.so"

    @property
    def corpus(self) -> pathlib.Path:
        return TARGET / "corpus" / f"llvm-{self.version}"

    def cargo(self, subcommand: str, *arguments: str, environment: Mapping[str, str] | None = None) -> None:
        """Runs cargo with the feature of this LLVM version. Cargo prints its errors."""
        words = (str(self.version), subcommand, *arguments)
        done = shell.run_function("cargo_llvm", *words, environment=environment, stdout=None)
        if done.returncode != 0:
            raise Failure(f"cargo {subcommand} failed")

    def build(self, *, debug: bool = False) -> pathlib.Path:
        """Builds the plugin, and returns the path of libbpa.so."""
        command = [str(SCRIPTS / "build"), "--llvm", str(self.version), *["--debug"] * debug]
        built = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if built.returncode != 0:
            raise Failure("the build of the plugin failed")
        return pathlib.Path(built.stdout.splitlines()[-1])


def choose(version: str = "") -> Llvm:
    """Returns LLVM `version`, or the newest supported version on this machine."""
    chosen = shell.output_of("choose_llvm", version)
    bindir = pathlib.Path(shell.output_of("llvm_prefix", chosen)) / "bin"
    return Llvm(int(chosen), bindir)


def supported() -> list[int]:
    """The supported versions, oldest first."""
    return [int(word) for word in shell.output_of("supported_llvms").split()]


def usable(version: int) -> bool:
    """Whether this version is on this machine, with `opt` and headers."""
    return shell.succeeds("llvm_usable", str(version))
