"""Entry counts held against measured ones: `lab/run entry-counts`."""
