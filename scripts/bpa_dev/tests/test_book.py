"""Tests that `scripts/dev book` finds the problems of a page."""

from bpa_dev.commands import book
from bpa_dev.tests.trees import TreeTest

PAGE = """# A `page`, its headings

```text
[not a link](nowhere.md)
```

## Twice
## Twice
[this](#twice-1), [that](other.md#a-page-its-headings), [web](https://example.com)
"""


class Book(TreeTest):
    def problems(self, page: str) -> list[str]:
        self.write({"page.md": page, "other.md": PAGE})
        return [problem.partition(": ")[2] for problem in book.problems_of(self.root / "page.md")]

    def test_good_links(self) -> None:
        self.assertEqual(self.problems(PAGE), [])

    def test_broken_links(self) -> None:
        self.assertEqual(self.problems("[a](b.md)\n"), ["b.md does not exist"])
        self.assertEqual(self.problems("[a](other.md#b)\n"), ["other.md#b: the page has no such heading"])

    def test_names_of_files(self) -> None:
        self.assertEqual(self.problems("`scripts/dev`, `crates/NAME/x`, `crates/*/x`\n"), [])
        self.assertEqual(self.problems("`scripts/none`\n"), ["scripts/none does not exist"])

    def test_blocks_that_are_not_run_have_a_reason(self) -> None:
        self.assertEqual(self.problems("<!-- norun: needs root -->\n```sh norun\n```\n"), [])
        self.assertEqual(len(self.problems("text\n```sh norun\n```\n")), 1)
