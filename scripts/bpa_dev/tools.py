"""Options of commands that select an LLVM version, a plugin and files."""

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
    #: The command of `opt` with options.
    opt: tuple[str, ...]
    plugin: pathlib.Path

    def with_flags(self, *flags: str) -> "Tools":
        return dataclasses.replace(self, opt=(*self.opt, *flags))

    def opt_command(self, passes: str, *options: str) -> list[str]:
        """Returns the command that runs these passes, with the plugin if needed. The caller appends the input file."""
        plugin = [f"-load-pass-plugin={self.plugin}"] if "rust-" in passes else []
        return [*self.opt, *plugin, *options, f"-passes={passes}"]


def add_llvm_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--llvm", default="", metavar="N", help="LLVM version (default: newest supported version here)")


def add_options(parser: argparse.ArgumentParser) -> None:
    add_llvm_option(parser)
    parser.add_argument("--plugin", type=pathlib.Path, help="path of libbpa.so (default: build the plugin)")


def add_compare_options(parser: argparse.ArgumentParser) -> None:
    add_options(parser)
    parser.add_argument(
        "--opt-flag",
        action="append",
        default=[],
        metavar="FLAG",
        help="an option for every run of opt, for example --opt-flag=-opaque-pointers",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        metavar="J",
        help="number of parallel comparisons (default: number of processors)",
    )


def add_file_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("inputs", nargs="+", metavar="FILE|DIR", help=".ll or .bc files, or folders of them")
    add_compare_options(parser)
    parser.add_argument(
        "--timeout", type=float, default=300, metavar="SECONDS", help="time limit for each run of opt (default: 300)"
    )
    parser.add_argument(
        "--show", type=int, default=1, metavar="K", help="print the first difference of at most K files (default: 1)"
    )


def find_tools(version: str = "", plugin: pathlib.Path | None = None, flags: Sequence[str] = ()) -> Tools:
    """Returns the tools of an LLVM version. If `plugin` is None, builds the plugin."""
    llvm = llvms.choose(version)
    plugin = plugin or llvm.build()
    if not plugin.exists():
        raise Failure(f"no plugin at {plugin}")
    return Tools(llvm, (str(llvm.tool("opt")), *flags), plugin.absolute())


def older(one: Tools, other: Tools) -> Tools:
    """Returns the tools of the older LLVM. Both LLVM versions can read the files that the older LLVM writes."""
    return min(one, other, key=lambda tools: tools.llvm.version)


def find_files(inputs: Iterable[str]) -> Iterator[pathlib.Path]:
    """Yields the named files, and the .ll and .bc files in the named folders."""
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
