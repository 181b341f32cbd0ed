"""Writes lab/data/functions.tsv.xz, the features and the profiled calls of functions, from which `lab/train` learns.

Run `lab/run profiled` first. Each program of the corpus is linked into one module, with the profile of its first run.
Held-out programs are skipped, and so are entries of the corpus with several programs, whose modules cannot be linked.
The features depend on branch probabilities. `{family}` in the name of the predictor is replaced by the family of the
program, so that the predictor can be a model that was trained without this family.
"""

import argparse
import pathlib
import subprocess
import tempfile

from bpa_dev import environment
from bpa_dev.messages import announce
from bpa_dev.paths import ROOT
from bpa_dev.shell import check
from bpa_dev.tools import Tools, add_options, find_tools

from ..profiled import manifest
from ..profiled.build import Files


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("programs", nargs="*", metavar="PROGRAM|FAMILY", help="default: all programs")
    parser.add_argument("--predictor", required=True, metavar="NAME|FILE", help="the predictor of branches")
    default = ROOT / "lab" / "data" / "functions.tsv.xz"
    parser.add_argument("--out", type=pathlib.Path, default=default, metavar="FILE", help="default: lab/data/")
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    environment.add_library("lightgbm")
    from ..training import functions

    tools = find_tools(arguments.llvm, arguments.plugin)
    printed = []
    for program in manifest.chosen(manifest.load(), arguments.programs):
        folder = Files(tools.llvm.corpus / "profiled" / program.name).truth(0)
        with tempfile.TemporaryDirectory() as temporary:
            module = pathlib.Path(temporary) / f"{program.name}.bc"
            if program.held_out or not link(folder, module, tools):
                announce(f"skipping {program.name}: it is held out, has not run, or its modules cannot be linked")
                continue
            predictor = arguments.predictor.replace("{family}", program.family)
            passes = f"rust-entry-counts<features;predictor={predictor};output=->"
            text = check([*tools.opt_command(passes, "-disable-output"), module])
            printed.append((program.name, program.family, text))
    functions.write(printed, arguments.out)
    return 0


def link(folder: pathlib.Path, module: pathlib.Path, tools: Tools) -> bool:
    """Links the modules of a program, with the profile of its first run."""
    files = sorted(map(str, folder.rglob("*.bc")))
    command = [str(tools.llvm.tool("llvm-link")), *files, "-o", str(module)]
    return bool(files) and subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0
