"""Recomputes what `rust-bpi<score>` prints from the text of LLVM's own printers, and compares.

For each module: branch weights are read in the text of its IR, executions in what print<block-freq> says of it, and
answers in what print<branch-prob> says of the same text without weights. The sums over all rules have to be those of
the table, to the last digit printed, and those over all modules those of `scripts/score`. Nothing here knows the code
that they come from. IR with `optnone` functions is none that LLVM's printers cover.
"""

import argparse
import collections
import math
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import NamedTuple

from ..messages import Failure
from ..paths import SCRIPTS
from ..tools import Tools, add_file_options, find_files, find_tools

FUNCTION = re.compile(r"^define [^@]*@(\"[^\"]*\"|[^(\s]+)\(.*\{$")
ENTERED = re.compile(r"!prof (!\d+)")
BLOCK = re.compile(r"^(\"[^\"]*\"|[-\w.$]+):")
LABEL = re.compile(r"label %(\"[^\"]*\"|[-\w.$]+)")
PROF = re.compile(r", !prof (!\d+)")
NODE = re.compile(r"^(!\d+) = (?:distinct )?!\{(.*)\}$")
NUMBER = re.compile(r"i(?:32|64) (-?\d+)")
EDGE = re.compile(r"^  edge %?(\S+) -> %?(\S+) probability is 0x([0-9a-f]+) / 0x80000000")
COUNT = re.compile(r"^ - %?(\S+): float = .*, int = \d+, count = (\d+)")
TERMINATORS = ("br i1 ", "switch ", "indirectbr ", "invoke ", "callbr ")
KINDS = ("two-way branches", "switches", "other branches")


class Branch(NamedTuple):
    kind: str
    executions: int
    #: How likely each block was said to be, and its weight; nothing of a branch that never ran.
    sides: dict[str, tuple[float, int]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_options(parser)


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin, arguments.opt_flag)
    everything: list[Branch] = []
    differing = rows = 0
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder, "program.json")
        files = list(find_files(arguments.inputs))
        for file in files:
            text = opt(tools, file, "instnamer", "-S", "-o", "-").stdout
            named = pathlib.Path(folder, "named.ll")
            named.write_text(text)
            found = list(branches(tools, named, text))
            everything += found
            printed = opt(tools, named, "rust-bpi<score>", "-disable-output").stderr
            opt(tools, named, f"rust-bpi<score;json;append;output={data}>", "-disable-output")
            differing += compare(found, printed, str(file))
            rows += 1
        if len(files) > 1:
            score = [sys.executable, str(SCRIPTS / "score"), "--costliest=0", str(data)]
            printed = subprocess.run(score, stdout=subprocess.PIPE, text=True, check=True).stdout
            differing += compare(everything, printed, "all files")
    ran = [branch for branch in everything if branch.executions]
    print(
        f"score: {rows} files, {len(ran)} branches that ran, {len(everything) - len(ran)} that did not, "
        f"{sum(branch.executions for branch in ran)} executions, {differing} differing rows"
    )
    return 1 if differing else 0


def opt(tools: Tools, file: pathlib.Path, passes: str, *words: str) -> "subprocess.CompletedProcess[str]":
    command = [*tools.opt_command(passes), *words, str(file)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"{file}: {done.stderr.strip()[:300]}")
    return done


def compare(found: list[Branch], printed: str, what: str) -> int:
    """How many rows differ of those over all rules, and of the line about branches that never ran."""
    expected = [row for kind in KINDS for row in rows_of(found, kind)]
    told = []
    heading = ""
    for line in printed.splitlines():
        heading = next((kind for kind in KINDS if line.startswith(kind)), heading)
        if line.startswith("all ") and heading:
            told.append([heading, *line.split()[1:10]])
        elif line.startswith("never ran: "):
            told.append([line.split()[2]])
    expected.append([str(sum(not branch.executions for branch in found))])
    differing = sum(one != other for one, other in zip(expected, told, strict=False)) + abs(len(expected) - len(told))
    if differing:
        print(f"{what}: expected {expected}, printed {told}")
    return differing


def rows_of(found: list[Branch], kind: str) -> Iterator[list[str]]:
    those = [branch for branch in found if branch.kind == kind and branch.executions]
    if not those:
        return
    runs = sum(branch.executions for branch in those)
    sums: collections.Counter[str] = collections.Counter()
    for branch in those:
        for name, value in figures(branch).items():
            sums[name] += value * branch.executions  # type: ignore[assignment]  # a counter adds any numbers
    mean = {name: value / runs for name, value in sums.items()}
    avoidable = "100.00%" if sums["perfect"] > sums["hits"] else "0.00%"
    percents = [f"{100 * mean[name]:.2f}%" for name in ("hits", "perfect", "predicted", "true")]
    yield [kind, str(len(those)), str(runs), "100.00%", *percents, f"{mean['bits']:.4f}", avoidable]


