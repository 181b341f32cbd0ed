"""Entry counts held against measured ones."""

import unittest

from ..commands import entry_counts as command
from ..entry_counts import synthetic

TEXT = """
define i32 @main(ptr %x) #0 !prof !1 {
define internal void @"a b"() !dbg !9 !prof !2 {
define void @unmeasured() {
  br i1 %c, label %a, label %b, !prof !3
!1 = !{!"function_entry_count", i64 1}
!2 = !{!"synthetic_function_entry_count", i64 20}
!3 = !{!"branch_weights", i32 1, i32 2}
"""

SCORE = """Score of entry counts of module 'x': 4 functions measured
                                    5%     10%     25%
functions by calls  estimate     50.0%   48.3%   75.0%
functions by calls  alike            -   12.5%   25.0%
blocks              loop depth    1.0%    2.0%    3.0%
"""


class Synthetic(unittest.TestCase):
    def test_counts_stand_with_functions(self) -> None:
        self.assertEqual(synthetic.entry_counts(TEXT), {"main": 1, '"a b"': 20})
        self.assertEqual(synthetic.entry_counts(synthetic.without_profile(TEXT)), {})

    def test_of_what_is_alike_each_counts_in_part(self) -> None:
        measured = {"a": 100, "b": 50, "c": 50, "d": 0}
        self.assertEqual(synthetic.found({}, measured, 25), 0.5)
        self.assertEqual(synthetic.found({"a": 1}, measured, 25), 1.0)
        self.assertEqual(synthetic.found({"d": 2, "a": 1}, measured, 50), 2 / 3)
        self.assertIsNone(synthetic.found({}, {"a": 0}, 25))


class Scores(unittest.TestCase):
    def test_a_program_is_one_vote_in_the_mean(self) -> None:
        one = command.read(SCORE)
        self.assertEqual(one["functions by calls", "alike"], [None, 0.125, 0.25])
        self.assertEqual(one["blocks", "loop depth"], [0.01, 0.02, 0.03])
        other: command.Scores = {("functions by calls", "alike"): [0.5, None, 0.75]}
        together = command.mean([one, other])
        self.assertEqual(together["functions by calls", "alike"], [0.5, 0.125, 0.5])
        self.assertEqual(together["functions by calls", "estimate"], [0.5, 0.483, 0.75])
