"""Tests of the list of commands, and of the steps of a test run."""

import contextlib
import io
import os
import pathlib
import signal
import tempfile
import unittest

from bpa_dev import command
from bpa_dev.steps import Run, Step, skip


def printed(*words: str) -> tuple[int, str]:
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(out):
        return command.main(list(words)), out.getvalue()


class Commands(unittest.TestCase):
    def test_each_has_a_description(self) -> None:
        for name in command.DEV.names():
            line = command.first_line(command.DEV.file_of(name))
            self.assertRegex(line, r"^[A-Z].*[.]$", name)

    def test_each_has_a_help_text(self) -> None:
        for name in command.DEV.names():
            parser = command.parser_of(name, command.DEV.load(name))
            self.assertIn(f"scripts/dev {name}", parser.format_help())

    def test_all_are_listed(self) -> None:
        code, text = printed()
        self.assertEqual(code, 2)
        for name in command.DEV.names():
            self.assertRegex(text, rf"(?m)^  {name}\b")
        self.assertEqual(printed("--help")[0], 0)

    def test_unknown_command(self) -> None:
        code, text = printed("nonsense")
        self.assertEqual(code, 2)
        self.assertIn("no command nonsense", text)

    def test_failure_prints_one_line(self) -> None:
        code, text = printed("fuzz", "--plugin", "/there/is/none.so")
        self.assertEqual(code, 1)
        self.assertRegex(text, r"scripts/dev fuzz: .*")
        self.assertNotIn("Traceback", text)


class StepsOfATest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.logs = pathlib.Path(folder.name)

    def outcome(self, *lanes: list[Step]) -> tuple[int, str, str]:
        """Runs the sequences of steps in `lanes`, and returns the exit code, stdout and stderr."""
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
            run = Run(self.logs, "scripts/test --only")
            run.run_lanes(*lanes)
            code = run.report()
        return code, out.getvalue(), err.getvalue()

    def note(self, what: str, passes: bool) -> Step:
        def check() -> bool:
            (self.logs / what).touch()
            os.write(1, f"output of {what}\n".encode())
            return passes

        return Step(what, check)

    def test_failed_step_does_not_stop_other_steps(self) -> None:
        lanes = [self.note("one", True), self.note("two", False), self.note("three", True)], [self.note("four", True)]
        code, out, err = self.outcome(*lanes)
        self.assertTrue(all((self.logs / what).exists() for what in ("one", "two", "three", "four")))
        self.assertEqual((code, out), (1, "3 passed, 1 failed, 0 skipped\n"))
        self.assertIn("failed: two", err)
        self.assertIn("to repeat it: scripts/test --only 'two'", err)
        self.assertIn("output of two", err)
        self.assertNotIn("output of three", err)

    def test_exceptions_and_signals_are_failures(self) -> None:
        def raises() -> bool:
            raise ValueError("unexpected")

        def ends() -> bool:
            os.kill(os.getpid(), signal.SIGKILL)
            return True

        code, out, err = self.outcome([Step("raises", raises), Step("ends", ends), self.note("last", True)])
        self.assertEqual((code, out), (1, "1 passed, 2 failed, 0 skipped\n"))
        self.assertIn("ValueError: unexpected", err)

    def test_skipped_tests_are_counted(self) -> None:
        def check() -> bool:
            skip("a test", "a reason")
            return True

        code, out, err = self.outcome([Step("one", check)])
        self.assertEqual((code, out), (0, "1 passed, 0 failed, 1 skipped\n"))
        self.assertIn("skipped: a test: a reason", err)
