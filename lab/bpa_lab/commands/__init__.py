"""The commands of `lab/run`. Each module is a command, and defines `add_arguments` and `run`."""
