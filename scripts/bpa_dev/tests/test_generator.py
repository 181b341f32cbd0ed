"""Tests that generated IR depends only on the seed, and is valid."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from bpa_dev.irgen.module import PROFILES, Module, write_modules
from bpa_dev.paths import SCRIPTS

from . import host


def text(profile: str, *, stream: str = "1", llvm: int = 16, malformed: bool = False, functions: int = 30) -> str:
    module = Module(profile, llvm, stream, malformed)
    module.add_functions(functions)
    return module.text()


class SameSeed(unittest.TestCase):
    def test_bytes_do_not_depend_on_the_process(self) -> None:
        def generated(hash_seed: str) -> bytes:
            with tempfile.TemporaryDirectory() as folder:
                command = [sys.executable, str(SCRIPTS / "dev"), "generate", "--out", folder, "--functions", "40"]
                environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
                subprocess.run([*command, "--seed", "5"], env=environment, stdout=subprocess.DEVNULL, check=True)
                return b"".join(path.read_bytes() for path in sorted(pathlib.Path(folder).iterdir()))

        self.assertEqual(generated("1"), generated("2"))

    def test_another_stream_gives_other_functions(self) -> None:
        for profile in PROFILES:
            self.assertNotEqual(text(profile, stream="1"), text(profile, stream="2"))

    def test_functions_do_not_depend_on_later_functions(self) -> None:
        few, many = text("folding", functions=3), text("folding", functions=6)
        body = few.index("define void @f0"), few.index("define void @f2")
        self.assertIn(few[body[0] : body[1]], many)

    def test_files_and_blocks_are_counted(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            files, blocks = write_modules(folder, functions=25, per_module=10, seed=3, profile="folding", llvm=16)
            self.assertEqual((files, blocks), (3, 25 * 5))
            counted = [path.read_text().count("\ndefine void @f") for path in sorted(folder.iterdir())]
            self.assertEqual(counted, [10, 10, 5])


@unittest.skipUnless(host.newest(), "this test needs an LLVM")
class Validity(unittest.TestCase):
    def verifier_errors(self, profile: str, *, malformed: bool = False) -> str:
        newest = host.newest()
        assert newest
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "generated.ll")
            path.write_text(text(profile, llvm=newest.version, malformed=malformed, functions=150))
            return host.verifier_errors(path)

    def test_every_profile_is_valid(self) -> None:
        for profile in PROFILES:
            with self.subTest(profile):
                self.assertEqual(self.verifier_errors(profile), "")

    def test_verifier_rejects_malformed_weights(self) -> None:
        self.assertIn("operands", self.verifier_errors("general", malformed=True))
