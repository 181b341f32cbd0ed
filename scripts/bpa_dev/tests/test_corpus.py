"""Files of the corpus are whole or not there, and SQLite's hints reach the compiler."""

import functools
import pathlib
import re
import tempfile
import unittest

from bpa_dev import corpus


def write(text: str, path: pathlib.Path) -> None:
    path.write_text(text)


class Files(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name, "inner", "file.bc")

    def test_what_is_there_is_kept(self) -> None:
        for text in ("first", "second"):
            corpus.make_file(self.file, functools.partial(write, text), quietly=True)
        self.assertEqual(self.file.read_text(), "first")

    def test_an_interrupted_run_leaves_no_half_file(self) -> None:
        def stops(partial: pathlib.Path) -> None:
            partial.write_text("half")
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            corpus.make_file(self.file, stops, quietly=True)
        self.assertFalse(self.file.exists())


class Names(unittest.TestCase):
    def test_folders_and_single_files(self) -> None:
        for name in ("sqlite", "generated", "sqlite-O2", "sqlite-named-O0", "cxx-Os", "cxx-named-O3"):
            self.assertTrue(corpus.is_name(name), name)
        for name in ("", "sqlite-O4", "cxx-named", "sqlite-profile-O2", "expect-O2"):
            self.assertFalse(corpus.is_name(name), name)


class Hints(unittest.TestCase):
    def test_macros_that_do_nothing_tell_the_compiler(self) -> None:
        text = b"# define ALWAYS(X)      (X)\n#define unlikely(X)  (X)\n# define NEVER(X)  (1)\n"
        for pattern, replacement in corpus.HINTS.items():
            text = re.sub(pattern, replacement, text)
        self.assertEqual(
            text.decode().splitlines(),
            [
                "# define ALWAYS(X) __builtin_expect(!!(X), 1)",
                "#define unlikely(X) __builtin_expect(!!(X), 0)",
                "# define NEVER(X)  (1)",
            ],
        )
