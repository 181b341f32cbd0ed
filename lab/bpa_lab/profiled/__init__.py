"""Makes the corpus: builds programs from source packages, runs workloads, and stores the IR with profiles.

`programs/` describes the programs.
"""
