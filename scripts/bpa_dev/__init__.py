"""The commands of `scripts/dev`, each a module of `commands/`, and what they share."""
