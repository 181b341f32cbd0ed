"""The JSON of `rust-entry-counts`, held against what it prints, and against the equations of calls."""

import json
import math
import pathlib
import re
import subprocess
import tempfile
from typing import Any

from ..messages import Failure
from ..paths import DOCS
from ..tools import Tools

SCHEMA = DOCS / "src/reference/schemas/entry-counts.schema.json"
Row = dict[str, Any]
PRINTED = re.compile(rb"^ - (.*?): calls = ([-+.E0-9]+), time = ([.0-9]+)%", re.MULTILINE | re.DOTALL)
#: How often a function is called from outside.
STARTS = {"main": 1, "once": 1, "visible": 1, "visible cold": 1 / 32, "visible hot": 32}


def rows_of(path: pathlib.Path, tools: Tools) -> list[Row]:
    """A row a function, after they have been found to say what is printed."""
    with tempfile.TemporaryDirectory() as folder:
        data, text = pathlib.Path(folder, "data"), pathlib.Path(folder, "text")
        passes = f"rust-entry-counts<json;output={data}>,print<rust-entry-counts;output={text}>"
        if subprocess.run([*tools.opt_command(passes, "-disable-output"), path]).returncode != 0:
            raise Failure(f"opt failed on {path}")
        rows = [json.loads(line) for line in data.read_bytes().splitlines()]
        check_printed(path, rows, text.read_bytes())
    for row in rows:
        check_equation(path, row)
    return rows


def check_printed(path: pathlib.Path, rows: list[Row], text: bytes) -> None:
    """The same numbers are printed, of the function with the most time first."""
    found = PRINTED.findall(text)
    percents = [float(percent) for _, _, percent in found]
    if len(found) != len(rows) or percents != sorted(percents, reverse=True):
        raise Failure(f"{path}: {len(found)} functions printed in some order, {len(rows)} as data")
    printed = {name: (calls, percent) for name, calls, percent in found}
    for row in rows:
        calls, percent = printed[name_of(row)]
        near = math.isclose(float(calls), row["calls"]["value"], rel_tol=1e-4)
        if not near or abs(float(percent) - row["percent"]) > 0.006:
            raise Failure(f"{path}: {row['function']} is printed otherwise")


def name_of(row: Row) -> bytes:
    return bytes.fromhex(row["function_bytes"]) if "function_bytes" in row else str(row["function"]).encode()


def check_equation(path: pathlib.Path, row: Row) -> None:
    """A function is called as often as its callers call it, and from outside; what never returns once at most."""
    led = STARTS.get(row.get("start", ""), 0) + sum(caller["calls"]["value"] for caller in row["callers"])
    calls = row["calls"]["value"]
    if not (row["never_returns"] and calls <= led) and not math.isclose(calls, led, rel_tol=1e-9):
        raise Failure(f"{path}: {row['function']} is called {calls} times, and its callers call it {led} times")
