"""The options that name an LLVM, a plugin and files."""

import argparse
import dataclasses
import os
import pathlib
from collections.abc import Iterable, Iterator, Sequence

from . import llvm as llvms
from .llvm import Llvm
from .messages import Failure


@dataclasses.dataclass(frozen=True)
class Tools:
    llvm: Llvm
    #: `opt` with its first options.
    opt: tuple[str, ...]
    #: The libbpa.so to load.
    plugin: pathlib.Path

    def with_flags(self, *flags: str) -> "Tools":
        """The same with more options for `opt`."""
        return dataclasses.replace(self, opt=(*self.opt, *flags))

    def opt_command(self, passes: str, *options: str) -> list[str]:
        """`opt` with these passes, and with the plugin if they need it; a file has to follow."""
        plugin = [f"-load-pass-plugin={self.plugin}"] if "rust-" in passes else []
        return [*self.opt, *plugin, *options, f"-passes={passes}"]


def add_llvm_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--llvm", default="", metavar="N", help="default: newest supported one")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Options of every command that runs the plugin."""
    add_llvm_option(parser)
    parser.add_argument("--plugin", type=pathlib.Path, help="libbpa.so to load (default: build it)")


def add_compare_options(parser: argparse.ArgumentParser) -> None:
    """Options of every comparing command."""
    add_options(parser)
    parser.add_argument(
        "--opt-flag",
        action="append",
        default=[],
        metavar="FLAG",
        help="a flag for every run of opt, as in --opt-flag=-opaque-pointers",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        metavar="J",
        help="files compared at the same time (default: one a processor)",
    )


def add_file_options(parser: argparse.ArgumentParser) -> None:
    """Options of commands that compare given files."""
    parser.add_argument("inputs", nargs="+", metavar="FILE|DIR", help=".ll or .bc files")
    add_compare_options(parser)
    parser.add_argument(
        "--timeout", type=float, default=300, metavar="SECONDS", help="for each run of opt (default: 300)"
    )
    parser.add_argument(
        "--show", type=int, default=1, metavar="K", help="files whose first difference is shown (default: 1)"
    )


def find_tools(version: str = "", plugin: pathlib.Path | None = None, flags: Sequence[str] = ()) -> Tools:
    """The tools of an LLVM; builds the plugin if none is named, so that it is not an old one that runs."""
    llvm = llvms.choose(version)
    plugin = plugin or llvm.build()
    if not plugin.exists():
        raise Failure(f"no plugin at {plugin}")
    return Tools(llvm, (str(llvm.tool("opt")), *flags), plugin.absolute())


def older(one: Tools, other: Tools) -> Tools:
    """The tools of the older LLVM: what they write, the newer ones read."""
    return min(one, other, key=lambda tools: tools.llvm.version)


def find_files(inputs: Iterable[str]) -> Iterator[pathlib.Path]:
    """The files named, and the .ll and .bc files under the folders named."""
    for name in inputs:
        path = pathlib.Path(name)
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.suffix in (".ll", ".bc"))
            if not inside:
                raise Failure(f"no .ll or .bc files under {name}")
            yield from inside
        elif path.exists():
            yield path
        else:
            raise Failure(f"no such file: {name}")
