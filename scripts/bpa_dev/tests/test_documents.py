"""What holds the documents against what they are about."""

import contextlib
import io
import unittest

from bpa_dev import command
from bpa_dev.commands import check_library_page, heuristics_page, tutorial
from bpa_dev.messages import Failure
from bpa_dev.tests.trees import TreeTest

PAGE = """Say:

```console
$ echo one; echo two; echo three
one
...
three
$ true
```

```text
$ no command
```
"""
TEST = """; # A rule!
;
; What it says.
;
; entry -> end
; RUN: opt -passes='rust-bpi<explain>' %s
define void @f() {
  ret void
}
; CHECK: not shown
; CHECK-NEXT: {{%?}}end has {{[0-9]+}}
"""


class Tutorial(TreeTest):
    def check(self, page: str) -> tuple[int, str]:
        self.write({"page.md": page})
        with contextlib.redirect_stdout(io.StringIO()) as printed, contextlib.redirect_stderr(printed):
            code = command.main(["tutorial", "--page", str(self.root / "page.md")])
        return code, printed.getvalue()

    def test_commands(self) -> None:
        self.assertEqual(
            list(tutorial.commands(PAGE)), [("echo one; echo two; echo three", ["one", "...", "three"]), ("true", [])]
        )

    def test_what_the_page_says(self) -> None:
        self.assertEqual(self.check(PAGE)[0], 0)

    def test_what_it_does_not(self) -> None:
        for wrong in (PAGE.replace("one\n", "won\n"), PAGE.replace("true", "false"), PAGE.replace("true", "echo more")):
            self.assertEqual(self.check(wrong)[0], 1)

    def test_a_shell_that_ends(self) -> None:
        code, printed = self.check(PAGE.replace("$ true", "$ exit 0"))
        self.assertEqual(code, 1)
        self.assertIn("exit 0", printed)

    def test_no_commands(self) -> None:
        self.assertEqual(self.check("nothing")[0], 1)


class Heuristics(unittest.TestCase):
    def test_section(self) -> None:
        section = heuristics_page.Section(TEST, "rule")
        self.assertEqual((section.title, section.passes), ("A rule!", "rust-bpi<explain>"))
        self.assertEqual(section.printed, ["end has ..."])
        text = section.text()
        for part in ("\n## A rule!\n\nWhat it says. (`rule.ll`)\n", "```text\nend has ...\n```"):
            self.assertIn(part, text)
        self.assertNotIn("CHECK", text)

    def test_decisive_lines(self) -> None:
        lines = ["----", " edge a", "    single successor", " edge b", "    pointer", "    Other rules: none"]
        self.assertEqual(list(heuristics_page.decisive(lines)), [" edge b", "    pointer"])


class Library(unittest.TestCase):
    def test_first_block_of_a_language(self) -> None:
        self.assertEqual(check_library_page.fenced(PAGE + "```text\nother\n```\n", "text"), "$ no command\n")

    def test_no_block(self) -> None:
        with self.assertRaises(Failure):
            check_library_page.fenced(PAGE, "rust")
