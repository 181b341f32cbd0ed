"""Tests of timing.py, which reads the reports of -time-passes, and of shapes.py, which generates modules for
benchmarks."""

import pathlib
import tempfile
import unittest

from bpa_dev import shapes, timing
from bpa_dev.messages import Failure

from . import host

PASSES = """\
   User Time   --System Time--   --User+System--   ---Wall Time---  --- Name ---
   0.0200 ( 50.0%)   0.0100 (100.0%)   0.0300 ( 60.0%)   0.0310 ( 61.0%)  Pass<bpa::plugin::ModuleIR>
   0.0200 ( 50.0%)   0.0000 (  0.0%)   0.0200 ( 40.0%)   0.0200 ( 39.0%)  VerifierPass
"""
ANALYSES = """\
   0.0100 ( 50.0%)   0.0100 ( 50.0%)   0.0110 ( 50.0%)  BranchProbabilityAnalysis
   0.0050 ( 25.0%)   0.0050 ( 25.0%)   0.0060 ( 25.0%)  BlockFrequencyAnalysis
   0.0050 ( 25.0%)   0.0050 ( 25.0%)   0.0060 ( 25.0%)  AssumptionAnalysis
"""


class Times(unittest.TestCase):
    def test_time_of_our_pass(self) -> None:
        self.assertEqual(timing.our_times(PASSES), timing.Times(0.0310, 0.0300))

    def test_time_of_llvm_since_16(self) -> None:
        times = timing.llvm_times(f"{timing.EXCLUSIVE_SINCE}\n{ANALYSES}")
        self.assertAlmostEqual(times.wall, 0.0170)
        self.assertAlmostEqual(times.cpu, 0.0150)

    def test_time_of_llvm_before_16(self) -> None:
        self.assertEqual(timing.llvm_times(ANALYSES), timing.Times(0.0060, 0.0050))

    def test_report_without_our_pass_is_an_error(self) -> None:
        with self.assertRaises(Failure):
            timing.our_times(ANALYSES)


class Runs(unittest.TestCase):
    def test_failures(self) -> None:
        self.assertIsNone(timing.run(["true"]).trouble)
        self.assertEqual(timing.run(["false"]).trouble, "exit code 1")
        self.assertEqual(timing.run(["sh", "-c", "kill -9 $$"]).trouble, "SIGKILL")
        self.assertEqual(timing.run(["sleep", "60"], timeout=0.2).trouble, "> 0.2 s")

    def test_memory(self) -> None:
        self.assertGreater(timing.run(["true"]).peak, 100 << 10)


@unittest.skipUnless(host.has_opaque_pointers(), "this test needs an LLVM with opaque pointers")
class Shapes(unittest.TestCase):
    def test_each_is_valid(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name in shapes.SHAPES:
                with self.subTest(name):
                    path = pathlib.Path(folder, f"{name}.ll")
                    path.write_text("\n".join([*shapes.text(name, 12), ""]))
                    self.assertEqual(host.verifier_errors(path), "")
