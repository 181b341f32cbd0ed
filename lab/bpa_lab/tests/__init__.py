"""Tests of the package: scripts/dev check-scripts runs them."""
