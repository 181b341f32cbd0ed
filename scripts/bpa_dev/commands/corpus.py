"""Makes bitcode for comparisons and benchmarks, and prints the paths, one path a line.

Files that exist are not written again. These names are folders under target/corpus/llvm-N/:

  sqlite          SQLite at -O0 -O1 -O2 -O3 -Os, and with named values at -O0 and -O2
  cxx             a C++ program with exceptions at -O0 and -O2
  stress          modules of llvm-stress with 50 to 2,000 instructions
  generated       functions of `scripts/dev generate`
  sqlite-profile  SQLite at -O0 -O1 -O2, built with a profile of SQLite
  all             all of these folders

Other names are single files, for example sqlite-O2, sqlite-named-O0, cxx-O2, cxx-named-O2.
"""

import argparse

from .. import llvm
from ..corpus import FOLDERS, Amounts, Corpus, is_name
from ..irgen.module import PROFILES
from ..tools import add_llvm_option


def add_arguments(parser: argparse.ArgumentParser) -> None:
    default = Amounts()
    parser.add_argument("names", nargs="+", type=corpora, metavar="NAME")
    add_llvm_option(parser)
    add = parser.add_argument
    of_stress = "in the corpus `stress` (default: %(default)s)"
    add("--count", type=int, default=default.count, metavar="K", help=f"number of modules {of_stress}")
    of_generated = "in the corpus `generated` (default: %(default)s)"
    add("--functions", type=int, default=default.functions, metavar="K", help=f"number of functions {of_generated}")
    add("--profile", choices=PROFILES, default=default.profile, help=f"kind of functions {of_generated}")
    add("--seed", type=int, default=default.seed, metavar="S", help=f"random seed of the functions {of_generated}")


def corpora(name: str) -> list[str]:
    if name != "all" and not is_name(name):
        raise argparse.ArgumentTypeError(f"no corpus '{name}'; --help lists the names")
    return list(FOLDERS) if name == "all" else [name]


def run(arguments: argparse.Namespace) -> int:
    amounts = Amounts(arguments.count, arguments.functions, arguments.profile, arguments.seed)
    corpus = Corpus(llvm.choose(arguments.llvm), amounts)
    for names in arguments.names:
        for name in names:
            print(corpus.make(name), flush=True)
    return 0
