"""Looks for a module on which we and LLVM differ, or on which we crash or hang.

    scripts/dev fuzz --minutes 10

Module after module is made from functions of `scripts/dev generate`, from llvm-stress, and from SQLite and a C++
program: most of them mangled by random pipelines of LLVM's own passes, some by changing where branches go. On each, our
printers, annotations and lowered expectations are compared with LLVM's. What is found is shrunk with llvm-reduce to a
lit test in the output folder.

LLVM's own passes crash or hang at times: that is counted, and is no finding. The same seed draws the same modules.
Exits with 0 only if nothing was found.
"""

import argparse
import pathlib
import random
import shutil
import tempfile

from ..fuzzing import judge
from ..fuzzing.campaign import Campaign, Limits
from ..fuzzing.sources import WEIGHTS, Maker
from ..messages import Failure, say
from ..paths import TARGET
from ..tools import Tools, add_compare_options, find_tools


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_compare_options(parser)
    add = parser.add_argument
    add("--minutes", type=float, default=10, metavar="N", help="no new module after that (default: 10)")
    add("--functions", type=int, default=0, metavar="K", help="enough when that many were compared ...")
    add("--blocks", type=int, default=0, metavar="K", help="... and that many blocks (default: go on)")
    add("--findings", type=int, default=10, metavar="K", help="too many to go on (default: 10)")
    add("--seed", type=int, default=random.randrange(1 << 32), metavar="S", help="default: drawn")
    add("--only", type=int, metavar="K", help="only the K-th draw of the seed, as a finding names it")
    add("--source", action="append", choices=WEIGHTS, help="draw from this one; may stand several times (default: all)")
    add("--timeout", type=float, default=300, metavar="SECONDS",
        help="for each run of LLVM's tools; ours in it is a hang (default: 300)")  # fmt: skip
    add("--shrink-minutes", type=float, default=5, metavar="N", help="for each finding (default: 5)")
    add("--out", type=pathlib.Path, metavar="DIR", help="for what is found (default: target/fuzz/llvm-N)")
    group = parser.add_argument_group("to tell whether a file still shows a finding (exit status 0 if it does)")
    checks, kinds = ", ".join(judge.CHECKS), ", ".join(judge.KINDS)
    group.add_argument("--shows", metavar="CHECK:KIND", help=f"{checks}; {kinds}")
    group.add_argument("--before", metavar="PASSES", help="passes that both sides run first")
    group.add_argument("file", nargs="?", type=pathlib.Path, metavar="FILE")


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin, arguments.opt_flag)
    if arguments.shows:
        return 0 if shows(tools, arguments) else 1
    say(f"fuzzing with seed {arguments.seed}")
    limits = Limits(
        seed=arguments.seed,
        minutes=arguments.minutes,
        functions=arguments.functions,
        blocks=arguments.blocks,
        findings=arguments.findings,
        only=arguments.only,
        jobs=arguments.jobs,
        timeout=arguments.timeout,
        shrink_minutes=arguments.shrink_minutes,
        sources=tuple(arguments.source or WEIGHTS),
    )
    out = arguments.out or TARGET / "fuzz" / f"llvm-{tools.llvm.version}"
    return 0 if Campaign(tools, limits, out).run() else 1


def shows(tools: Tools, arguments: argparse.Namespace) -> bool:
    check, _, kind = arguments.shows.partition(":")
    if check not in judge.CHECKS or kind not in judge.KINDS or not arguments.file:
        raise Failure("--shows takes CHECK:KIND and a FILE (try --help)")
    with tempfile.TemporaryDirectory(prefix="bpa-fuzz-") as folder:
        file = shutil.copy(arguments.file, folder)
        module = judge.Module(pathlib.Path(file), arguments.before, plain=False)
        return judge.Judge(Maker(tools, arguments.timeout)).shows(check, kind, module)
