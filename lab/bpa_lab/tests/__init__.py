"""Unit tests. `scripts/dev check-scripts` runs these tests."""
