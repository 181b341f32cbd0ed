"""The code of `scripts/dev` and `scripts/score`. Each module of `commands/` is a command."""
