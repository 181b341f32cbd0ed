"""Tables that are printed row by row."""

import itertools


class Table:
    def __init__(self, widths: tuple[int, ...], between: str = "") -> None:
        self.widths = widths
        self._between = between

    def print_row(self, *cells: str) -> None:
        """Aligns the first column to the left and the other columns to the right."""
        pairs = itertools.zip_longest(cells, self.widths[: len(cells)], fillvalue=0)
        parts = [f"{cell:<{width}}" if place == 0 else f"{cell:>{width}}" for place, (cell, width) in enumerate(pairs)]
        print(self._between.join(parts), flush=True)
