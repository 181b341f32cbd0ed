"""Random LLVM IR, built to reach every rule of branch probabilities and block frequencies.

One function is made in this order, a file for each step:

    shapes.py       draws the graph, out of structured.py, tangled.py and irreducible.py,
                    then adds stray blocks, parallel edges and giant switches
    exceptions.py   turns some edges into invokes, with landing pads or funclets
    terminators.py  chooses the instruction that ends each block, and spells it
    phi_web.py      puts phis behind loop conditions     (needs dominators.py)
    calls.py        puts calls into blocks
    conditions.py   makes what conditional branches test (string compares: libcalls.py)
    weights.py      spells `!prof` and `!irr_loop` metadata
    function.py     runs these steps for one function; module.py puts functions into a file

`expect.py` replaces the last steps for the profile of that name, `folding.py` all of them. `taste.py`
holds every rate: what a profile is rich in, and how the rates differ from function to function.
"""
