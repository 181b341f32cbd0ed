"""Writes random LLVM IR. Equal options give equal files.

scripts/dev generate --out DIR --functions 2000 --seed 1 [--profile irreducible]
"""

import argparse
import pathlib

from ..irgen.module import PROFILES, write_modules


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=pathlib.Path, required=True, metavar="DIR", help="directory for the .ll files")
    parser.add_argument("--functions", type=int, required=True, metavar="N", help="total number of functions")
    parser.add_argument("--seed", type=int, required=True, metavar="S", help="random seed")
    parser.add_argument("--per-module", type=int, default=100, metavar="K", help="functions per file (default: 100)")
    parser.add_argument("--profile", choices=PROFILES, default="general", help="kind of functions (default: general)")
    parser.add_argument("--llvm", type=int, default=16, metavar="N", help="write IR for LLVM N (default: 16)")
    parser.add_argument(
        "--malformed", action="store_true", help="also write invalid branch weights, for `opt -disable-verify`"
    )


def run(arguments: argparse.Namespace) -> int:
    files, blocks = write_modules(
        arguments.out,
        functions=arguments.functions,
        per_module=arguments.per_module,
        seed=arguments.seed,
        profile=arguments.profile,
        llvm=arguments.llvm,
        malformed=arguments.malformed,
    )
    print(f"{arguments.out}: {files} files, {arguments.functions} functions, {blocks} blocks")
    return 0
