"""Checks the JSON about any IR or bitcode: against its schema, and against what the printers print.

The schemas are docs/src/reference/schemas/bpa.schema.json and docs/src/reference/schemas/entry-counts.schema.json, which the Python library jsonschema reads:
that of the system, or one from pip. The report on branch probabilities is written anew from JSON alone, and has to be
the one that is printed, byte for byte; frequencies, counts, biases and entry counts are compared by their numbers,
and the last have to solve the equations of calls.
"""

import argparse
import collections
import itertools
import json
import math
import pathlib
import re
import subprocess
import tempfile
from collections.abc import Sequence
from typing import Any, Protocol

from ..entry_counts import as_data
from ..environment import add_library
from ..messages import Failure
from ..paths import DOCS
from ..tools import Tools, add_file_options, find_files, find_tools

SCHEMA = DOCS / "src/reference/schemas/bpa.schema.json"
#: A row of JSON, which the schema has types for.
Row = dict[str, Any]
Tally = collections.Counter[str]


class Validator(Protocol):
    def validate(self, row: Row) -> None: ...


WHOLE = 1 << 31
# A frequency and a bias as printers write them: five digits, and all of the integers.
FREQUENCY = re.compile(
    rb"float = ([-+.E0-9]+), int = (\d+)(?:, count = (\d+))?" rb"(?:, irr_loop_header_weight = (\d+))?$", re.MULTILINE
)
BIAS = re.compile(rb"bias = ([-+.E0-9]+), float = ([-+.E0-9]+), reference = ([-+.E0-9]+)$", re.MULTILINE)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_options(parser)


def run(arguments: argparse.Namespace) -> int:
    tools = find_tools(arguments.llvm, arguments.plugin, arguments.opt_flag)
    validator, of_calls = schema_validator(SCHEMA), schema_validator(as_data.SCHEMA)
    tally: Tally = collections.Counter()
    for path in find_files(arguments.inputs):
        tally["files"] += 1
        with tempfile.TemporaryDirectory() as folder:
            check_file(path, Outputs(tools, path, pathlib.Path(folder)), validator, tools.llvm.version, tally)
        for row in as_data.rows_of(path, tools):
            of_calls.validate(row)
            tally["callers"] += len(row["callers"])
    print(
        f"json: {tally['files']} files, {tally['functions']} functions, {tally['blocks']} blocks, "
        f"{tally['edges']} edges, {tally['loops']} loops, {tally['callers']} callers, "
        "all as the schemas and the printers say"
    )
    return 0


