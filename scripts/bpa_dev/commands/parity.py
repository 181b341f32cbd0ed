"""Compares the output of the printers of bpa and LLVM, byte for byte, on any IR or bitcode.

For every file, `opt` runs twice: with module passes of bpa, and with LLVM's printers. LLVM's passes skip functions with
the attribute `optnone`, and the passes of bpa do not. LLVM therefore reads a copy of the file without the attribute.
`--analysis annotate`, `annotated` and `overwritten` also test the weights that bpa writes: comparing/printers.py
describes these comparisons. With `--like N`, the command compares `like=N` with LLVM N. Both LLVM versions must
be able to read the files, so use files of the older version.

The exit status is 0 only if at least one function was compared, no line differs and nothing crashed.
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
        help=f"one or more of {', '.join(printers.COMPARISONS)}, all in one run of opt (default: bpi,bfi)",
    )
    parser.add_argument(
        "--like", metavar="N", help="run bpa with the option like=N, and compare with the output of LLVM N"
    )
    parser.add_argument(
        "--before", metavar="PASSES", help="passes that both runs of opt execute before the compared passes"
    )
    parser.add_argument("--disable-verify", action="store_true", help="accept files that LLVM's verifier rejects")
    parser.add_argument("--allow-rejected", action="store_true", help="accept a file that neither run of opt can read")
    parser.add_argument(
        "--allow-llvm-crash", action="store_true", help="accept a crash of LLVM's passes if the passes of bpa succeed"
    )


def analyses(text: str) -> Sequence[str]:
    chosen = printers.PRINTERS if text == "both" else tuple(text.split(","))
    for name in chosen:
        if name not in printers.COMPARISONS:
            raise argparse.ArgumentTypeError(f"no analysis '{name}'; choose from {', '.join(printers.COMPARISONS)}")
    return chosen


def run(arguments: argparse.Namespace) -> int:
    chosen: Sequence[str] = arguments.analysis
    flags = arguments.opt_flag + ["-disable-verify"] * arguments.disable_verify
    if arguments.like and not set(chosen) <= set(printers.PRINTERS):
        raise Failure("with --like, --analysis must be " + " or ".join(printers.PRINTERS))
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
        print("files with differences: " + " ".join(different[:20]) + " ..." * (len(different) > 20))
    return 0 if anything_compared(verdicts) and many.all_well(verdicts) else 1


def summary(verdicts: Sequence[Verdict], chosen: Sequence[str]) -> str:
    rejected = sum(v.rejected for v in verdicts)
    llvm_crashed = sum(v.llvm_crashed for v in verdicts)
    text = f"parity: {len(verdicts)} files, {many.figures(verdicts)}"
    if rejected:
        text += f", {rejected} files that LLVM cannot read"
    if llvm_crashed:
        text += f", {llvm_crashed} files on which only LLVM crashes"
    if not anything_compared(verdicts):
        text += ", nothing compared"
    return f"{text} ({' and '.join(chosen)})"


def anything_compared(verdicts: Sequence[Verdict]) -> bool:
    return any(v.rejected or v.functions for v in verdicts)
