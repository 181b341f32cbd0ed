"""Holds the places of branches in JSON against marks in their source.

A mark, /*B*/, stands before the token that a branch is to point at, and /*S*/ before a statement that one points at.
/*C*/ stands before a call: branches that were inlined there point at a mark in the function that is called. Some marks
are for some compilers alone: /*S<24*/, /*S>=24*/.
Usage: markers.py LLVM SOURCE JSON. Prints how many branches were held against how many marks.
"""

import json
import os
import re
import sys


def marks(text: str, kind: str, llvm: int) -> set[tuple[int, int]]:
    """The places, line and column, right behind all marks of a kind that are for this LLVM."""
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
    branches, calls = marks(text, "B", int(llvm)) | marks(text, "S", int(llvm)), marks(text, "C", int(llvm))
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
    assert pointed_at == branches, f"unmarked {pointed_at - branches}, not pointed at {branches - pointed_at}"
    assert called_at == calls, f"unmarked calls {called_at - calls}, not called at {calls - called_at}"
    print(f"{count} branches at {len(branches)} marks, {len(calls)} calls")


main(*sys.argv[1:])
