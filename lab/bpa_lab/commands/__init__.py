"""One module for each command; its name is that of the file, with `-` for `_`.

The first line of a module's docstring is the command's line in the list, all of it its help. Each has two functions:
`add_arguments(parser: argparse.ArgumentParser) -> None` and `run(arguments: argparse.Namespace) -> int`, which returns
the exit code.
"""
