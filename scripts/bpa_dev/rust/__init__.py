"""As much of Rust as it takes to tell which file uses which, and which items there are.

lexer.py     text to tokens
syntax.py    tokens to items, and what only tests see left out
modules.py   the modules of a crate, over its files
resolve.py   what a path names
"""
