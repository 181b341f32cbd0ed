"""What holds the documents against what they are about."""

import os
import unittest

from bpa_dev.commands import check_library_page, heuristics_page, pages
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

```text file=words
some
```

```sh
cat words | grep some
```

```sh norun
false
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


class Pages(TreeTest):
    def outcomes(self, page: str) -> list[bool]:
        """Whether each command does what the page says."""
        found = pages.results(page, self.root, os.environ)
        return [pages.as_expected(example.expected, printed, status) for example, printed, status in found]

    def test_commands_that_print_what_the_page_says(self) -> None:
        self.assertEqual(self.outcomes(PAGE), [True, True, True])

    def test_commands_that_do_not(self) -> None:
        self.assertEqual(self.outcomes(PAGE.replace("one\n", "won\n")), [False, True, True])
        self.assertEqual(self.outcomes(PAGE.replace("$ true", "$ false")), [True, False, True])
        self.assertEqual(self.outcomes(PAGE.replace("$ true", "$ echo more")), [True, False, True])
        self.assertEqual(self.outcomes(PAGE.replace("cat words", "cat nothing")), [True, True, False])

    def test_a_shell_that_ends(self) -> None:
        with self.assertRaisesRegex(Failure, "exit 0"):
            self.outcomes(PAGE.replace("$ true", "$ exit 0"))


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
