#!/usr/bin/env python3
"""Prints the most frequent branches to which no rule applies. A hint has the largest effect on these branches.

    opt -load-pass-plugin=libbpa.so -passes='rust-bfi<json;output=my.json>' -disable-output my.bc
    python3 docs/src/guide/guesses.py my.json
"""
import json, sys

found = []
for function in map(json.loads, open(sys.argv[1])):
    blocks = function["blocks"]
    guessed = {edge["from"] for edge in function["edges"] if edge["rule"] == "even"}
    found += [(blocks[at]["frequency"]["value"], function["function"], blocks[at]["name"]) for at in guessed]
for frequency, function, block in sorted(found, reverse=True)[:10]:
    print(f"{frequency:14.2f} times a call  {function}  {block}")
