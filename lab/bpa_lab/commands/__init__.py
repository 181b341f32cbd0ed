"""The commands of `lab/run`. Each module defines the same functions as a command of `scripts/dev`."""
