"""Checks that JSON, explanations, remarks and pictures have the same numbers as the reports of rust-bpi and rust-bfi.

One run of `opt` writes all output formats for a file. A report with explanations must equal the plain report after the
explanations are removed. JSON must contain every probability and every frequency of the reports. JSON with explanations
must be valid against the published schema. JSON and remarks must list the same branches. Each function must have one
picture.

The exit status is 0 only if at least one edge was compared and nothing differs.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import tempfile
from collections.abc import Iterator
from typing import Any

from .. import environment
from ..messages import Failure
from ..paths import ROOT
from ..tools import Tools, add_file_options, find_files, find_tools

#: For each compared output format, the name of its file, and the pass that writes the file.
OUTPUTS = {
    "bpi": "rust-bpi<output={}>",
    "bpi-explained": "rust-bpi<explain;output={}>",
    "bfi": "rust-bfi<output={}>",
    "bfi-explained": "rust-bfi<explain;output={}>",
    "json": "rust-bfi<json;output={}>",
    "json-explained": "rust-bfi<json;explain;output={}>",
    "pictures": "rust-bfi<dot;output={}>",
}
#: The indentation of reasons. All other lines have less indentation.
REASON = b"      "
PROBABILITY = re.compile(rb" probability is 0x([0-9a-f]{8}) / 0x80000000 = ")
FREQUENCY = re.compile(rb"^ - .*: float = [-+.E0-9]+, int = (\d+)", re.MULTILINE)
REMARK = re.compile(rb"^--- !Analysis\nPass: +\S+\nName: +(\w+)$", re.MULTILINE)
RULE = re.compile(rb"^  - Rule: +'?([^'\n]*)'?$", re.MULTILINE)
ONE = 1 << 31

#: The schema of a function in JSON.
SCHEMA = ROOT / "docs" / "src" / "reference" / "schemas" / "bpa.schema.json"
#: A function in JSON.
Function = dict[str, Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_options(parser)


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin, arguments.opt_flag)
    counts: collections.Counter[str] = collections.Counter()
    environment.add_library("fastjsonschema")
    import fastjsonschema

    validate = fastjsonschema.compile(json.loads(SCHEMA.read_text()))
    for path in find_files(arguments.inputs):
        with tempfile.TemporaryDirectory() as folder:
            make_outputs(path, pathlib.Path(folder), tools)
            differing = [f"{path}: {what}" for what in differences(pathlib.Path(folder), counts)]
            for line in (pathlib.Path(folder) / "json-explained").read_text().splitlines():
                try:
                    validate(json.loads(line))
                except fastjsonschema.JsonSchemaException as problem:
                    differing.append(f"{path}: the JSON is not valid: {problem}")
        if differing:
            raise Failure("\n".join(differing))
        counts["files"] += 1
    compared = ", ".join(f"{counts[what]} {what}" for what in ("files", "functions", "edges", "blocks"))
    print(f"reports: {compared}, equal in all forms of output")
    return 0 if counts["edges"] else 1


def make_outputs(path: pathlib.Path, folder: pathlib.Path, tools: Tools) -> None:
    passes = [text.format(folder / name) for name, text in OUTPUTS.items()]
    remarks = [f"-pass-remarks-output={folder / 'remarks'}", "-pass-remarks-filter=rust-b[pf]i"]
    passes += ["rust-bpi<remarks>", "rust-bfi<remarks>"]
    command = [*tools.opt_command(",".join(passes), "-disable-output", *remarks), str(path)]
    if subprocess.run(command, stderr=subprocess.DEVNULL).returncode != 0:
        raise Failure(f"opt failed on {path}")


def differences(folder: pathlib.Path, counts: collections.Counter[str]) -> Iterator[str]:
    """Describes each difference between two output formats."""
    texts = {name: (folder / name).read_bytes() for name in OUTPUTS if name != "pictures"}
    functions: list[Function] = [json.loads(line) for line in texts["json"].splitlines()]
    for name in ("bpi", "bfi"):
        if without_reasons(texts[f"{name}-explained"]) != texts[name]:
            yield f"the explained report of {name} without reasons differs from the plain report"
    probabilities = [int(digits, 16) for digits in PROBABILITY.findall(texts["bpi"])]
    if [probability for function in functions for probability in printed_probabilities(function)] != probabilities:
        yield "the probabilities in JSON differ from the report"
    frequencies = FREQUENCY.findall(texts["bfi"])
    if [block["integer"].encode() for function in functions for block in function["blocks"]] != frequencies:
        yield "the frequencies in JSON differ from the report"
    remarks = (folder / "remarks").read_bytes()
    rules = [edges[0]["rule"].encode() for function in functions for edges in branches(function)]
    if RULE.findall(remarks) != rules:
        yield "the rules in the remarks differ from the rules in JSON"
    kinds = collections.Counter(REMARK.findall(remarks))
    loops = sum(len(function["loops"]) for function in functions)
    expected = {b"BranchProbability": len(rules), b"BlockFrequency": len(rules), b"LoopFrequency": loops}
    if any(kinds[kind] != number for kind, number in expected.items()):
        yield f"the numbers of remarks are {dict(kinds)}, expected {expected}"
    pictures = list((folder / "pictures").glob("*.dot"))
    if len(pictures) != len(functions):
        yield f"{len(pictures)} pictures of {len(functions)} functions"
    counts.update(functions=len(functions), edges=len(probabilities), blocks=len(frequencies))


def without_reasons(explained: bytes) -> bytes:
    return b"".join(line for line in explained.splitlines(keepends=True) if not line.startswith(REASON))


def printed_probabilities(function: Function) -> Iterator[int]:
    """Yields the probability that the report prints for each edge: the sum over all parallel edges."""
    for edges in edges_by_block(function):
        for edge in edges:
            parallel = [other["numerator"] for other in edges if other["to"] == edge["to"]]
            if edge["rule"] in ("even", "single"):
                yield (len(parallel) * ONE + len(edges) // 2) // len(edges)
            else:
                yield min(sum(parallel), ONE)


def branches(function: Function) -> Iterator[list[Function]]:
    """Yields the edges of each block with several outgoing edges."""
    return (edges for edges in edges_by_block(function) if len(edges) > 1)


def edges_by_block(function: Function) -> Iterator[list[Function]]:
    edges: dict[int, list[Function]] = collections.defaultdict(list)
    for edge in function["edges"]:
        edges[edge["from"]].append(edge)
    return (edges[block] for block in sorted(edges))