def figures(branch: Branch) -> dict[str, float]:
    whole = sum(weight for _, weight in branch.sides.values())
    truth = {block: weight / whole for block, (_, weight) in branch.sides.items()}
    likeliest = max(answer for answer, _ in branch.sides.values())
    favourites = [block for block, (answer, _) in branch.sides.items() if answer == likeliest]
    bits = 0.0
    for block, (answer, _) in branch.sides.items():
        if truth[block] > 0:
            bits += truth[block] * math.log(truth[block] / min(max(answer, 2**-20), 1 - 2**-20), 2)
    return {
        "hits": sum(truth[block] for block in favourites) / len(favourites),
        "perfect": max(truth.values()),
        "predicted": likeliest,
        "true": truth[favourites[0]],
        "bits": bits,
    }


def branches(tools: Tools, file: pathlib.Path, text: str) -> Iterator[Branch]:
    """All branches of functions with an entry count."""
    bare = file.with_name("bare.ll")
    bare.write_text("\n".join(without_weights(line) for line in text.splitlines()) + "\n")
    answers = by_function(opt(tools, bare, "function(print<branch-prob>)", "-disable-output").stderr, "BPI", EDGE)
    counts = by_function(opt(tools, file, "function(print<block-freq>)", "-disable-output").stderr, "BFI", COUNT)
    nodes = {found[1]: found[2] for found in map(NODE.match, text.splitlines()) if found}
    function, block = "", ""
    lines = iter(text.splitlines())
    for line in lines:
        if found := FUNCTION.match(line):
            function, block = found[1].strip('"'), ""
        elif found := BLOCK.match(line):
            block = found[1].strip('"')
        elif line == "}":
            function = ""
        elif function and counts.get(function):
            whole = whole_terminator(line, lines)
            if whole:
                yield branch(whole, block, nodes, dict(answers[function]), dict(counts[function]))


Pairs = list[tuple[str | tuple[str, str], int]]


def by_function(report: str, analysis: str, line: re.Pattern[str]) -> dict[str, Pairs]:
    """What a report says of the edges or blocks of each function."""
    heading = re.compile(
        rf"^Printing analysis .*{analysis} for function '(.*)':$|^Printing analysis '.*' for .*'(.*)':$"
    )
    found: dict[str, Pairs] = {}
    pairs: Pairs = []
    for text in report.splitlines():
        if title := heading.match(text):
            pairs = found.setdefault(title[1] or title[2], [])
        elif entry := line.match(text):
            words = [word.strip('"') for word in entry.groups()]
            if len(words) == 3:
                pairs.append(((words[0], words[1]), int(words[2], 16)))
            else:
                pairs.append((words[0], int(words[1])))
    return found


def without_weights(line: str) -> str:
    return re.sub(r", !(?:prof|irr_loop) !\d+", "", line)


def whole_terminator(line: str, lines: Iterator[str]) -> str:
    """The text of a terminator with a choice, which may go on for some lines; nothing of other instructions."""
    start = re.sub(r"^  (?:%\S+ = )?", "", line)
    if not start.startswith(TERMINATORS):
        return ""
    if start.startswith("switch "):
        while "]" not in line:
            line = next(lines)
            start += line
    elif start.startswith(("invoke ", "callbr ")):
        start += next(lines)
    return start


def branch(
    text: str,
    block: str,
    nodes: dict[str, str],
    answers: dict[str | tuple[str, str], int],
    counts: dict[str | tuple[str, str], int],
) -> Branch:
    targets = [target.strip('"') for target in LABEL.findall(text)]
    prof = PROF.search(text)
    node = nodes.get(prof[1], "") if prof else ""
    weights = [int(number) for number in NUMBER.findall(node)] if '"branch_weights"' in node else []
    if text.startswith("switch "):
        kind = KINDS[1]
    else:
        kind = KINDS[0] if text.startswith("br ") and len(set(targets)) == 2 else KINDS[2]
    executions = counts.get(block, 0)
    if len(weights) != len(targets) or not any(weights) or not executions:
        return Branch(kind, 0, {})
    totals: collections.Counter[str] = collections.Counter()
    for target, weight in zip(targets, weights, strict=True):
        totals[target] += weight
    sides = {target: (answers[block, target] / 2**31, totals[target]) for target in dict.fromkeys(targets)}
    return Branch(kind, executions, sides)
