"""Programs with hints in them: what is measured of them, how they are built, and what tables say."""

import json
import os
import pathlib
import stat
import tempfile
import unittest
from unittest import mock

from bpa_dev.messages import Failure

from bpa_lab.commands import hint_programs
from bpa_lab.effect.callgrind import Counts
from bpa_lab.hinting import misses, wrapper
from bpa_lab.hinting.misses import Misses, Truth
from bpa_lab.hinting.subject import Result
from bpa_lab.hinting.tree import arguments

ROW = {
    "function": "f",
    "number": 2,
    "local": False,
    "kind": "two-way",
    "executions": "10",
    "edges": [{"to": 3, "true_weight": 9}, {"to": 5, "true_weight": 1}],
}


class MissesTest(unittest.TestCase):
    def test_hints_are_what_is_said(self) -> None:
        truth = misses.truth(ROW)
        self.assertEqual(truth, Truth(("f", 2), False, 10, {3: 0.9, 5: 0.1}))
        for said, missed in ({3: 0.4, 5: 0.6}, 0.9), ({3: 0.6, 5: 0.4}, 0.1), ({3: 0.5, 5: 0.5}, 0.5):
            found = misses.misses([[truth]], [{("f", 2): said}])
            self.assertAlmostEqual(found.said, missed)
            self.assertAlmostEqual(found.least, 0.1)

    def test_a_function_of_several_modules_counts_once(self) -> None:
        said = {("f", 2): {3: 0.5, 5: 0.5}}
        shared, local = misses.truth(ROW), misses.truth({**ROW, "local": True})
        self.assertEqual(misses.misses([[shared], [shared]], [said, said]).executions, 10)
        self.assertEqual(misses.misses([[local], [local]], [said, said]).executions, 20)

    def test_another_branch_is_an_error(self) -> None:
        for said in ({}, {("f", 2): {3: 0.5, 4: 0.5}}):
            with self.assertRaisesRegex(Failure, "block 2 of f is not the branch"):
                misses.misses([[misses.truth(ROW)]], [said])

    def test_edges_to_one_block_are_one_way(self) -> None:
        edges = [{"from": 1, "to": 2, "numerator": 1 << 29}, {"from": 1, "to": 2, "numerator": 1 << 30}]
        self.assertEqual(misses.answers(iter([{"function": "f", "edges": edges}])), {("f", 1): {2: 0.75}})


class WrapperTest(unittest.TestCase):
    def test_a_call_is_kept_and_made(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            clang = folder / "clang"
            clang.write_text(f'#!/bin/sh\necho "$@" >{folder}/words\n')
            clang.chmod(clang.stat().st_mode | stat.S_IXUSR)
            given = {"BPA_BIN": name, "BPA_COMMANDS": f"{name}/commands", "BPA_FLAGS": "-O2 -fcount"}
            with mock.patch.dict(os.environ, given):
                wrapper.main("clang", ["-O3", "-DX", "-c", "a.c", "-o", "a.o"])
            self.assertEqual((folder / "words").read_text(), "-DX -c a.c -o a.o -O2 -fcount -w\n")
            entry = json.loads((folder / "commands").read_text())
            self.assertEqual((entry["file"], arguments(entry, ["-O2"])[-2:]), ("a.c", ["-O2", "a.c"]))


class TableTest(unittest.TestCase):
    def test_losers_are_named(self) -> None:
        pair = (Misses(0.3, 0.1, 9, 100), Misses(0.2, 0.1, 9, 100))
        won = Result(5, 1, [pair, pair], (Counts(100, 50, 5), Counts(99, 40, 5)), {})
        lost = Result(5, 1, [pair], (Counts(100, 50, 5), Counts(101, 40, 5)), {})
        results = {"one": won, "two": lost}
        self.assertEqual(hint_programs.losers(results), "more than before: two (instructions)")
        self.assertIn("| one | 5 | 1 | 30.0% | 20.0% | 10.0% | 30.0% |", hint_programs.of_misses(results))
        self.assertIn("| two | 100 | +1.00% | 50 | -20.00% | 5 | +0.00% |", hint_programs.of_counts(results))


if __name__ == "__main__":
    unittest.main()
