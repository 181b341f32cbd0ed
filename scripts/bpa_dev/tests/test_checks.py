"""What commands that check reports make of reports that are right, and of ones that are not."""

import collections
import pathlib
import unittest

from bpa_dev.commands import bad_metadata, check_json, reasons
from bpa_dev.messages import Failure

PATH = pathlib.Path("some.bc")
ONE = 1 << 31


def explained(*edges: tuple[str, int, str]) -> list[bytes]:
    """The lines of one block: target, numerator and reason of each edge."""
    lines = []
    for target, numerator, reason in edges:
        share = f"{100 * numerator / ONE:.2f}%"
        lines.append(f"  edge %a -> %{target} probability is 0x{numerator:08x} / 0x80000000 = {share}\n")
        lines.append(f"      {reason}\n")
    return [line.encode() for line in lines]


class Reasons(unittest.TestCase):
    def faults(self, *edges: tuple[str, int, str]) -> list[str]:
        faults: list[str] = []
        for block in reasons.blocks_of(explained(*edges)):
            reasons.check_block(block, PATH, faults)
        return faults

    def test_weights_that_make_the_probability(self) -> None:
        edges = ("b", 3 << 29, "metadata, 3 of 4: the weight"), ("c", 1 << 29, "metadata, 1 of 4: the weight")
        self.assertEqual(self.faults(*edges), [])

    def test_weights_that_make_another_probability(self) -> None:
        edges = ("b", 1 << 30, "metadata, 3 of 4: the weight"), ("c", 1 << 30, "metadata, 1 of 4: the weight")
        self.assertIn("is not what metadata makes of [3, 1]", self.faults(*edges)[0])

    def test_weights_that_are_no_shares_of_their_sum(self) -> None:
        edges = ("b", 1 << 30, "pointer, 1 of 3: r"), ("c", 1 << 30, "pointer, 1 of 3: r")
        self.assertIn("are not shares of 3", self.faults(*edges)[0])

    def test_an_edge_without_a_reason_and_rules_that_differ(self) -> None:
        self.assertIn("without a reason", self.faults(("b", ONE, "because"))[0])
        edges = ("b", 1 << 30, "pointer, 1 of 2: r"), ("c", 1 << 30, "even, 1 of 2: r")
        self.assertIn("more than one rule", self.faults(*edges)[0])

    def test_parallel_edges_are_printed_with_their_sum(self) -> None:
        edges = ("b", ONE, "even, 1 of 2: r"), ("b", ONE, "even, 1 of 2: r")
        self.assertEqual(self.faults(*edges), [])

    def test_the_cap_moves_probability_to_the_other_edges(self) -> None:
        self.assertEqual(reasons.capped([ONE // 2, ONE // 2], [False, True]), [ONE - 1, 1])
        self.assertEqual(reasons.capped([0, ONE], [False, True]), [ONE - 1, 1])
        self.assertEqual(reasons.capped([5, 6], [False, False]), [5, 6])

    def test_a_report_that_differs_by_more_than_reasons(self) -> None:
        faults: list[str] = []
        lines = explained(("b", ONE, "single successor, 1 of 1: r"))
        reasons.compare(lines, lines[:1], PATH, faults)
        self.assertEqual(faults, [])
        reasons.compare(lines, [], PATH, faults)
        self.assertEqual(len(faults), 1)


def function() -> check_json.Row:
    return {
        "function": "f",
        "blocks": [{"name": "%a", "loop": None}, {"name": '%"b \\22"', "loop": None}],
        "edges": [
            {"from": 0, "successor": 0, "to": 1, "numerator": 3 << 29, "rule": "metadata"},
            {"from": 0, "successor": 1, "to": 1, "numerator": 1 << 29, "rule": "metadata"},
        ],
        "loops": [],
    }


class Json(unittest.TestCase):
    def test_the_report_from_json_alone(self) -> None:
        edge = b'  edge a -> b " probability is 0x80000000 / 0x80000000 = 100.00% [HOT edge]\n'
        beginning = b"Printing analysis results of BPI for function 'f':\n---- Branch Probabilities ----\n"
        self.assertEqual(check_json.branch_report(function(), 16), beginning + 2 * edge)
        self.assertIn(b'  edge %a -> %"b \\22" ', check_json.branch_report(function(), 18))

    def test_indices(self) -> None:
        check_json.check_indices(PATH, function())
        for change in ({"successor": 2}, {"to": 2}, {"from": 1}):
            wrong = function()
            wrong["edges"][1].update(change)
            if change == {"from": 1}:
                wrong["edges"].reverse()
            with self.subTest(change), self.assertRaises(Failure):
                check_json.check_indices(PATH, wrong)

    def test_numbers(self) -> None:
        number = {"digits": "3", "exponent": -1, "value": 1.5}
        check_json.expect_near(PATH, [number], [b"1.5"])
        for wrong in ([b"1.6"], []):
            with self.assertRaises(Failure):
                check_json.expect_near(PATH, [number], wrong)
        with self.assertRaises(Failure):
            check_json.expect_near(PATH, [{**number, "value": 1.25}], [b"1.5"])


class BadMetadata(unittest.TestCase):
    def test_each_form_is_on_each_terminator(self) -> None:
        names = collections.Counter(name for name, _ in bad_metadata.all_modules(16))
        forms, terminators = len(bad_metadata.FORMS), len(bad_metadata.TERMINATORS)
        self.assertEqual(len(names), forms * terminators + len(bad_metadata.ODDITIES))

    def test_pointers_are_spelled_as_the_version_has_them(self) -> None:
        for llvm, pointer, other in ((14, "i8*", "ptr"), (16, "ptr", "i8*")):
            text = dict(bad_metadata.all_modules(llvm))["br-address"]
            self.assertIn(pointer, text)
            self.assertNotIn(other, text)
