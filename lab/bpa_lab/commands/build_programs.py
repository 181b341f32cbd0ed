"""Builds programs from packages with the plugin in CFLAGS, and holds them against builds without it.

Each is built as its users build it: gawk with configure and make, cmark with CMake, opus with meson. Everything has to
build, the program's own tests have to end as without the plugin, and the IR that the same commands leave with
-S -emit-llvm has to have more weights. Objects need not differ: the weights say what LLVM takes for granted anyway.

Sources come from Debian, at pinned versions; nothing of them is in the repository. What the build systems say goes to
target/llvm-N/programs/*.log.
"""

import argparse

from bpa_dev.messages import error
from bpa_dev.tools import add_options, find_tools

from ..programs import outcome
from ..programs.outcome import Build, Outcome
from ..programs.recipes import RECIPES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_options(parser)
    parser.add_argument(
        "names", nargs="*", choices=[[], *RECIPES], metavar="NAME", help=f"of {', '.join(RECIPES)} (default: all)"
    )


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin)
    well = True
    for name in arguments.names or RECIPES:
        recipe = RECIPES[name]()
        result = outcome.compare(recipe, tools)
        print(f"{recipe.name} ({recipe.built_by}), {tools.llvm}: {figures(result)}", flush=True)
        for text in result.trouble():
            error(f"{recipe.name}: {text}")
            well = False
    return 0 if well else 1


def figures(result: Outcome) -> str:
    plain, plugin = result.plain, result.with_plugin
    before, after = plain.weights, plugin.weights
    return (
        f"{after.files} files compiled; tests passed: {passed(plain)} without, {passed(plugin)} with; "
        f"{result.different_objects()} of {len(plain.objects)} objects differ; instructions with weights: "
        f"{before.instructions} without, {after.instructions} with, "
        f"in {before.with_weights} and {after.with_weights} of {after.functions} functions; "
        f"{plain.seconds:.0f} and {plugin.seconds:.0f} s"
    )


def passed(build: Build) -> str:
    return f"{sum(build.tests.values())} of {len(build.tests)}"
