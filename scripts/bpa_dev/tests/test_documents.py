"""Commands in the pages of the book."""

import os

from bpa_dev.commands import pages
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
