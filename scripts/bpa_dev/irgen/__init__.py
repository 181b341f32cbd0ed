"""Generates random LLVM IR that exercises every rule of branch probabilities and block frequencies.

graph.py        control-flow graphs: nested statements, random edges, irreducible regions, infinite loops
function.py     instructions of blocks: conditions, calls, exception handling, terminators
folding.py      loops that test constants of every type, for the generator profile `folding`
module.py       modules: functions and their declarations
chance.py, constants.py, weights.py
"""
