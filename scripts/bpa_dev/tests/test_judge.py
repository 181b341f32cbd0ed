"""The judge: differences, crashes and hangs come into the right class, and to the right side's account."""

import pathlib
import stat
import sys
import tempfile
import unittest

from bpa_dev.comparing.runs import Ending
from bpa_dev.fuzzing.judge import Judge, Judgement, Module
from bpa_dev.fuzzing.sources import Draw, Maker
from bpa_dev.llvm import Llvm
from bpa_dev.tools import Tools

from . import fake_opt

# A busy machine may be slow; what hangs is waited for.
PATIENCE, HURRY = 30, 2


class JudgeTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        opt = self.folder / "opt"
        opt.write_text(f'#!/bin/sh\nexec {sys.executable} -B -S {fake_opt.__file__} "$@"\n')
        opt.chmod(opt.stat().st_mode | stat.S_IXUSR)
        tools = Tools(Llvm(16, self.folder), (str(opt),), self.folder / "libbpa.so")
        self.maker = Maker(tools, PATIENCE)
        # It would be built.
        vars(self.maker)["mutations"] = self.folder / "libmutations.so"

    def module(self, text: str) -> pathlib.Path:
        path = self.folder / "drawn.ll"
        path.write_text(text)
        return path

    def judged(self, text: str) -> Judgement:
        return Judge(self.maker).judge(Draw(self.module(text), [], printed=True))

    def checked(self, text: str) -> Judgement:
        """In the process, with a stage of LLVM's."""
        return Judge(self.maker).judge(Draw(self.module(text), [["dce"]]))

    def found(self, text: str) -> tuple[str, str, str | None]:
        """Check, kind and function of what is found."""
        finding = self.judged(text).finding
        assert finding, "nothing found"
        return finding.check, finding.kind, finding.function


class NoFinding(JudgeTest):
    def test_the_same_reports(self) -> None:
        judgement = self.judged("")
        self.assertIsNone(judgement.finding)
        self.assertIsNone(judgement.llvm_trouble)
        self.assertEqual((judgement.functions, judgement.blocks), (1, 1))

    def test_a_crash_of_llvm_alone(self) -> None:
        for printer in ("bpi", "bfi"):
            with self.subTest(printer):
                judgement = self.judged(f"LLVM's {printer}: crash")
                self.assertIsNone(judgement.finding)
                self.assertEqual(judgement.llvm_trouble, Ending.CRASHED)

    def test_a_hang_of_llvm_alone(self) -> None:
        self.maker.timeout = HURRY
        judgement = self.judged("LLVM's bpi: hang")
        self.assertIsNone(judgement.finding)
        self.assertEqual(judgement.llvm_trouble, Ending.HUNG)

    def test_a_file_that_llvm_cannot_read(self) -> None:
        judgement = self.judged("reader: crash")
        self.assertIsNone(judgement.finding)
        self.assertEqual(judgement.llvm_trouble, Ending.CRASHED)


class Findings(JudgeTest):
    def test_a_difference_names_its_function(self) -> None:
        self.assertEqual(self.found("ours bpi: differ"), ("bpi", "difference", "f"))
        self.assertEqual(self.found("LLVM's bfi: differ"), ("bfi", "difference", "f"))

    def test_a_crash_of_ours(self) -> None:
        self.assertEqual(self.found("ours bfi: crash"), ("bfi", "crash", None))

    def test_an_error_of_ours(self) -> None:
        self.assertEqual(self.found("ours bpi: refuse"), ("bpi", "crash", None))

    def test_a_hang_of_ours(self) -> None:
        self.maker.timeout = HURRY
        self.assertEqual(self.found("ours bfi: hang"), ("bfi", "hang", None))

    def test_a_crash_in_annotating(self) -> None:
        self.assertEqual(self.found("ours annotation: crash"), ("annotated", "crash", None))

    def test_where_both_crash_ours_is_to_blame_if_the_reader_is_fine(self) -> None:
        self.assertEqual(self.found("ours: crash\nLLVM's: crash"), ("bpi", "crash", None))

    def test_a_difference_that_only_many_passes_in_one_process_show(self) -> None:
        self.assertEqual(self.found("together: differ"), ("together", "difference", None))

    def test_expectations_lowered_in_another_way(self) -> None:
        self.assertIsNone(self.judged("llvm.expect").finding)
        self.assertEqual(self.found("llvm.expect\nours expect: other"), ("expect", "difference", "f"))


class InProcess(JudgeTest):
    def test_all_comparisons_count(self) -> None:
        judgement = self.checked("")
        self.assertIsNone(judgement.finding)
        # Both at first, frequencies after the stage and after each annotation.
        self.assertEqual(judgement.compared, [(3, 1, 1), *4 * [(3, 1, 255)]])

    def test_what_was_compared_before_a_crash_of_llvm_counts(self) -> None:
        judgement = self.checked("passes: crash")
        self.assertIsNone(judgement.finding)
        self.assertEqual(judgement.llvm_trouble, Ending.CRASHED)
        self.assertEqual(len(judgement.compared), 2)

    def test_a_difference(self) -> None:
        finding = self.checked("check: differ").finding
        assert finding
        self.assertEqual((finding.check, finding.kind, finding.function), ("check", "difference", "f"))

    def test_a_crash_and_a_hang_in_a_comparison(self) -> None:
        finding = self.checked("check: crash").finding
        assert finding
        self.assertEqual((finding.check, finding.kind), ("check", "crash"))
        self.maker.timeout = HURRY
        finding = self.checked("check: hang").finding
        assert finding
        self.assertEqual((finding.check, finding.kind), ("check", "hang"))

    def test_where_llvms_analyses_crash_too_it_is_llvms(self) -> None:
        judgement = self.checked("check: crash\nLLVM's: crash")
        self.assertIsNone(judgement.finding)
        self.assertEqual(judgement.llvm_trouble, Ending.CRASHED)


class Shows(JudgeTest):
    """What llvm-reduce is told: whether a smaller module has the same finding still."""

    def shows(self, check: str, kind: str, text: str) -> bool:
        return Judge(self.maker).shows(check, kind, Module(self.module(text)))

    def test_only_the_same_kind_in_the_same_check_counts(self) -> None:
        differ = "ours bpi: differ"
        self.assertTrue(self.shows("bpi", "difference", differ))
        self.assertFalse(self.shows("bpi", "crash", differ))
        self.assertFalse(self.shows("bfi", "difference", differ))

    def test_a_crash_of_llvm_is_none(self) -> None:
        self.assertFalse(self.shows("bpi", "crash", "LLVM's bpi: crash"))
        self.assertTrue(self.shows("bpi", "crash", "ours bpi: crash"))
