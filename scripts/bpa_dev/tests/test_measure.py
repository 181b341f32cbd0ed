"""Tests of timing.py, and of shapes.py, which generates modules for benchmarks."""

import pathlib
import tempfile
import unittest

from bpa_dev import shapes, timing

from . import host


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
