"""Checks what `rust-bpi<explain>` says on any IR or bitcode, and counts which rules decide.

Every edge must have a reason; the weights told must make, by the arithmetic of each rule done here
once more, the probability that LLVM's line has; and without the reasons the report must be that of
`rust-bpi`, byte for byte. The same is asked of `rust-bfi<explain>`, where every block must have a
reason. Prints how many edges each rule decides; exits with 0 only if all holds.
"""

import argparse
import collections
import pathlib
import re
import subprocess
from collections.abc import Iterator, Sequence

from ..messages import Failure
from ..tools import Tools, add_file_options, find_files, find_tools

ONE = 1 << 31
EDGE = re.compile(rb"^  edge (.*) probability is 0x([0-9a-f]{8}) / 0x80000000 = ")
BLOCK = re.compile(rb"^ - (.*): float = ")
INDENT = b"      "
OPERAND = rb'%([-\w.]+|"[^"]*")'
NAMES = re.compile(rb"^\(" + OPERAND + rb" -> " + OPERAND + rb"\)$")
BARE = re.compile(rb"^(.*?) -> (.*)$")
OPERANDS = re.compile(rb"^" + OPERAND + rb" -> " + OPERAND + rb"$")
RULES = [
    "metadata",
    "estimated weights",
    "pointer",
    "constant",
    "floating point",
    "even",
    "single successor",
    "not reached",
]
SHARE = re.compile(rb"^(" + "|".join(RULES).encode() + rb"), (\d+) of (\d+): (.*)$")
# What the reason of an estimated weight may be, for the table.
ESTIMATES = {
    "it leaves a loop for a rare block": rb"it leaves the .* for .*, which ",
    "it leaves a loop": rb"it leaves the ",
    "it goes round a loop or stays in it": rb"it (goes round|stays in) ",
    "it leads to what is cold": rb".* is cold",
    "it leads to what hardly ever runs": rb".* hardly ever runs",
    "it leads to what never completes": rb".* never completes",
    "nothing speaks against it": rb"nothing speaks against ",
}


class Edge:
    """One edge as its line and its reason tell it."""

    def __init__(self, match: re.Match[bytes]) -> None:
        # Names that are not plain are told once more, below the line.
        names = OPERANDS.match(match[1]) or BARE.match(match[1])
        self.source, self.target = names.groups() if names else (match[1], b"")
        self.numerator = int(match[2], 16)
        self.reason: list[bytes] = []


Counts = collections.Counter[str]
#: What is wrong, a line each.
Faults = list[str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_options(parser)


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin, arguments.opt_flag)
    counts: Counts = collections.Counter()
    faults: Faults = []
    for path in find_files(arguments.inputs):
        explained = report(tools, "rust-bpi<explain>", path)
        compare(explained, report(tools, "rust-bpi", path), path, faults)
        for block in blocks_of(explained):
            counts += check_block(block, path, faults)
        explained = report(tools, "rust-bfi<explain>", path)
        compare(explained, report(tools, "rust-bfi", path), path, faults)
        counts["blocks"] += check_frequencies(explained, path, faults)
    for fault in faults[:20]:
        print(fault)
    print_table(counts, len(faults))
    return 1 if faults or not counts["edges"] else 0


def report(tools: Tools, passes: str, path: pathlib.Path) -> list[bytes]:
    """The lines that a pass prints, with their ends."""
    done = subprocess.run([*tools.opt_command(passes, "-disable-output"), path], stderr=subprocess.PIPE)
    if done.returncode != 0:
        raise Failure(f"opt fails on {path}:\n{done.stderr.decode(errors='replace')[-1000:]}")
    return done.stderr.splitlines(keepends=True)


def compare(explained: Sequence[bytes], plain: Sequence[bytes], path: pathlib.Path, faults: Faults) -> None:
    """Without the reasons the report is the plain one."""
    if [line for line in explained if not line.startswith(INDENT)] != plain:
        faults.append(f"{path}: without the reasons the report is another one")


def blocks_of(lines: Sequence[bytes]) -> Iterator[list[Edge]]:
    """The edges of each block that has any: lists of edges."""
    edges: list[Edge] = []
    for line in lines:
        match = EDGE.match(line)
        if match:
            edges.append(Edge(match))
        elif line.startswith(INDENT):
            words = line.strip()
            names = NAMES.match(words)
            if names:
                edges[-1].source, edges[-1].target = names.groups()
            else:
                edges[-1].reason.append(words)
        elif edges:
            yield from grouped(edges)
            edges = []
    yield from grouped(edges)


