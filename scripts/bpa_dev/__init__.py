"""The code of `scripts/dev`. Each module of `commands/` is a command."""
