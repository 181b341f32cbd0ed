"""Tests of the calibration: cells, predictions, files, and fitted numbers."""

import csv
import lzma
import math
import pathlib
import tempfile
import unittest

from bpa_lab.calibration import cells, fit, numbers
from bpa_lab.calibration.cells import UNKNOWN, Cell, Edge, Program

LEAVES = Edge("", True, False)
COLD = Edge("cold", False, False)


def program(*found: tuple[Cell, int, float], name: str = "it", family: str = "all") -> Program:
    result = Program(name, family)
    for cell, executions, first in found:
        result.add(cell, executions, first)
    result.finish()
    return result


class Cells(unittest.TestCase):
    def test_cells_of_a_table(self) -> None:
        rows = [
            ("a", "x", "two-way", "estimated weights", "zero.equal", "30", ",leaves-cycle", "9,1", "3,1", "1,2"),
            ("a", "x", "two-way", "constant", "zero.equal", "10", ",", "12,20", "0,5", "3,4"),
            ("a", "x", "two-way", "estimated weights", "", "10", "unreachable,noreturn+unlikely", "1,1", "1,1", "3,4"),
            ("a", "x", "switch", "even", "", "10", ",,", "1,1,1", "1,1,1", "3,4,5"),
        ]
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "t.tsv.xz")
            with lzma.open(file, "wt", newline="") as stream:
                csv.writer(stream, "excel-tab", lineterminator="\n").writerows([cells.COLUMNS, *rows])
            [read] = cells.read(file)
        self.assertEqual((read.name, read.family, read.executions), ("a", "x", 50))
        loop = read.cells[Cell(UNKNOWN, LEAVES, "zero.equal")]
        self.assertEqual((loop.share, loop.first), (0.6, 0.45))
        raised = Cell(Edge("raised", False, False), Edge("noreturn", False, True), "")
        self.assertEqual(
            {cell for cell in read.cells if cell.is_estimated}, {Cell(UNKNOWN, LEAVES, "zero.equal"), raised}
        )


class Predictions(unittest.TestCase):
    def test_predictions_of_llvm(self) -> None:
        llvm = numbers.llvm()
        self.assertAlmostEqual(llvm.predict(Cell(UNKNOWN, LEAVES, "zero.equal")), 31 / 32, places=6)
        self.assertEqual(llvm.predict(Cell(UNKNOWN, UNKNOWN, "pointer.equal")), 12 / 32)
        self.assertEqual(llvm.predict(Cell(UNKNOWN, UNKNOWN, "float.ordered")), 1048575 / 1048576)
        self.assertEqual(llvm.predict(Cell(UNKNOWN, UNKNOWN, "other.less")), 0.5)
        self.assertEqual(llvm.predict(Cell(COLD, UNKNOWN, "")), 65535 / (65535 + 1048575))
        self.assertEqual(llvm.predict(Cell(Edge("unreachable", False, False), UNKNOWN, "")), numbers.LEAST)

    def test_file_round_trip(self) -> None:
        llvm = numbers.llvm()
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "p.toml")
            file.write_text(numbers.as_text(llvm, "two\nlines"))
            self.assertEqual(numbers.of_file(file), llvm)

    def test_divergence(self) -> None:
        it = program((Cell(UNKNOWN, UNKNOWN, "pointer.equal"), 3, 0.75), (Cell(UNKNOWN, UNKNOWN, ""), 1, 1.0))
        llvm = numbers.llvm()
        expected = 0.75 * (0.75 * math.log2(2) + 0.25 * math.log2(0.25 / 0.625)) + 0.25
        self.assertAlmostEqual(numbers.bits(llvm, it), expected)


class Fitting(unittest.TestCase):
    def test_comparison_is_the_mean_of_programs(self) -> None:
        cell = Cell(UNKNOWN, UNKNOWN, "zero.equal")
        fitted = fit.fit([program((cell, 1_000, 0.9)), program((cell, 10, 0.5))])
        first, second = fitted.conditions["zero.equal"]
        self.assertAlmostEqual(first / (first + second), (1.4 + fit.PRIOR * 12 / 32) / (2 + fit.PRIOR), places=3)
        self.assertEqual(fitted.conditions["pointer.equal"], numbers.llvm().conditions["pointer.equal"])
        self.assertNotIn("other.less", fit.fit([program((cell, 1, 0.5))], ["other.less"]).conditions)

    def test_loops_and_cold_blocks_fit_the_profile(self) -> None:
        loop, cold = Cell(UNKNOWN, LEAVES, ""), Cell(COLD, UNKNOWN, "")
        fitted = fit.fit([program((loop, 50, 0.8), (cold, 50, 0.02))] * fit.FEWEST)
        self.assertAlmostEqual(fitted.predict(loop), 0.8, delta=0.01)
        self.assertAlmostEqual(fitted.predict(cold), 0.02, delta=0.002)
        once = fit.fit([program((loop, 50, 0.8), (cold, 50, 0.02))])
        self.assertEqual(once.weights["cold"], numbers.llvm().weights["cold"])

    def test_fit_is_better_than_llvm(self) -> None:
        found = [(Cell(UNKNOWN, LEAVES, ""), 50, 0.7), (Cell(Edge("cold", True, False), UNKNOWN, ""), 50, 0.1)]
        it = program(*found)
        fitted = fit.fit([it] * fit.FEWEST)
        self.assertLess(numbers.bits(fitted, it), numbers.bits(numbers.llvm(), it))
        self.assertLess(numbers.bits(fitted, it), 0.01)
