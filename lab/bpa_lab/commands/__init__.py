"""The commands of `lab/run`. The modules have the interface of the commands of `scripts/dev`."""
