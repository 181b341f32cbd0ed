"""Differential fuzzing of the plugin against LLVM.

sources.py     draws modules: generated, of llvm-stress, of real programs, rewired
passes.py      draws random pipelines of LLVM's own passes, and of the changes that fuzz/mutations.rs makes
checked.py     has the plugin compare after each stage of a draw, all in one run of `opt`
glance.py      compares what both sides print of a draw, in one run
judge.py       finds out what a difference is, and whose fault
shrink.py      makes a lit test of a finding
crashes.py     keeps modules that LLVM itself crashes on
campaign.py    the run: workers, progress, counts
"""
