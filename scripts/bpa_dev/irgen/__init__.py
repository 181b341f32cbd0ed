"""Random LLVM IR, built to reach every rule of branch probabilities and block frequencies.

graph.py        the edges: nested statements, random edges, irreducible regions, infinite loops
function.py     blocks with conditions, calls, exception handling, terminators and weights
expectations.py conditions with `llvm.expect`, for the profile `expect`
folding.py      loops that test constants of every type, for the profile `folding`
module.py       functions in a file, and the declarations that they need
chance.py, constants.py, weights.py
"""
