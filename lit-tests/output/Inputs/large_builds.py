"""Runs the SQL of docs/src/guide/large-builds.md and large-builds.sql, and computes the same results in Python.

    large_builds.py PAGE FOLDER

The folder must contain branches.json and functions.json. The script prints the rows of each query. The script fails if the results
of SQL and Python differ.
"""

import collections
import json
import os
import pathlib
import re
import sys

import duckdb


def queried(page):
    """The result rows of each SQL query on the page. For PAGE.md, the file PAGE.sql creates the tables."""
    database = duckdb.connect()
    database.execute(page.with_suffix(".sql").read_text())
    queries = re.findall(r"^```sql\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
    return [database.execute(query).fetchall() for query in queries]


def lines(name):
    return [json.loads(line) for line in pathlib.Path(name).read_text().splitlines()]


def branches():
    """Yields each branch: its JSON line, its executions, three probabilities, and its avoidable misses. The first two
    probabilities are the predicted and the profiled probability of the edge with the highest predicted probability. The
    third probability is the highest profiled probability of all edges."""
    seen = {}
    for line in sorted(lines("branches.json"), key=lambda line: line["module"]):
        module = line["module"] if line["local"] else ""
        seen.setdefault((module, line["function"], line["number"], line.get("file"), line.get("line")), line)
    for line in seen.values():
        predicted, weights = collections.Counter(), collections.Counter()
        for edge in line["edges"]:
            predicted[edge["to"]] += edge["numerator"]
            weights[edge["to"]] += edge.get("true_weight", 1) - 1
        total, best = sum(weights.values()), max(predicted.values())
        likeliest = [weights[block] for block in predicted if predicted[block] == best]
        hit = sum(likeliest) / len(likeliest) / total if total else None
        largest = max(edge.get("true_weight", 0) for edge in line["edges"])
        executions = int(line["executions"]) if largest >= 2**31 or largest == 2**20 - 1 else total
        most = max(weights.values()) / total if total else None
        yield line, executions, (best / 2**31, hit, most), executions * (most - hit) if total else 0


def whole(number):
    return int(number + 0.5)


def costliest():
    wrong = [branch for branch in branches() if branch[3] > 0]
    wrong.sort(key=lambda b: (-b[3], b[0].get("file") or "\uffff", b[0].get("line") or 0, b[0]["function"]))
    return [(whole(missed), executions, *shares, line["rule"], line.get("file"), line.get("line"), line["function"])
            for line, executions, shares, missed in wrong[:10]]  # fmt: skip


def rules_by_directory():
    groups = collections.defaultdict(lambda: [0, 0, 0.0, 0.0])
    for line, executions, (_, hit, _), missed in branches():
        if executions:
            group = groups[os.path.dirname(line.get("file") or ""), line["rule"]]
            for index, amount in enumerate((1, executions, executions * hit, missed)):
                group[index] += amount
    rows = [(*key, count, ran, hits / ran, whole(missed)) for key, (count, ran, hits, missed) in groups.items()]
    return sorted(rows, key=lambda row: (-row[5], row[0], row[1]))[:10]


def without_data():
    counts = collections.defaultdict(lambda: [0, 0])
    functions = collections.defaultdict(lambda: [False, 0])
    for line in lines("functions.json"):
        chosen = {edge["from"] for edge in line["edges"] if edge["rule"] != "single"}
        known = functions[(line.get("source") or {}).get("file"), line["function"]]
        known[:] = [known[0] or line["entry_count"] is not None, max(known[1], len(chosen))]
    for (file, _), (has_profile, number) in functions.items():
        counts[file][0] += 0 if has_profile else number
    for line, executions, *_ in branches():
        counts[line.get("file")][1] += executions == 0
    rows = [(file, *both) for file, both in counts.items() if sum(both)]
    return sorted(rows, key=lambda row: (-row[1] - row[2], row[0] or "\uffff"))[:10]


def same(one, other):
    """Whether two values are equal. SQL rounds fractions to 0.01%."""
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - 100 * other) < 0.0051
    return one == other


def main():
    page = pathlib.Path(sys.argv[1]).resolve()
    os.chdir(sys.argv[2])
    results = queried(page)
    counted = [costliest(), rules_by_directory(), without_data()]
    assert len(results) == len(counted), f"the page has {len(results)} queries, not {len(counted)}"
    for name, result, again in zip(("costliest", "rules", "no data"), results, counted):
        for row in result:
            print(f"{name}:", *row)
        alike = len(result) == len(again) and all(map(lambda a, b: all(map(same, a, b)), result, again))
        assert alike, f"{name}: the result of SQL is\n{result}\nand of Python\n{again}"
    print(f"{sum(1 for _ in branches())} branches: {len(results)} queries agree")


main()
