"""Tests that `corpus.HINTS` converts SQLite's macros to branch hints."""

import re
import unittest

from bpa_dev import corpus


class Hints(unittest.TestCase):
    def test_macros_become_hints(self) -> None:
        text = b"# define ALWAYS(X)      (X)\n#define unlikely(X)  (X)\n# define NEVER(X)  (1)\n"
        for pattern, replacement in corpus.HINTS.items():
            text = re.sub(pattern, replacement, text)
        self.assertEqual(
            text.decode().splitlines(),
            [
                "# define ALWAYS(X) __builtin_expect(!!(X), 1)",
                "#define unlikely(X) __builtin_expect(!!(X), 0)",
                "# define NEVER(X)  (1)",
            ],
        )
