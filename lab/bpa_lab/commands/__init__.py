"""The commands of `lab/run`. A module has the form of the commands of `scripts/dev`."""
