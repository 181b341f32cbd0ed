"""Checks remarks against JSON: each branch and each loop has one, in order, with JSON's numbers and places.

Remarks are read back by LLVM's own reader. With --same, two files of remarks have to say the same: one of YAML, the
other a bitstream (in an object file for macOS the section __LLVM,__remarks).
"""

import argparse
import collections
import json
import pathlib
import subprocess
import tempfile
from typing import Any

from ..messages import Failure
from ..remarks import Place, Reader, Remark
from ..tools import Tools, add_compare_options, find_files, find_tools

Row = dict[str, Any]
WHOLE = 1 << 31
#: So many ways of a branch are told one by one.
MOST_TOLD = 6


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("inputs", nargs="+", metavar="FILE|DIR", help=".ll or .bc files; with --same two of remarks")
    parser.add_argument("--same", action="store_true", help="compare a file of YAML with one of a bitstream")
    add_compare_options(parser)


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin, arguments.opt_flag)
    reader = Reader(tools.llvm)
    if arguments.same:
        yaml, bitstream = (pathlib.Path(name).read_bytes() for name in arguments.inputs)
        expected = reader.read(yaml)
        expect("bitstream", reader.read(bitstream, "Bitstream"), expected)
        print(f"remarks: {len(expected)} in YAML, the same as bitstream")
        return 0
    files, branches, loops = 0, 0, 0
    for path in find_files(arguments.inputs):
        more = check_file(path, tools, reader)
        files, branches, loops = files + 1, branches + more[0], loops + more[1]
    print(f"remarks: {files} files, {branches} branches, {loops} loops, each remarked upon once, with JSON's numbers")
    return 0


def check_file(path: pathlib.Path, tools: Tools, reader: Reader) -> tuple[int, int]:
    """How many branches and loops there are."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        passes = f"rust-bpi<remarks>,rust-bfi<remarks>,rust-bfi<json;output={folder / 'json'}>"
        options = (f"-pass-remarks-output={folder / 'yaml'}", "-pass-remarks-filter=rust-b[pf]i", "-disable-output")
        if subprocess.run([*tools.opt_command(passes, *options), path]).returncode != 0:
            raise Failure(f"opt failed on {path}")
        remarks = reader.read((folder / "yaml").read_bytes())
        functions = [json.loads(line) for line in (folder / "json").read_bytes().splitlines()]
    by_function: dict[tuple[str, str], list[Remark]] = collections.defaultdict(list)
    for remark in remarks:
        by_function[unquoted(remark.function), remark.name].append(remark)
    counts = [0, 0]
    for function in functions:
        where, name = f"{path}, {function['function']}", function["function"]
        ways = [way for way in ways_of_blocks(function) if len(way[1]) > 1]
        probabilities, frequencies, loops = (
            by_function.pop((in_remarks(name), kind), [])
            for kind in ("BranchProbability", "BlockFrequency", "LoopFrequency")
        )
        expect(f"branches of {where}", [told(remark) for remark in probabilities], [expected(*way) for way in ways])
        places = [place_of(block.get("source")) for block, _ in ways]
        expect(f"places of {where}", [remark.place for remark in frequencies], places)
        expect_near(where, frequencies, "Frequency", [block["frequency"]["value"] for block, _ in ways])
        expect_near(where, loops, "Turns", [loop["scale"]["value"] for loop in function["loops"]])
        expect_near(where, loops, "Entries", [loop["entries"]["value"] for loop in function["loops"]])
        counts = [counts[0] + len(ways), counts[1] + len(loops)]
    expect("functions that JSON has", list(by_function), [])
    return counts[0], counts[1]


def in_remarks(name: str) -> str:
    """What remarks call a function: LLVM drops the \\1 that says that a name shall not be mangled."""
    return name.removeprefix("\1")


def unquoted(name: str) -> str:
    """YAML has names beyond ASCII in double quotes, and LLVM's reader, which drops single ones, leaves those."""
    inner = name.removeprefix('"').removesuffix('"')
    return inner if not inner.isascii() else name


def ways_of_blocks(function: Row) -> list[tuple[Row, list[Row]]]:
    """Each block with the edges from it."""
    edges: list[list[Row]] = [[] for _ in function["blocks"]]
    for edge in function["edges"]:
        edges[edge["from"]].append(edge)
    return list(zip(function["blocks"], edges, strict=True))


def expected(block: Row, edges: list[Row]) -> tuple[Place | None, str, list[str]]:
    """Where a branch stands, its rule, and its shares, the likeliest first; parallel edges are one way."""
    ways: collections.Counter[int] = collections.Counter()
    for edge in edges:
        ways[edge["to"]] += edge["numerator"]
    if edges[0]["rule"] == "even":
        # Of even shares the sum is rounded once.
        count = collections.Counter(edge["to"] for edge in edges)
        ways = collections.Counter({to: (WHOLE * n + len(edges) // 2) // len(edges) for to, n in count.items()})
    shares = [min(numerator, WHOLE) for numerator in sorted(ways.values(), reverse=True)]
    return place_of(block.get("source")), edges[0]["rule"], [percent(share) for share in shares[:MOST_TOLD]]


def told(remark: Remark) -> tuple[Place | None, str, list[str]]:
    return remark.place, remark.texts("Rule")[0], remark.texts("Share")


def percent(numerator: int) -> str:
    return f"{round(numerator / WHOLE * 100 * 100) / 100:.2f}%"


def place_of(source: Row | None) -> Place | None:
    return None if source is None else (source["file"], source["line"], source.get("column", 0))


def expect(what: str, found: object, wanted: object) -> None:
    if found != wanted:
        raise Failure(f"{what}: found {found}, expected {wanted}")


def expect_near(where: str, remarks: list[Remark], key: str, wanted: list[float]) -> None:
    """Remarks have five digits, and as LLVM's printers no more than 64 binary ones behind the point."""
    found = [float(remark.texts(key)[0]) for remark in remarks]
    near = [abs(one - other) <= max(1e-4 * abs(other), 2**-63) for one, other in zip(found, wanted, strict=False)]
    expect(f"{key} in {where}", (len(found), all(near)), (len(wanted), True))