def grouped(edges: Sequence[Edge]) -> Iterator[list[Edge]]:
    group: list[Edge] = []
    for edge in edges:
        if group and group[0].source != edge.source:
            yield group
            group = []
        group.append(edge)
    if group:
        yield group


def check_block(edges: Sequence[Edge], path: pathlib.Path, faults: Faults) -> Counts:
    """Holds the told weights of one block against its probabilities; counts what decided."""
    counts: Counts = collections.Counter(edges=len(edges))

    def fault(text: str) -> Counts:
        faults.append(f"{path}: edges of {edges[0].source.decode(errors='replace')}: {text}")
        return counts

    shares = [share for edge in edges if edge.reason and (share := SHARE.match(edge.reason[0]))]
    if len(shares) != len(edges):
        return fault("an edge without a reason")
    rules = {share[1] for share in shares}
    totals = {int(share[3]) for share in shares}
    if len(rules) != 1 or len(totals) != 1:
        return fault("more than one rule")
    rule, total = rules.pop().decode(), totals.pop()
    weights = [int(share[2]) for share in shares]
    if sum(weights) % 2**32 != total:
        return fault(f"the weights {weights} are not shares of {total}")
    for edge, expected in zip(edges, expected_numerators(rule, edges, weights, total), strict=True):
        if edge.numerator != expected:
            return fault(f"{edge.numerator:#x} is not what {rule} makes of {weights}: {expected:#x}")
    counts[rule] = len(edges)
    if rule == "estimated weights":
        for share in shares:
            kind = next((kind for kind, words in ESTIMATES.items() if re.match(words, share[4])), None)
            if kind is None:
                return fault(f"an unknown reason: {share[4].decode(errors='replace')}")
            counts[kind] += 1
    return counts


def expected_numerators(rule: str, edges: Sequence[Edge], weights: Sequence[int], total: int) -> list[int]:
    """For each edge the probability of going to its target by any edge."""
    if rule in ("even", "not reached"):
        parallel = collections.Counter(edge.target for edge in edges)
        return [nearest(parallel[edge.target] * ONE, total) for edge in edges]
    each = [min(nearest(weight * ONE, total) % 2**32, ONE) for weight in weights]
    if rule == "metadata":
        each = capped(each, [any(b"Capped" in line for line in edge.reason) for edge in edges])
    sums: collections.Counter[bytes] = collections.Counter()
    for edge, numerator in zip(edges, each, strict=True):
        sums[edge.target] += numerator
    return [min(sums[edge.target], ONE) for edge in edges]


def capped(each: list[int], caps: Sequence[bool]) -> list[int]:
    """Takes what is above the cap from the edges that never complete, and gives it to the others."""
    if not any(caps):
        return each
    each = [min(numerator, 1) if cap else numerator for numerator, cap in zip(each, caps, strict=True)]
    before = min(sum(numerator for numerator, cap in zip(each, caps, strict=True) if not cap), ONE)
    after = ONE - sum(numerator for numerator, cap in zip(each, caps, strict=True) if cap)
    if before == after:
        return each
    if before == 0:
        return [
            numerator if cap else after // sum(not cap for cap in caps)
            for numerator, cap in zip(each, caps, strict=True)
        ]
    return [numerator if cap else nearest(after * numerator, before) for numerator, cap in zip(each, caps, strict=True)]


def nearest(dividend: int, divisor: int) -> int:
    return (dividend + divisor // 2) // divisor


def check_frequencies(lines: Sequence[bytes], path: pathlib.Path, faults: Faults) -> int:
    """Every block has a reason; returns how many blocks there are."""
    blocks = [place for place, line in enumerate(lines) if BLOCK.match(line)]
    for place in blocks:
        if place + 1 == len(lines) or not lines[place + 1].startswith(INDENT):
            faults.append(f"{path}: no reason below {lines[place].decode(errors='replace').strip()}")
    return len(blocks)


def print_table(counts: Counts, faults: int) -> None:
    edges = counts["edges"]
    for name in RULES:
        print(f"{name:<40}{counts[name]:>9}{100 * counts[name] / max(edges, 1):>8.2f}%")
        if name == "estimated weights":
            for kind in ESTIMATES:
                print(f"  {kind:<38}{counts[kind]:>9}{100 * counts[kind] / max(edges, 1):>8.2f}%")
    print(f"reasons: {edges} edges, {counts['blocks']} blocks, {faults} faults")
