"""What is made of the reports of valgrind and `-time-passes`."""

import unittest

from bpa_dev import memcheck
from bpa_dev.measure import runs
from bpa_dev.messages import Failure
from bpa_dev.tests.trees import TreeTest

LEAK = "<error><what>lost</what><stack><frame><obj>{}</obj><fn>f</fn></frame></stack></error>"
# As LLVM 16 writes it: no system time, as there was none.
REPORT = """\
   0.0020 ( 20.0%)   0.0020 ( 20.0%)   0.0025 ( 25.0%)  DominatorTreeAnalysis
   0.0030 ( 30.0%)   0.0030 ( 30.0%)   0.0040 ( 40.0%)  BlockFrequencyAnalysis
   0.0050 ( 50.0%)   0.0050 ( 50.0%)   0.0060 ( 60.0%)  some::Pass<x>::ModuleIR>
"""


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
