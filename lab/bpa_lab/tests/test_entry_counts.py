"""Tests of the command that averages the scores of several programs."""

import unittest

from ..commands import entry_counts as command

SCORE = """Score of entry counts of module 'x': 4 functions measured
                                    5%     10%     25%
functions by calls  estimate     50.0%   48.3%   75.0%
functions by calls  alike            -   12.5%   25.0%
blocks              loop depth    1.0%    2.0%    3.0%
"""


class Scores(unittest.TestCase):
    def test_mean_of_programs_is_unweighted(self) -> None:
        one = command.read(SCORE)
        self.assertEqual(one["functions by calls", "alike"], [None, 0.125, 0.25])
        self.assertEqual(one["blocks", "loop depth"], [0.01, 0.02, 0.03])
        other: command.Scores = {("functions by calls", "alike"): [0.5, None, 0.75]}
        together = command.mean([one, other])
        self.assertEqual(together["functions by calls", "alike"], [0.5, 0.125, 0.5])
        self.assertEqual(together["functions by calls", "estimate"], [0.5, 0.483, 0.75])
