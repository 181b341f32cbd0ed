"""The commands of `scripts/dev`. A file `check_page.py` is the command `check-page`.

A module's docstring is the help of its command, and the first line describes the command in the list. `run` returns the
exit code.
"""
