"""What is made of the reports of cargo-mutants, cargo-llvm-cov and valgrind."""

import contextlib
import io
import json
import pathlib
import unittest

from bpa_dev import memcheck
from bpa_dev.commands import coverage, mutate
from bpa_dev.measure import runs
from bpa_dev.messages import Failure
from bpa_dev.tests.trees import TreeTest

BASELINE = {"scenario": "Baseline", "summary": "Success"}
LEAK = "<error><what>lost</what><stack><frame><obj>{}</obj><fn>f</fn></frame></stack></error>"
# As LLVM 16 writes it: no system time, as there was none.
REPORT = """\
   0.0020 ( 20.0%)   0.0020 ( 20.0%)   0.0025 ( 25.0%)  DominatorTreeAnalysis
   0.0030 ( 30.0%)   0.0030 ( 30.0%)   0.0040 ( 40.0%)  BlockFrequencyAnalysis
   0.0050 ( 50.0%)   0.0050 ( 50.0%)   0.0060 ( 60.0%)  some::Pass<x>::ModuleIR>
"""


class Mutants(TreeTest):
    def tell(self, *summaries: str, baseline: dict[str, str] = BASELINE) -> tuple[int, list[str]]:
        faults = [{"scenario": {"Mutant": {"name": f"fault {i}"}}, "summary": s} for i, s in enumerate(summaries)]
        self.write({"outcomes.json": json.dumps({"outcomes": [baseline, *faults]})})
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            code = mutate.tell(self.root / "outcomes.json", in_time=True)
        return code, printed.getvalue().splitlines()

    def test_all_caught(self) -> None:
        code, lines = self.tell("CaughtMutant", "Timeout", "Unviable")
        self.assertEqual((code, lines), (0, ["2 faults, 2 caught, 0 missed; 1 more do not build"]))

    def test_missed(self) -> None:
        code, lines = self.tell("CaughtMutant", "MissedMutant")
        self.assertEqual((code, lines[0]), (1, "missed: fault 1"))

    def test_nothing_tried(self) -> None:
        self.assertEqual(self.tell("Unviable")[0], 1)

    def test_tests_that_fail_anyway(self) -> None:
        with self.assertRaises(Failure):
            self.tell("CaughtMutant", baseline={"scenario": "Baseline", "summary": "Failure"})

    def test_samples(self) -> None:
        self.assertEqual(mutate.sample(100, 10, 0), "0/10")
        self.assertEqual(mutate.sample(101, 10, 12), "1/11")
        self.assertEqual(mutate.sample(5, 10, 3), "0/1")

    def test_time_is_kept(self) -> None:
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertFalse(mutate.supervise(["sleep", "60"], 0.001))
        self.assertTrue(mutate.supervise(["true"], None))


class Coverage(TreeTest):
    def test_counts_and_table(self) -> None:
        inside, other = pathlib.Path("/s/core/src/a/x.rs"), pathlib.Path("/s/c/src/b.rs")
        lines = [f"SF:{inside}", "DA:1,5", "DA:2,0", "end_of_record", f"SF:{other}", "DA:7,1,hash"]
        counts = coverage.read_lcov(lines)
        self.assertEqual(counts, {inside: {1: 5, 2: 0}, other: {7: 1}})
        rows = [line.split() for line in coverage.table(counts, pathlib.Path("/s"))]
        modules = [["c/b.rs", "1", "1", "100.0%"], ["core/a", "2", "1", "50.0%"]]
        self.assertEqual(rows[1:], [*modules, ["all", "3", "2", "66.7%"]])


class Valgrind(TreeTest):
    def report(self, *contents: str) -> memcheck.Report:
        files = {f"{number}.xml": text for number, text in enumerate(contents)}
        self.write(files)
        return memcheck.Report(sorted(self.root.glob("*.xml")))

    def test_ours_and_llvms(self) -> None:
        ours, llvms = LEAK.format("/x/libbpa.so"), LEAK.format("/x/libLLVM.so")
        found = self.report(f"<v>{ours}{llvms}</v>", f"<v>{ours}</v>")
        self.assertEqual((list(found.ours.values()), found.llvms, found.is_clean()), ([2], 1, False))

    def test_clean(self) -> None:
        self.assertTrue(self.report(f"<v>{LEAK.format('/x/libLLVM.so')}</v>").is_clean())

    def test_arguments_that_are_no_text(self) -> None:
        self.assertTrue(self.report("<v>\0\x1b\ufffe</v>").is_clean())

    def test_cut_off_and_none(self) -> None:
        self.assertFalse(self.report("<v>").is_clean())
        self.assertFalse(memcheck.Report([]).is_clean())


class Times(unittest.TestCase):
    def test_ours(self) -> None:
        self.assertEqual(runs.our_times(REPORT), runs.Times(0.006, 0.005))

    def test_llvms_add_up_where_they_exclude_each_other(self) -> None:
        both = runs.llvm_times(f"{runs.EXCLUSIVE_SINCE}\n{REPORT}")
        self.assertAlmostEqual(both.wall, 0.0065)
        self.assertAlmostEqual(both.cpu, 0.005)

    def test_llvms_last_covers_all_before(self) -> None:
        self.assertEqual(runs.llvm_times(REPORT), runs.Times(0.004, 0.003))

    def test_no_report(self) -> None:
        with self.assertRaises(Failure):
            runs.our_times("nothing")
