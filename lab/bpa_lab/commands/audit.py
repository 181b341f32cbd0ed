"""Audits the programs of lab/effect: which passes lose the profile that clang -fprofile-use reads?

Compiles each program with a profile of its workload and with BPA_PIPELINE=audit. Prints two tables: the executions of
each program, and the changes by each pass, in percent of the executions of a program (median and extreme). Leaves out
passes that change less than 0.1% in every program.
"""

import argparse
import collections
import json
import os
import pathlib
import statistics
import tempfile
from typing import Any

from bpa_dev.tools import add_options, find_tools

from ..effect import workloads
from ..effect.recipes import Recipe, Recipes, compile_all
from ..effect.subject import Subject


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="default: all workloads that are not held out")
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin)
    recipes = Recipes(tools.llvm, is_thin=False)
    of_pass: dict[str, dict[str, collections.Counter[str]]] = {}
    print("| program | executions | wrong | with exact frequencies | at the beginning | lost |")
    print("| --- | --- | --- | --- | --- | --- |")
    programs = 0
    for program, commands in workloads.chosen(arguments.programs):
        subject = Subject(tools.llvm, program, commands, os.cpu_count() or 1)
        rows = audit(subject, recipes, tools.plugin)
        total = sum(row["executions"] for row in rows)
        sums = [sum(row[key] for row in rows) for key in ("wrong", "wrong_exact", "wrong_at_begin", "lost")]
        print(
            "|",
            " | ".join([program.name, f"{total:,}", *(f"{100 * part / total:.2f}%" for part in sums)]),
            "|",
            flush=True,
        )
        programs += 1
        for charges in (charges for row in rows for charges in row["passes"]):
            counter = of_pass.setdefault(charges["pass"], {}).setdefault(program.name, collections.Counter())
            for key in ("wrong", "lost"):
                counter[key] += 100 * charges[key] / total
            for key in ("weights", "unknown", "stale"):
                counter[key] += charges[key]
    print("\n| pass | wrong: median | extreme | lost: median | weights | unknown | stale |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, counters in of_pass.items():
        of_key = {key: [counter[key] for counter in counters.values()] for key in next(iter(counters.values()))}
        others = [0.0] * (programs - len(counters))
        wrong, lost = (of_key[key] + others for key in ("wrong", "lost"))
        counts = [sum(of_key[key]) for key in ("weights", "unknown", "stale")]
        if any(counts) or max(map(abs, wrong + lost)) >= 0.1:
            cells = [
                f"{statistics.median(wrong):+.2f}%",
                f"{max(wrong, key=abs):+.2f}%",
                f"{statistics.median(lost):+.2f}%",
            ]
            print("|", " | ".join([name, *cells, *map(str, counts)]), "|")
    return 0


def audit(subject: Subject, recipes: Recipes, plugin: pathlib.Path) -> list[dict[str, Any]]:
    """The audits of the modules that were executed."""
    profile, of = subject.profile(recipes.counting())
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/audit.json"
        compile_all(
            Recipe(
                of,
                lambda module, target: recipes.clang_with(
                    module,
                    target,
                    [f"-fprofile-use={profile}", f"-fpass-plugin={plugin}"],
                    {"BPA_PIPELINE": f"audit<json;append;output={file}>"},
                ),
            ),
            subject.modules,
            pathlib.Path(folder),
            os.cpu_count() or 1,
        )
        with open(file, encoding="utf-8") as lines:
            return [row for row in map(json.loads, lines) if row["executions"]]
