#!/usr/bin/env python3
"""Recomputes the frequency of every block in JSON from the edges to the block (docs/src/reference/json.md).

    opt -load-pass-plugin=libbpa.so -passes='rust-bfi<json;output=my.json>' -disable-output my.bc
    python3 docs/src/reference/flow.py my.json
"""
import json, sys
from collections import Counter
from fractions import Fraction

exact = lambda number: int(number["digits"]) * Fraction(2) ** number["exponent"]
found = Counter()
for function in map(json.loads, open(sys.argv[1])):
    blocks, edges, loops = function["blocks"], function["edges"], function["loops"]
    runs, entries = [exact(b["frequency"]) for b in blocks], [exact(l["entries"]) for l in loops]
    nest = {None: frozenset()}  # each loop with the loops around it; outer loops come first
    for i, l in enumerate(loops):
        nest[i] = nest[l["parent"]] | {i}
    around = [nest[b["loop"]] for b in blocks]
    left = frozenset().union(*(around[e["from"]] - around[e["to"]] for e in edges))
    weight = lambda e: max(e["numerator"], 1)  # the minimum weight of an edge
    total, flow, slack, irreducible = Counter(), Counter({0: 1}), Counter(), set()
    for e in edges:
        total[e["from"]] += weight(e)
    for e in edges:
        source, target, out = e["from"], e["to"], around[e["from"]] - around[e["to"]]
        flow[target] += runs[source] * weight(e) / total[source]
        slack[target] += len(edges) * (runs[source] + sum(entries[i] for i in out)) / 2**29
        slack[target] += len(edges) * (1 + sum(runs[loops[i]["headers"][0]] for i in around[source])) / 2**62
        if any(loops[i]["irreducible"] for i in around[source] | around[target]):
            irreducible.add(target)
    for i in nest.keys() - left - {None}:  # infinite loops: all flow returns to the header
        flow[loops[i]["headers"][0]] -= entries[i]
    for block, frequency in enumerate(runs):
        off = abs(flow[block] - frequency) > slack[block]
        found["irreducible" if block in irreducible else "off" if off else "hold"] += 1
        if off and block not in irreducible:
            print(function["function"], blocks[block]["name"], float(flow[block]), "is not", float(frequency))
print(f"{found.total()} blocks: {found['hold']} equations hold, {found['off']} do not;",
      f"{found['irreducible']} blocks in or after irreducible loops have no equation")
sys.exit(found["off"] > 0)
