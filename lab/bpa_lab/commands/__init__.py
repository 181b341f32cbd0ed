"""The commands of `lab/run`. They have the same form as the commands of `scripts/dev`."""