def schema_validator(file: pathlib.Path) -> Validator:
    try:
        import jsonschema  # which no other command needs
    except ImportError:
        add_library("jsonschema")
        import jsonschema

    schema = json.loads(file.read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    validator: Validator = jsonschema.Draft7Validator(schema)
    return validator


class Outputs:
    """What opt prints about one file, in every form."""

    def __init__(self, tools: Tools, path: pathlib.Path, folder: pathlib.Path) -> None:
        forms = {
            "edges": "rust-bpi<json",
            "json": "rust-bfi<json",
            "bpi": "print<rust-bpi",
            "bfi": "print<rust-bfi",
            "bias": "print<rust-bias",
        }
        passes = ",".join(
            f"{element}{';' if '<' in element else '<'}output={folder / name}>" for name, element in forms.items()
        )
        done = subprocess.run([*tools.opt_command(passes, "-disable-output"), path])
        if done.returncode != 0:
            raise Failure(f"opt failed on {path}")
        self.reports = {name: (folder / name).read_bytes() for name in forms}

    def lines(self, name: str) -> list[Row]:
        return [json.loads(line) for line in self.reports[name].splitlines()]


def check_file(path: pathlib.Path, outputs: Outputs, validator: Validator, llvm: int, tally: Tally) -> None:
    functions, without = outputs.lines("json"), outputs.lines("edges")
    # Those without frequencies differ by fields that are not there: some of them do for all.
    for function in functions + without[:100]:
        validator.validate(function)
    expect(path, "both analyses agree", [reduced(f) for f in functions], without)
    for function in functions:
        check_indices(path, function)
        tally.update(
            functions=1, blocks=len(function["blocks"]), edges=len(function["edges"]), loops=len(function["loops"])
        )
    rows = [block for function in functions for block in function["blocks"]]
    expect(path, "branch probabilities", b"".join(branch_report(f, llvm) for f in functions), outputs.reports["bpi"])
    printed = FREQUENCY.findall(outputs.reports["bfi"])
    expect(path, "integers", [integers(row) for row in rows], [tuple(found[1:]) for found in printed])
    expect_near(path, [row["frequency"] for row in rows], [found[0] for found in printed])
    printed = BIAS.findall(outputs.reports["bias"])
    for place, field in enumerate(["bias", "frequency", "reference"]):
        expect_near(path, [row[field] for row in rows], [found[place] for found in printed])


def reduced(function: Row) -> Row:
    """A function without frequencies."""
    function = dict(function, analysis="rust-bpi")
    function["blocks"] = [
        pick(b, "name", "loop", "terminator", "header_weight", "source", "first", "lines") for b in function["blocks"]
    ]
    function["loops"] = [pick(loop, "headers", "irreducible", "parent", "depth") for loop in function["loops"]]
    return function


def pick(row: Row, *fields: str) -> Row:
    return {field: row[field] for field in fields if field in row}


def check_indices(path: pathlib.Path, function: Row) -> None:
    """Edges come block by block and successor by successor; loops come after the loops around them."""
    blocks, edges, loops = function["blocks"], function["edges"], function["loops"]
    places = [(edge["from"], edge["successor"]) for edge in edges]
    expect(path, "the order of edges", places, sorted(set(places)))
    gaps = [
        place
        for before, place in itertools.pairwise([(-1, -1), *places])
        if place[1] != (before[1] + 1 if before[0] == place[0] else 0)
    ]
    expect(path, "successors without gaps", gaps, [])
    for place, row in enumerate(loops):
        around = -1 if row["parent"] is None else row["parent"]
        expect(path, "outer loops first", around < place, True)
        expect(path, "depth", row["depth"], 1 if around < 0 else loops[around]["depth"] + 1)
        expect(path, "irreducible", row["irreducible"], len(row["headers"]) > 1)
    ends = [edge[end] for edge in edges for end in ("from", "to")]
    ends += [header for row in loops for header in row["headers"]]
    expect(path, "ends that are blocks", [end for end in ends if end >= len(blocks)], [])
    expect(path, "loops", [b for b in blocks if b["loop"] is not None and b["loop"] >= len(loops)], [])


def branch_report(function: Row, llvm: int) -> bytes:
    """What rust-bpi prints, from JSON alone."""
    name = function["function"].encode()
    if "function_bytes" in function:
        name = bytes.fromhex(function["function_bytes"])
    header = b"'Branch Probability Analysis'" if llvm >= 18 else b"results of BPI"
    text = [b"Printing analysis " + header + b" for function '" + name + b"':\n", b"---- Branch Probabilities ----\n"]
    names = [block["name"].encode() for block in function["blocks"]]
    names = names if llvm >= 18 else [bare(name) for name in names]
    edges: dict[int, list[Row]] = collections.defaultdict(list)
    for edge in function["edges"]:
        edges[edge["from"]].append(edge)
    for source, out in edges.items():
        for edge in out:
            number = together(out, edge)
            text.append(
                b"  edge "
                + names[source]
                + b" -> "
                + names[edge["to"]]
                + b" probability is 0x%08x / 0x80000000 = %.2f%%" % (number, percent(number))
                + (b" [HOT edge]\n" if number > (WHOLE * 4 + 2) // 5 else b"\n")
            )
    return b"".join(text)


def together(out: Sequence[Row], edge: Row) -> int:
    """The numerator of going where `edge` goes by any of the edges `out` of a block."""
    parallel: list[int] = [other["numerator"] for other in out if other["to"] == edge["to"]]
    if edge["rule"] in ("even", "single"):
        return (len(parallel) * WHOLE + len(out) // 2) // len(out)
    return min(sum(parallel), WHOLE)


def percent(numerator: int) -> float:
    return round(numerator / WHOLE * 100.0 * 100.0) / 100.0


def bare(operand: bytes) -> bytes:
    """A name without what LLVM's assembly puts around it; nothing for a block without a name."""
    if not operand.startswith(b'%"'):
        return b"" if operand[1:].isdigit() else operand[1:]

    def unescaped(found: re.Match[bytes]) -> bytes:
        return b"\\" if found[1] == b"\\" else bytes.fromhex(found[1].decode())

    return re.sub(rb"\\(\\|[0-9A-F]{2})", unescaped, operand[2:-1])


def integers(row: Row) -> tuple[bytes, ...]:
    return tuple(row.get(field, "").encode() for field in ("integer", "count", "header_weight"))


def expect_near(path: pathlib.Path, numbers: Sequence[Row], printed: Sequence[bytes]) -> None:
    """Checks numbers against five printed digits, and the double against the exact number."""
    expect(path, "as many numbers as lines", len(numbers), len(printed))
    for number, text in zip(numbers, printed, strict=True):
        exact = math.ldexp(int(number["digits"]), number["exponent"]) if number["exponent"] < 900 else None
        if exact is not None:
            expect(path, "a double", number["value"], exact)
            expect(path, "five digits", abs(exact - float(text)) <= exact * 0.6e-4 + 1e-19, True)


def expect(path: pathlib.Path, what: str, found: object, wanted: object) -> None:
    if found != wanted:
        raise Failure(f"{path}: {what}: {shortened(found)} is not {shortened(wanted)}")


def shortened(value: object) -> str:
    text = repr(value)
    return text if len(text) < 500 else text[:500] + "..."
