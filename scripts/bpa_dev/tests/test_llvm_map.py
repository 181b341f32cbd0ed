"""Tests of the table of `LLVM:` comments."""

import unittest

from bpa_dev.commands import llvm_map
from bpa_dev.messages import Failure
from bpa_dev.paths import ROOT

FILE = ROOT / "src" / "x.rs"


def rows(text: str) -> list[tuple[str, str]]:
    return [(name, item) for name, item, _ in llvm_map.rows_of(text, FILE)]


class Rows(unittest.TestCase):
    def test_items(self) -> None:
        text = "/// A.\n///\n/// LLVM: `T::one`,\n/// `two`.\n#[inline]\npub(super) const fn f(g: impl FnMut()) {}\n"
        self.assertEqual(rows(text), [("T::one", "`f`"), ("two", "`f`")])
        self.assertEqual(rows("    /// LLVM: `Three`.\n    Variant(u8),\n"), [("Three", "`Variant`")])

    def test_files(self) -> None:
        self.assertEqual(rows("//! LLVM: `Whole`.\n\nuse x;\n"), [("Whole", "")])
        self.assertEqual(rows("// LLVM: `Folded`.\nint f();\n"), [("Folded", "")])

    def test_other_forms_are_errors(self) -> None:
        for text in ("/// LLVM: nothing.\nfn f();\n", "/// LLVM: `a`, which is gone.\nfn f();\n"):
            with self.subTest(text), self.assertRaises(Failure):
                rows(text)

    def test_table(self) -> None:
        found = {("T::one", "`f`", "a.rs"), ("T::two", "", "b.rs"), ("three", "`g`", "a.rs"), ("U::v", "", "c.rs")}
        self.assertEqual(
            llvm_map.table(found),
            [
                "| `T` | `one`: `f` `a.rs`; `two`: `b.rs` |\n",
                "| other names in T | `three`: `g` `a.rs` |\n",
                "| other names in U | `U::v`: `c.rs` |\n",
            ],
        )
