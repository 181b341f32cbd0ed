"""Unit tests. `scripts/dev check-scripts` runs them."""
