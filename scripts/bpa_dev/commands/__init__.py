"""The commands of `scripts/dev`. For example, the file `check_page.py` implements the command `check-page`.

A module's docstring is the help of its command, and the first line describes the command in the list. `run` returns the
exit code.
"""
