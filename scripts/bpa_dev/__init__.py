"""What stands behind `scripts/dev`: one module in `commands/` for each command, and what they share.

command.py      finds the commands and runs one
paths.py        where the repository and what is built from it are
messages.py     progress, and errors that end a command
shell.py        asks scripts/lib.sh, which has the rules about LLVM and packages for all scripts
llvm.py         one LLVM: its tools, and cargo and the plugin for it
tools.py        the options that name an LLVM, a plugin and files, and what they come to
environment.py  programs from pip, at pinned versions
lit.py          runs the FileCheck tests
sqlite.py       gets SQLite's source
corpus.py       makes bitcode to compare and to measure on
steps.py        runs steps of a test, and counts
suite.py        the steps of scripts/test
findings.py     what is wrong in the source, and where

irgen/          the generator of random IR
comparing/      what our passes do against what LLVM's do
fuzzing/        modules drawn, judged and shrunk
measure/        times, memory, and shapes of functions that are hard on an analysis
rust/           reads the Rust source, for the checks of it
versions/       tests on LLVM versions that are not on this machine
tests/          tests of all this: `scripts/dev check-scripts`
"""
