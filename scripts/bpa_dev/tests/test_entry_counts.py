"""Entry counts held against measured ones."""

import pathlib
import unittest

from ..entry_counts import as_data, read_back, shapes, synthetic
from ..messages import Failure

TEXT = """
define i32 @main(ptr %x) #0 !prof !1 {
define internal void @"a b"() !dbg !9 !prof !2 {
define void @unmeasured() {
  br i1 %c, label %a, label %b, !prof !3
!1 = !{!"function_entry_count", i64 1}
!2 = !{!"synthetic_function_entry_count", i64 20}
!3 = !{!"branch_weights", i32 1, i32 2}
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


class Data(unittest.TestCase):
    def test_callers_and_the_start_make_the_calls(self) -> None:
        row = {"function": "f", "calls": {"value": 3.0}, "start": "visible", "never_returns": False}
        row["callers"] = [{"calls": {"value": 1.5}}, {"calls": {"value": 0.5}}]
        as_data.check_equation(pathlib.Path("x"), row)
        row["start"] = "visible hot"
        with self.assertRaises(Failure):
            as_data.check_equation(pathlib.Path("x"), row)
        as_data.check_equation(pathlib.Path("x"), {**row, "never_returns": True})

    def test_what_is_printed_is_what_is_told(self) -> None:
        rows = [
            {"function": "f", "calls": {"value": 1.0}, "instructions": {"value": 5.0}, "percent": 25.0},
            {"function": "g", "calls": {"value": 2.0}, "instructions": {"value": 15.0}, "percent": 75.0},
        ]
        right = b" - g: calls = 2.0, time = 75.00%\n - f: calls = 1.0, time = 25.00%\n"
        as_data.check_printed(pathlib.Path("x"), rows, right)
        for wrong in (right.replace(b"2.0", b"2.1"), right.replace(b"75", b"74"), right[:40]):
            with self.assertRaises(Failure):
                as_data.check_printed(pathlib.Path("x"), rows, wrong)


class ReadBack(unittest.TestCase):
    def test_names_lose_quotes_and_escapes(self) -> None:
        self.assertEqual(read_back.plain('"a \\22b\\5C"'), 'a "b\\')
        self.assertEqual(read_back.plain("_Z1fv"), "_Z1fv")


class Shapes(unittest.TestCase):
    def test_call_graphs_have_as_many_functions_as_asked_for(self) -> None:
        for name, (draw, _) in shapes.SHAPES.items():
            text = list(draw(20))
            self.assertEqual(sum(line.startswith("define internal") for line in text), 20, name)
            self.assertEqual(text, list(draw(20)))
