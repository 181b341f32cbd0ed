"""Compares the source positions of branches in JSON with markers in the source.

The position of each branch is directly after a marker: /*B*/ precedes a token, and /*S*/ precedes a statement. If a
branch is inlined, the position of the call is directly after a marker /*C*/. /*S<24*/ applies only to LLVM versions
below 24. /*S>=24*/ applies only to LLVM 24 and later versions. Usage: markers.py LLVM SOURCE JSON. Prints the number of
branches, markers and calls.
"""

import json
import os
import re
import sys


def markers(text: str, kind: str, llvm: int) -> set[tuple[int, int]]:
    """Returns the positions (line and column) directly after the markers. Markers of another kind, and markers that
    apply only to other LLVM versions, are ignored."""
    found = set()
    for number, line in enumerate(text.splitlines(), 1):
        for match in re.finditer(rf"/\*{kind}(?:(<|>=)(\d+))?\*/", line):
            relation, version = match.groups()
            if relation is None or (llvm < int(version)) == (relation == "<"):
                found.add((number, match.end() + 1))
    return found


def main(llvm: str, source: str, data: str) -> None:
    with open(source, encoding="utf-8") as file:
        text = file.read()
    branches, calls = markers(text, "B", int(llvm)) | markers(text, "S", int(llvm)), markers(text, "C", int(llvm))
    pointed_at, called_at, count = set(), set(), 0
    with open(data, encoding="utf-8") as file:
        for function in map(json.loads, file):
            degrees = [0] * len(function["blocks"])
            for edge in function["edges"]:
                degrees[edge["from"]] += 1
            for block, degree in zip(function["blocks"], degrees):
                if degree < 2:
                    continue
                count += 1
                place = block["source"]
                assert "first" in block or not block["lines"], (function["function"], block)
                pointed_at.add((place["line"], place["column"]))
                for call in place.get("inlined_at", []):
                    assert "function" in place, place
                    place = call
                    called_at.add((place["line"], place["column"]))
                assert "function" not in place, place
                assert os.path.samefile(os.path.join(place.get("directory", ""), place["file"]), source), place
    assert pointed_at == branches, f"only branches: {pointed_at - branches}, only markers: {branches - pointed_at}"
    assert called_at == calls, f"only calls: {called_at - calls}, only markers: {calls - called_at}"
    print(f"{count} branches at {len(branches)} markers, {len(calls)} calls")


main(*sys.argv[1:])
