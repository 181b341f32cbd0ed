"""The corpus of programs with their profiles: built from source packages, run on real work, kept as IR with the truth.

`programs/` has what there is to know about each program; everything else here treats all of them alike.
"""
