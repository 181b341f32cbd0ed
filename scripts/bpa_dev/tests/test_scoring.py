"""What `scripts/score` adds up: lines of data, means of programs, costliest branches."""

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
from bpa_dev.scoring.records import Branch, Program, Side

QUARTER = 1 << 29


def line(executions: int, *edges: tuple[int, int, int], **others: Any) -> str:  # noqa: ANN401
    """An edge is the number of its block, its numerator and its weight in the profile."""
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

    def test_edges_to_one_block_are_one_side(self) -> None:
        program = self.read(line(8, (3, QUARTER, 1), (4, 2 * QUARTER, 5), (3, QUARTER, 2), kind="switch"))
        self.assertEqual(program.branches[0].sides, (Side(0.5, 3 / 8), Side(0.5, 5 / 8)))

    def test_what_never_ran_is_counted_and_no_more(self) -> None:
        program = self.read(line(0, (1, QUARTER, 0), (2, 3 * QUARTER, 0)))
        self.assertEqual((program.branches, program.never_ran), ([], 1))

    def test_inline_functions_count_once_and_local_ones_each(self) -> None:
        edges = ((1, QUARTER, 1), (2, 3 * QUARTER, 1))
        shared = [line(8, *edges, local=False, module=module) for module in ("a.cc", "b.cc")]
        program = self.read(*shared)
        self.assertEqual((len(program.branches), program.repeated), (1, 1))
        local = [line(8, *edges, module=module) for module in ("a.cc", "b.cc")]
        self.assertEqual(len(self.read(*local).branches), 2)

    def test_other_lines_are_told_with_their_place(self) -> None:
        for wrong in ("{", "[]\n", '{"format": 2}\n', "\n"):
            with self.assertRaisesRegex(Failure, "0.json:2: expected a line of rust-bpi<score;json>"):
                self.read(line(8, (1, QUARTER, 1), (2, 3 * QUARTER, 1)) + wrong)


class Measures(unittest.TestCase):
    def test_a_wrong_guess(self) -> None:
        found = measures.measure([Side(0.75, 0.125), Side(0.25, 0.875)])
        self.assertEqual(found[:4], (0.125, 0.875, 0.75, 0.125))
        self.assertAlmostEqual(found.bits, 0.125 * math.log2(1 / 6) + 0.875 * math.log2(3.5))

    def test_even_answers_hit_the_mean(self) -> None:
        self.assertEqual(measures.measure([Side(0.5, 0.25), Side(0.5, 0.75)])[:4], (0.5, 0.75, 0.5, 0.25))

    def test_branches_count_as_often_as_they_run(self) -> None:
        branches = [
            Branch("two-way", "even", 10, (Side(0.5, 1.0), Side(0.5, 0.0)), ""),
            Branch("two-way", "pointer", 30, (Side(0.25, 0.5), Side(0.75, 0.5)), ""),
        ]
        tally = measures.tally(branches)
        self.assertEqual((tally.branches, tally.executions, tally.avoidable), (2, 40, 5))
        self.assertEqual(tally.mean.perfect, 0.625)
        self.assertEqual(set(measures.by_rule(branches)), {"even", "pointer"})


def program(name: str, *branches: tuple[int, float, float]) -> Program:
    """A branch is its executions, the answer and the truth for the first side."""
    return Program(
        name,
        [
            Branch("two-way", "pointer", runs, (Side(answer, truth), Side(1 - answer, 1 - truth)), f"{name}:{runs}")
            for runs, answer, truth in branches
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

    def test_a_program_is_one_vote_in_the_mean(self) -> None:
        text = self.printed(program("one", (900, 0.75, 1.0)), program("two", (100, 0.75, 0.0)))
        rows = {words[0]: words for words in map(str.split, text.splitlines()) if words}
        self.assertEqual(rows["mean"][5:7], ["50.00%", "50.00%"])
        self.assertIn("all executions                  2               1000    90.00%    10.00%", text)

    def test_the_costliest_branch_comes_first(self) -> None:
        text = self.printed(program("one", (900, 0.75, 0.4), (100, 0.75, 0.0)))
        costliest = text[text.index("costliest") :].splitlines()[1].split()
        self.assertEqual(costliest[:4], ["180", "900", "75.00%", "40.00%"])


class CommandLine(unittest.TestCase):
    def test_a_file_that_is_not_there(self) -> None:
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(command_line.main(["no/such.json"]), 1)
        self.assertIn("no/such.json", said.getvalue())
