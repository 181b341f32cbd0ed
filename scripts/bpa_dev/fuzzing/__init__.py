"""Differential fuzzing of the plugin against LLVM.

sources.py     draws modules: generated, of llvm-stress, of real programs, rewired
passes.py      draws random pipelines of LLVM's own passes
rewiring.py    changes in textual IR where branches go and what is known about them
glance.py      compares us with LLVM on all of a draw in one run
judge.py       finds out what a difference is, and whose fault
shrink.py      makes a lit test of a finding
campaign.py    the run: workers, progress, counts
"""
