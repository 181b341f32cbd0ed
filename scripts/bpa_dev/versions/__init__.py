"""One table over all versions of LLVM.

row.py     a version's row, and the table
here.py    a row on the system that this runs on
roots.py   a row in a root of another release
"""
