"""Words that are not wanted are found wherever they hide."""

import contextlib
import io
import subprocess
from collections.abc import Mapping

from bpa_dev import command
from bpa_dev.tests.trees import TreeTest

WORDS = r"""
skipped = ["*.lock"]
[[word]]
forms = ["box", "boxes"]
instead = "crate"
[[allowed]]
text = 'Box<\w+>'
files = ["*.rs"]
why = "a type"
"""


class Words(TreeTest):
    def check(self, files: Mapping[str, str], words: str = WORDS, *paths: str) -> tuple[int, list[str]]:
        # What stands in a.rs needs the allowance.
        self.write({"a.rs": "Box<u8>", **files, "list.toml": words})
        subprocess.run(["git", "init", "--quiet"], cwd=self.root, check=True)
        with contextlib.redirect_stdout(io.StringIO()) as printed, contextlib.redirect_stderr(printed):
            given = ["--root", str(self.root), "--words", str(self.root / "list.toml"), *paths]
            code = command.main(["check-words", *given])
        return code, printed.getvalue().splitlines()

    def assert_found(self, text: str, *words: str) -> None:
        code, lines = self.check({"b.txt": text})
        self.assertEqual([line.split("`")[1] for line in lines if "`" in line], list(words), lines)
        self.assertEqual(code, 1 if words else 0)

    def test_words_by_themselves_and_in_names(self) -> None:
        for text, word in [
            ("A box;", "box"),
            ("Boxes.", "Boxes"),
            ("BOX", "BOX"),
            ("box_of", "box"),
            ("of_boxes", "boxes"),
        ]:
            self.assert_found(text, word)
        for text, word in [("boxOf", "box"), ("LittleBox", "Box"), ("XMLBox", "Box"), ("no `in_box`", "box")]:
            self.assert_found(text, word)

    def test_parts_of_other_words_are_no_words(self) -> None:
        self.assert_found("boxing inbox toolbox Boxer")

    def test_the_line_and_the_advice_are_told(self) -> None:
        code, lines = self.check({"docs/b.md": "fine\nno box"})
        self.assertEqual((code, lines), (1, ["docs/b.md:2: `box`: crate"]))

    def test_names_of_files(self) -> None:
        _, lines = self.check({"box/b.rs": ""})
        self.assertEqual(lines, ["box/b.rs:1: the file's name says `box`: crate"])

    def test_allowances_cover_what_they_match_in_their_files(self) -> None:
        self.assertEqual(self.check({"c.rs": "a: Box<u8>"})[0], 0)
        self.assertEqual(self.check({"c.rs": "a: Box<u8>, box"})[1], ["c.rs:1: `box`: crate"])
        self.assertEqual(self.check({"c.rs": "box: Box<u8>"})[1], ["c.rs:1: `box`: crate"])
        self.assertEqual(self.check({"c.rs": "", "d.py": "Box<u8>"})[1], ["d.py:1: `Box`: crate"])

    def test_skipped_and_ignored_files(self) -> None:
        self.assertEqual(self.check({"c.lock": "box", ".gitignore": "/target", "target/c.rs": "box"})[0], 0)

    def test_needless_allowances(self) -> None:
        _, lines = self.check({"a.rs": ""})
        self.assertEqual(lines, ["list.toml:7: nothing needs this allowance"])

    def test_some_paths_only(self) -> None:
        code, lines = self.check({"c/c.rs": "box", "d.rs": "box"}, WORDS, str(self.root / "c"))
        self.assertEqual((code, lines), (1, ["c/c.rs:1: `box`: crate"]))

    def test_allowances_have_reasons(self) -> None:
        code, lines = self.check({}, WORDS.replace("a type", ""))
        self.assertEqual(code, 1)
        self.assertIn("no reason why", lines[0])
