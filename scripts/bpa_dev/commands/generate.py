"""Writes random LLVM IR, the same bytes for the same options.

scripts/dev generate --out DIR --functions 2000 --seed 1 [--profile irreducible]
"""

import argparse
import pathlib

from ..irgen.module import PROFILES, write_modules


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=pathlib.Path, required=True, metavar="DIR", help="directory for the .ll files")
    parser.add_argument("--functions", type=int, required=True, metavar="N", help="how many in all")
    parser.add_argument("--seed", type=int, required=True, metavar="S", help="where the randomness starts")
    parser.add_argument("--per-module", type=int, default=100, metavar="K", help="functions in one file (default: 100)")
    parser.add_argument(
        "--profile", choices=PROFILES, default="general", help="what the functions are rich in (default: general)"
    )
    parser.add_argument(
        "--llvm", type=int, default=16, metavar="N", help="the LLVM version that reads the files (default: 16)"
    )
    parser.add_argument(
        "--malformed",
        action="store_true",
        help="also write branch weights of a wrong count, which only `opt -disable-verify` takes",
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
