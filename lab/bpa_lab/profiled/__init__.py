"""The corpus: programs from source packages, built and run on workloads, and kept as IR with profiles.

`programs/` describes the programs.
"""
