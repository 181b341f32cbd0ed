"""Comparing what our passes do with what LLVM's do: what `parity`, `transform-parity` and `fuzz` share.

runs.py          runs one command under a time limit
differences.py   holds two texts against each other, function by function
optnone.py       brings a file into a form that LLVM's passes do not skip
printers.py      compares what printers print
transforms.py    compares what transforming passes make of IR
verdict.py       what comparing one file came to
many.py          many files at a time, with progress
"""
