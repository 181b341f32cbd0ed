"""Tests the comparison of texts by sections, and the summary of a run's results."""

import pathlib
import tempfile
import unittest

from bpa_dev.commands import parity
from bpa_dev.comparing import many
from bpa_dev.comparing.optnone import without_optnone
from bpa_dev.comparing.runs import Ending, Run, run
from bpa_dev.comparing.verdict import Verdict
from bpa_dev.fuzzing import REPEATS, repeated


def report(function: str, *lines: str) -> bytes:
    text = "\n".join([f"Printing analysis results of BPI for function '{function}':", *lines, ""])
    return text.encode(errors="surrogateescape")


class Differences(unittest.TestCase):
    def verdict(self, ours: bytes, theirs: bytes) -> Verdict:
        verdict = Verdict(pathlib.Path("some.ll"))
        verdict.compare(ours, theirs)
        return verdict

    def test_equal_texts(self) -> None:
        verdict = self.verdict(report("f", "a"), report("f", "a"))
        self.assertEqual((verdict.lines, verdict.differing, verdict.difference), (2, 0, None))

    def test_additional_line_does_not_shift_other_lines(self) -> None:
        ours = report("f", "a", "b") + report("g", "c", "d")
        self.assertEqual(self.verdict(ours, report("f", "a") + report("g", "c", "d")).differing, 1)

    def test_order_of_functions(self) -> None:
        one, other = report("f", "a"), report("g", "a")
        self.assertGreater(self.verdict(one + other, other + one).differing, 0)

    def test_missing_line_end(self) -> None:
        self.assertGreater(self.verdict(report("f", "a")[:-1], report("f", "a")).differing, 0)

    def test_description_has_the_function_and_both_lines(self) -> None:
        same = ("1", "2", "3")
        found = self.verdict(report("f", *same, "\udcff"), report("f", *same, "a")).difference or ""
        self.assertIn("function 'f'", found)
        self.assertIn("\n-a\n+", found)
        self.assertTrue(found.startswith("some.ll"))


class Optnone(unittest.TestCase):
    def test_only_the_attribute_is_removed(self) -> None:
        text = b'; optnone \nattributes #0 = { noinline optnone "a"="optnone " }\n'
        self.assertEqual(without_optnone(text), b'; optnone \nattributes #0 = { noinline "a"="optnone " }\n')


class Runs(unittest.TestCase):
    def ending(self, script: str, timeout: float = 30) -> Run:
        return run(["sh", "-c", script], timeout)

    def test_endings(self) -> None:
        self.assertEqual(self.ending("echo out; echo err >&2"), Run(Ending.FINE, b"out\n", b"err\n", None))
        self.assertEqual(self.ending("exit 1").ending, Ending.REFUSED)
        self.assertEqual(self.ending("exit 134").ending, Ending.CRASHED)
        self.assertEqual(self.ending("kill -9 $$").ending, Ending.CRASHED)
        self.assertEqual(self.ending("sleep 60", 0.1).ending, Ending.HUNG)

    def test_description_of_a_failure_has_the_last_output(self) -> None:
        self.assertIn("killed by SIGKILL", self.ending("kill -9 $$").trouble or "")
        self.assertIn("exit code 3", self.ending("echo why >&2; exit 3").trouble or "")
        self.assertIn("\n    why", self.ending("echo why >&2; exit 3").trouble or "")


class Summary(unittest.TestCase):
    def verdict(self, ours: bytes, theirs: bytes) -> Verdict:
        verdict = Verdict(pathlib.Path("some.ll"))
        verdict.functions = 1
        verdict.compare(ours, theirs)
        return verdict

    def test_line_without_differences(self) -> None:
        same = self.verdict(report("f", "a"), report("f", "a"))
        self.assertEqual(
            parity.summary([same], ["bpi"]), "parity: 1 files, 1 functions, 2 lines, 0 differing lines (bpi)"
        )
        self.assertTrue(many.all_well([same]))

    def test_differences_are_counted(self) -> None:
        different = self.verdict(report("f", "a", "b"), report("f", "c", "d"))
        self.assertIn("1 functions, 3 lines, 4 differing lines in 1 files", parity.summary([different], ["bpi", "bfi"]))
        self.assertFalse(many.all_well([different]))

    def test_failed_run_is_a_failure(self) -> None:
        verdict = self.verdict(b"", b"")
        verdict.note("ours", Run(Ending.CRASHED, b"", b"", "killed"))
        self.assertIn("1 files with crashes, timeouts or errors", many.figures([verdict]))
        self.assertFalse(many.all_well([verdict]))
        self.assertEqual(verdict.trouble, ["some.ll: ours: killed"])

    def test_no_comparison_is_a_failure(self) -> None:
        verdict = Verdict(pathlib.Path("some.ll"))
        self.assertFalse(parity.anything_compared([verdict]))
        self.assertIn("nothing compared", parity.summary([verdict], ["bpi"]))


class Repetitions(unittest.TestCase):
    @staticmethod
    def stopped(comparisons: int) -> Run:
        agreed = b"LLVM agrees on 'f': 2 blocks, 1 branches, form 0123456789abcdef\n"
        return Run(Ending.REFUSED, b"", agreed * comparisons, "exit code 1")

    def difference(self, first: int, *others: int) -> int | None:
        runs = iter(others)
        done = repeated(self.stopped(first), lambda: self.stopped(next(runs)))
        return len(done.stderr.splitlines()) if done else None

    def test_equal_differences_are_a_finding(self) -> None:
        self.assertEqual(self.difference(3, *[3] * REPEATS), 3)

    def test_a_finding_after_a_difference_that_varies(self) -> None:
        self.assertEqual(self.difference(3, 3, 3, 7, *[3, 7] * REPEATS), 7)

    def test_a_run_without_differences(self) -> None:
        fine = Run(Ending.FINE, b"", b"", None)
        runs = iter([self.stopped(3)] * (REPEATS - 1) + [fine])
        self.assertIsNone(repeated(self.stopped(3), lambda: next(runs)))

    def test_rare_last_difference(self) -> None:
        self.assertIsNone(self.difference(3, 7, *[3] * 1000))


class Files(unittest.TestCase):
    def test_each_file_is_compared_once(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder, f"{number}.ll") for number in range(20)]
            verdicts = many.compare_all(files, Verdict, jobs=3, show=1)
        self.assertEqual(sorted(v.path for v in verdicts), sorted(files))
