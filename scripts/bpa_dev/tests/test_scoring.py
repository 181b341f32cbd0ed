"""Tests of `scripts/score`: input lines, means over programs, branches with the most avoidable misses."""

import contextlib
import io
import json
import math
import pathlib
import tempfile
import unittest
from typing import Any

from bpa_dev.messages import Failure
from bpa_dev.scoring import command_line, measures, records, report
from bpa_dev.scoring.records import Branch, Program, Successor

QUARTER = 1 << 29


def line(executions: int, *edges: tuple[int, int, int], **others: Any) -> str:  # noqa: ANN401
    """Formats a line. An edge has three items: number of the successor, numerator, and weight in the profile."""
    row: dict[str, Any] = {
        "format": 3,
        "module": "m.c",
        "function": "f",
        "local": True,
        "block": "%b",
        "kind": "two-way",
    }
    row |= {"rule": "pointer", "executions": str(executions), **others}
    row["edges"] = [{"to": to, "numerator": part, "true_weight": weight} for to, part, weight in edges]
    if not executions:
        for edge in row["edges"]:
            del edge["true_weight"]
    return json.dumps(row) + "\n"


class Reading(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def read(self, *modules: str) -> Program:
        for number, text in enumerate(modules):
            (self.folder / f"{number}.json").write_text(text)
        return records.read("it", records.files_of(self.folder))

    def test_parallel_edges_are_one_successor(self) -> None:
        program = self.read(line(8, (3, QUARTER, 1), (4, 2 * QUARTER, 5), (3, QUARTER, 2), kind="switch"))
        self.assertEqual(program.branches[0].successors, (Successor(0.5, 3 / 8), Successor(0.5, 5 / 8)))

    def test_branches_that_never_ran_are_only_counted(self) -> None:
        program = self.read(line(0, (1, QUARTER, 0), (2, 3 * QUARTER, 0)))
        self.assertEqual((program.branches, program.never_ran), ([], 1))

    def test_copies_of_inline_functions_count_once(self) -> None:
        edges = ((1, QUARTER, 1), (2, 3 * QUARTER, 1))
        shared = [line(8, *edges, local=False, module=module) for module in ("a.cc", "b.cc")]
        program = self.read(*shared)
        self.assertEqual((len(program.branches), program.repeated), (1, 1))
        local = [line(8, *edges, module=module) for module in ("a.cc", "b.cc")]
        self.assertEqual(len(self.read(*local).branches), 2)

    def test_invalid_line(self) -> None:
        for wrong in ("{", "[]\n", '{"format": 2}\n', "\n"):
            with self.assertRaisesRegex(Failure, "0.json:2: expected a line of rust-bpi<score;json>"):
                self.read(line(8, (1, QUARTER, 1), (2, 3 * QUARTER, 1)) + wrong)


class Measures(unittest.TestCase):
    def test_wrong_prediction(self) -> None:
        found = measures.measure([Successor(0.75, 0.125), Successor(0.25, 0.875)])
        self.assertEqual(found[:4], (0.125, 0.875, 0.75, 0.125))
        self.assertAlmostEqual(found.bits, 0.125 * math.log2(1 / 6) + 0.875 * math.log2(3.5))

    def test_even_prediction(self) -> None:
        self.assertEqual(measures.measure([Successor(0.5, 0.25), Successor(0.5, 0.75)])[:4], (0.5, 0.75, 0.5, 0.25))

    def test_branches_are_weighted_by_executions(self) -> None:
        branches = [
            Branch("two-way", "even", 10, (Successor(0.5, 1.0), Successor(0.5, 0.0)), ""),
            Branch("two-way", "pointer", 30, (Successor(0.25, 0.5), Successor(0.75, 0.5)), ""),
        ]
        tally = measures.tally(branches)
        self.assertEqual((tally.branches, tally.executions, tally.avoidable), (2, 40, 5))
        self.assertEqual(tally.mean.perfect, 0.625)
        self.assertEqual(set(measures.by_rule(branches)), {"even", "pointer"})


def program(name: str, *branches: tuple[int, float, float]) -> Program:
    """A branch is a tuple: its executions, and the predicted and the profiled probability of the first successor."""
    return Program(
        name,
        [
            Branch("two-way", "pointer", runs, (Successor(p, q), Successor(1 - p, 1 - q)), f"{name}:{runs}")
            for runs, p, q in branches
        ],
        0,
        0,
    )


class Reports(unittest.TestCase):
    def printed(self, *programs: Program) -> str:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            report.print_programs(programs)
            report.print_rules(programs)
            report.print_branches(programs, 1)
        return out.getvalue()

    def test_mean_of_programs_is_unweighted(self) -> None:
        text = self.printed(program("one", (900, 0.75, 1.0)), program("two", (100, 0.75, 0.0)))
        rows = {words[0]: words for words in map(str.split, text.splitlines()) if words}
        self.assertEqual(rows["mean"][5:7], ["50.00%", "50.00%"])
        self.assertIn("all executions                  2               1000    90.00%    10.00%", text)

    def test_costliest_branch_is_first(self) -> None:
        text = self.printed(program("one", (900, 0.75, 0.4), (100, 0.75, 0.0)))
        costliest = text[text.index("costliest") :].splitlines()[1].split()
        self.assertEqual(costliest[:4], ["180", "900", "75.00%", "40.00%"])


class CommandLine(unittest.TestCase):
    def test_missing_file(self) -> None:
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            self.assertEqual(command_line.main(["no/such.json"]), 1)
        self.assertIn("no/such.json", errors.getvalue())
