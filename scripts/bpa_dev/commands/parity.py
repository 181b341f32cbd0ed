"""Compares our printers with LLVM's own, byte for byte, on any IR or bitcode.

For every file, `opt` runs twice: with our passes at module position, and with LLVM's printers. LLVM skips functions
marked `optnone`, ours does not; a file that has some is therefore brought into two forms that differ in that mark
alone, the one without it for LLVM. `--analysis annotate` and the like compare how LLVM reads our annotations
(comparing/printers.py). With `--like N` our printers print as LLVM N would, and are compared with LLVM N: both
versions have to read the files, so the older one should have made them.

Exits with 0 only if something was compared, nothing differs and nothing crashed.
"""

import argparse
import pathlib
from collections.abc import Sequence

from ..comparing import many, printers
from ..comparing.verdict import Verdict
from ..messages import Failure
from ..tools import add_file_options, find_files, find_tools


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_options(parser)
    parser.add_argument(
        "--analysis",
        type=analyses,
        default="both",
        metavar="A,...",
        help=f"of {', '.join(printers.COMPARISONS)}; more than one share a process on either side "
        "(default: both, which is bpi,bfi)",
    )
    parser.add_argument("--like", metavar="N", help="print as LLVM N would, and compare with LLVM N")
    parser.add_argument("--before", metavar="PASSES", help="passes that both sides run first, say instcombine")
    parser.add_argument(
        "--disable-verify", action="store_true", help="for files that break the verifier's rules on purpose"
    )
    parser.add_argument(
        "--allow-rejected",
        action="store_true",
        help="files that LLVM cannot read are counted, not failed, provided that we refuse them too; "
        "if LLVM crashes while it reads, we may",
    )
    parser.add_argument(
        "--allow-llvm-crash",
        action="store_true",
        help="files that LLVM crashes on are counted, not failed, provided that we do not",
    )


def analyses(text: str) -> Sequence[str]:
    chosen = printers.PRINTERS if text == "both" else tuple(text.split(","))
    for name in chosen:
        if name not in printers.COMPARISONS:
            raise argparse.ArgumentTypeError(f"no analysis '{name}'")
    return chosen


def run(arguments: argparse.Namespace) -> int:
    chosen: Sequence[str] = arguments.analysis
    flags = arguments.opt_flag + ["-disable-verify"] * arguments.disable_verify
    if arguments.like and not set(chosen) <= set(printers.PRINTERS):
        raise Failure("--like goes with printers alone: " + ", ".join(printers.PRINTERS))
    tools = find_tools(arguments.llvm, arguments.plugin, flags)
    conditions = printers.Conditions(
        timeout=arguments.timeout,
        before=arguments.before,
        allow_rejected=arguments.allow_rejected,
        allow_llvm_crash=arguments.allow_llvm_crash,
        like=find_tools(arguments.like, tools.plugin, flags) if arguments.like else None,
    )

    def compare(path: pathlib.Path) -> Verdict:
        return printers.compare(path, chosen, tools, conditions)

    files = list(find_files(arguments.inputs))
    verdicts = many.compare_all(files, compare, jobs=arguments.jobs, show=arguments.show)
    print(summary(verdicts, chosen))
    different = [str(v.path) for v in verdicts if v.differing]
    if len(different) > arguments.show > 0:
        print("files that differ: " + " ".join(different[:20]) + " ..." * (len(different) > 20))
    return 0 if anything_compared(verdicts) and many.all_well(verdicts) else 1


def summary(verdicts: Sequence[Verdict], chosen: Sequence[str]) -> str:
    rejected = sum(v.rejected for v in verdicts)
    llvm_crashed = sum(v.llvm_crashed for v in verdicts)
    text = f"parity: {len(verdicts)} files, {many.figures(verdicts)}"
    if rejected:
        text += f", {rejected} files that LLVM cannot read"
    if llvm_crashed:
        text += f", {llvm_crashed} files that LLVM crashes on and we do not"
    if not anything_compared(verdicts):
        text += ", nothing compared"
    return f"{text} ({' and '.join(chosen)})"


def anything_compared(verdicts: Sequence[Verdict]) -> bool:
    return any(v.rejected or v.functions for v in verdicts)
