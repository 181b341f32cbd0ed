"""The command line of the generator."""

import argparse
from pathlib import Path

from .module import Module
from .spelling import Spelling
from .taste import PROFILES


def main():
    """Writes the modules and says what they contain."""
    options = _parse()
    spell = Spelling(options.llvm)
    options.out.mkdir(parents=True, exist_ok=True)
    blocks = files = 0
    for first in range(0, options.functions, options.per_module):
        stream = f"{options.profile}-{options.seed}-{files}"
        module = Module(options.profile, spell, stream, options.malformed)
        module.add_functions(min(options.per_module, options.functions - first))
        (options.out / f"gen-{stream}.ll").write_bytes(module.text().encode("ascii"))
        blocks += module.blocks
        files += 1
    print(f"{options.out}: {files} files, {options.functions} functions, {blocks} blocks")
    return 0


def _parse():
    parser = argparse.ArgumentParser(
        prog="generate", description="Write random LLVM IR, the same bytes for the same options.")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="directory for the .ll files")
    parser.add_argument("--functions", type=_positive, required=True, metavar="N", help="how many in all")
    parser.add_argument("--seed", type=int, required=True, metavar="S", help="where the randomness starts")
    parser.add_argument("--per-module", type=_positive, default=100, metavar="K",
                        help="functions in one file (default: 100)")
    parser.add_argument("--profile", choices=PROFILES, default="general",
                        help="what the functions are rich in (default: general)")
    parser.add_argument("--llvm", type=int, default=16, metavar="N",
                        help="the LLVM version that shall read the files, 14 or newer (default: 16)")
    parser.add_argument("--malformed", action="store_true",
                        help="also write branch weights of a wrong count, which only "
                             "`opt -disable-verify` takes")
    options = parser.parse_args()
    if options.llvm < 14:
        parser.error(f"--llvm {options.llvm}: LLVM 14 is the oldest that the generator writes for")
    return options


def _positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return number
