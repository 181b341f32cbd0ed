"""Rows of the table over all versions."""

import dataclasses
import unittest

from bpa_dev.versions.row import Row, table

CLEAN = Row(16, "built", "Passed 90", "0 of 12", "0 of 7", "0 of 3, 0 of 4, 0 of 5", "0 of 6")


class Rows(unittest.TestCase):
    def test_clean(self) -> None:
        self.assertTrue(CLEAN.is_clean())

    def test_what_is_not_clean(self) -> None:
        changes: list[dict[str, str]] = [
            {"build": "does not build"},
            {"lit": "Passed 89 Failed 1"},
            {"lit": ""},
            {"parity": "1 of 12"},
            {"parity": "0 of 0"},
            {"parity": "0 of 12 (trouble)"},
            {"check": "1 of 7"},
            {"check": "0 of 0"},
            {"round_trip": "0 of 3, 2 of 4, 0 of 5"},
            {"expect": ""},
        ]
        for change in changes:
            # mypy cannot know that no change is of the number.
            row = dataclasses.replace(CLEAN, **change)  # type: ignore[arg-type]
            self.assertFalse(row.is_clean(), change)

    def test_lines(self) -> None:
        self.assertEqual(Row.of_line(CLEAN.as_line()), CLEAN)

    def test_table(self) -> None:
        headline, line = table([CLEAN])
        self.assertEqual(headline.index("lit"), line.index("Passed"))
