"""The one command that stands before all others."""

import contextlib
import io
import unittest

from bpa_dev import command
from bpa_dev.steps import Run, Step


def printed(*words: str) -> tuple[int, str]:
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(out):
        return command.main(list(words)), out.getvalue()


class Commands(unittest.TestCase):
    def test_each_has_a_line_that_is_a_sentence(self) -> None:
        for name in command.DEV.names():
            line = command.first_line(command.DEV.file_of(name))
            self.assertRegex(line, r"^[A-Z].*[.]$", name)

    def test_each_takes_help(self) -> None:
        for name in command.DEV.names():
            parser = command.parser_of(name, command.DEV.load(name))
            self.assertIn(f"scripts/dev {name}", parser.format_help())

    def test_without_a_command_all_are_listed(self) -> None:
        code, text = printed()
        self.assertEqual(code, 2)
        for name in command.DEV.names():
            self.assertRegex(text, rf"(?m)^  {name}\b")
        self.assertEqual(printed("--help")[0], 0)

    def test_a_command_that_is_none(self) -> None:
        code, text = printed("nonsense")
        self.assertEqual(code, 2)
        self.assertIn("no command nonsense", text)

    def test_a_failure_ends_in_one_line(self) -> None:
        code, text = printed("fuzz", "--shows", "bpi:difference", "--plugin", "/there/is/none.so")
        self.assertEqual(code, 1)
        self.assertRegex(text, r"scripts/dev fuzz: .*")
        self.assertNotIn("Traceback", text)


class StepsOfATest(unittest.TestCase):
    def test_one_that_fails_does_not_keep_the_others_from_running(self) -> None:
        ran: list[str] = []

        def note(what: str, passes: bool) -> Step:
            def check() -> bool:
                ran.append(what)
                return passes

            return Step(what, check)

        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as said:
            run = Run()
            run.all_of([note("one", True), note("two", False), note("three", True)])
            code = run.report()
        self.assertEqual(ran, ["one", "two", "three"])
        self.assertEqual(code, 1)
        self.assertEqual(out.getvalue(), "2 passed, 1 failed\n")
        self.assertIn("failed: two", said.getvalue())

    def test_all_well(self) -> None:
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()):
            run = Run()
            run.one(Step("one", lambda: True))
            code = run.report()
        self.assertEqual((code, out.getvalue()), (0, "1 passed, 0 failed\n"))
