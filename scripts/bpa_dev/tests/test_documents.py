"""Tests of the commands in pages of the book."""

import os

from bpa_dev.commands import pages
from bpa_dev.messages import Failure
from bpa_dev.tests.trees import TreeTest

PAGE = """Text:

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


class Pages(TreeTest):
    def outcomes(self, page: str) -> list[bool]:
        """Returns, for each command, whether it prints the output that the page contains."""
        found = pages.results(page, self.root, os.environ)
        return [pages.as_expected(example.expected, printed, status) for example, printed, status in found]

    def test_commands_with_expected_output(self) -> None:
        self.assertEqual(self.outcomes(PAGE), [True, True, True])

    def test_commands_with_other_output(self) -> None:
        self.assertEqual(self.outcomes(PAGE.replace("one\n", "won\n")), [False, True, True])
        self.assertEqual(self.outcomes(PAGE.replace("$ true", "$ false")), [True, False, True])
        self.assertEqual(self.outcomes(PAGE.replace("$ true", "$ echo more")), [True, False, True])
        self.assertEqual(self.outcomes(PAGE.replace("cat words", "cat nothing")), [True, True, False])

    def test_end_of_the_shell(self) -> None:
        with self.assertRaisesRegex(Failure, "exit 0"):
            self.outcomes(PAGE.replace("$ true", "$ exit 0"))
