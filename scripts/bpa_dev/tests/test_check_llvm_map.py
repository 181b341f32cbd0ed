"""The map to LLVM and the code say the same."""

import contextlib
import io
from collections.abc import Mapping

from bpa_dev import command
from bpa_dev.tests.trees import TreeTest

HEAD = "# Map\n\n| LLVM | here | what |\n| --- | --- | --- |\n"
CODE = {
    "lib.rs": "pub mod a;",
    "a/mod.rs": "//! All.\n//! LLVM: `Whole`.\nmod b;\npub use b::B;",
    "a/b.rs": """/// A thing.
///
/// LLVM: `T::one`, `T::two`.
pub struct B {
    /// LLVM: `T::Field`.
    pub field: u8,
}
impl B {
    /// LLVM: `T::long`,
    /// `T::longer`.
    #[inline]
    pub fn method() {}
}
#[cfg(test)]
/// LLVM: `Untold`.
fn t() {}
""",
    "c.cpp": "#include <x>\n// LLVM: `Folded`.\n",
}
ROWS = """| `T::one`, `T::two` | `x::a::b::B` | both |
| `T::Field` | `x::a::b::B::field` | |
| `T::long`, `T::longer` | `x::a::b::B::method` | |
| `Whole` | `src/a/mod.rs` | |
| `Folded` | `src/c.cpp` | |
"""


class LlvmMap(TreeTest):
    def check(self, rows: str, code: Mapping[str, str] = CODE) -> list[str]:
        self.write({"Cargo.toml": '[package]\nname = "x"\n', "docs/llvm-map.md": HEAD + rows})
        self.write({f"src/{name}": text for name, text in code.items()})
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            status = command.main(["check-llvm-map", "--root", str(self.root)])
        lines = printed.getvalue().splitlines()
        self.assertEqual(status, 0 if "are where it says" in lines[-1] else 1)
        return lines

    def test_agreement(self) -> None:
        self.assertEqual(self.check(ROWS), ["7 entries of docs/llvm-map.md are where it says"])

    def test_no_such_item(self) -> None:
        (line,) = self.check(f"{ROWS}| `T::three` | `x::a::B` | passed on, not defined |\n")
        self.assertEqual(line, "docs/llvm-map.md:10: no `x::a::B`; there is `x::a::b::B`")

    def test_no_such_file(self) -> None:
        (line,) = self.check(f"{ROWS}| `T::three` | `src/z.rs` | |\n")
        self.assertEqual(line, "docs/llvm-map.md:10: no `src/z.rs`")

    def test_the_item_does_not_say_so(self) -> None:
        (line,) = self.check(f"{ROWS}| `T::three` | `x::a::b::B` | |\n")
        self.assertEqual(line, "docs/llvm-map.md:10: `x::a::b::B` (src/a/b.rs:4) does not say LLVM: `T::three`.")

    def test_the_map_does_not_say_so(self) -> None:
        lines = self.check("".join(ROWS.splitlines(keepends=True)[:3]))
        self.assertEqual(
            lines,
            [
                "src/a/mod.rs:2: not in docs/llvm-map.md: | `Whole` | `src/a/mod.rs` |",
                "src/c.cpp:2: not in docs/llvm-map.md: | `Folded` | `src/c.cpp` |",
            ],
        )

    def test_another_form(self) -> None:
        (line,) = self.check(ROWS, {**CODE, "lib.rs": "pub mod a;\n/// LLVM: T::one\nfn f() {}"})
        self.assertEqual(line, "src/lib.rs:2: not of the form LLVM: `name`, `name`.: LLVM: T::one")

    def test_rows_without_a_place_and_twice(self) -> None:
        lines = self.check(f"{ROWS}| `T::one` | nowhere | |\n| `T::two` | `x::a::b::B` | again |\n")
        self.assertEqual([line.split(": ")[0] for line in lines], ["docs/llvm-map.md:10", "docs/llvm-map.md:11"])

    def test_no_map(self) -> None:
        self.check(ROWS)
        (self.root / "docs/llvm-map.md").unlink()
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            self.assertEqual(command.main(["check-llvm-map", "--root", str(self.root)]), 1)
        self.assertIn("docs/llvm-map.md:1: there is no map", printed.getvalue())
