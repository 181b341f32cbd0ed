"""What stands behind `scripts/dev`: one module in `commands/` for each command, and what they share.

command.py    finds the commands and runs one
paths.py      where the repository and what is built from it are
messages.py   progress, and errors that end a command
shell.py      asks scripts/lib.sh, which has the rules about LLVM and packages for all scripts
llvm.py       one LLVM: its tools, and cargo and the plugin for it
tools.py      the options that name an LLVM, a plugin and files, and what they come to
"""
