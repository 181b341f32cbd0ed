"""Entry counts held against measured ones: `scripts/dev entry-counts`."""
