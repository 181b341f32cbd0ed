"""Reading Rust: tokens, items, and what tests alone see."""

import unittest

from bpa_dev.rust.lexer import Token, tokens
from bpa_dev.rust.modules import imports
from bpa_dev.rust.syntax import items, members, without_tests


def texts(source: str) -> list[str]:
    return [token.text for token in tokens(source)]


def code(source: str) -> list[Token]:
    return list(tokens(source))


class Lexer(unittest.TestCase):
    def test_comments_and_strings_are_no_code(self) -> None:
        self.assertEqual(texts("a // use b\n/* c /* d */ e */ f"), ["a", "f"])
        self.assertEqual(texts(r'"use \" b" r#"c " d"# b"e"'), [r'"use \" b"', '"c " d"#', 'b"e"'])

    def test_characters_are_not_lifetimes(self) -> None:
        kinds = [token.kind for token in tokens(r"&'a x '{' '\'' b'\n' 'static")]
        self.assertEqual(kinds, ["mark", "lifetime", "name", "char", "char", "char", "lifetime"])

    def test_numbers(self) -> None:
        numbers = [token.text for token in tokens("1..2 1.5e-3 0x1f_u32 pair.0") if token.kind == "number"]
        self.assertEqual(numbers, ["1", "2", "1.5e-3", "0x1f_u32", "0"])

    def test_lines_are_counted_in_what_is_left_out_too(self) -> None:
        self.assertEqual([token.line for token in tokens('a\n/*\n*/ "\n" b')], [1, 3, 4])

    def test_documentation_stays(self) -> None:
        kinds = [token.kind for token in tokens("//! of all\n/// of it\n//// of nothing\nx")]
        self.assertEqual(kinds, ["inner", "doc", "name"])


class Tests(unittest.TestCase):
    def kept(self, source: str) -> str:
        return " ".join(token.text for token in without_tests(code(source)))

    def test_what_is_for_tests_goes(self) -> None:
        self.assertEqual(self.kept("#[cfg(test)] mod tests; struct A;"), "struct A ;")
        self.assertEqual(self.kept("/// t\n#[cfg(test)] #[x] pub fn f<A, B>() { g(); } fn h() {}"), "fn h ( ) { }")
        self.assertEqual(self.kept("impl A { #[cfg(test)] fn f() {} fn g() {} }"), "impl A { fn g ( ) { } }")
        self.assertEqual(self.kept("struct A { #[cfg(test)] a: B, c: D }"), "struct A { c : D }")
        self.assertEqual(self.kept("#[cfg(test)] use a::{b, c}; x"), "x")
        self.assertEqual(self.kept("#[cfg(test)] const A: B = B { c: 1 }; x"), "x")
        self.assertEqual(self.kept("#![cfg(test)] fn f() {}"), "")

    def test_only_what_never_is_without_tests(self) -> None:
        self.assertEqual(self.kept("#[cfg(all(unix, test))] mod a; x"), "x")
        for condition in ["not(test)", "any(test, unix)", 'feature = "test"']:
            self.assertIn("mod a", self.kept(f"#[cfg({condition})] mod a;"))


class Items(unittest.TestCase):
    def test_kinds_and_names(self) -> None:
        source = """
            pub const fn f() {} const C: [u8; 2] = { [1, 2] }; pub(crate) struct S(u8); enum E { A, B { c: D<F, G> }, }
            unsafe extern "C" fn g() {} impl<T: Into<u8>> Q<T> for a::R<T> { type X = u8; fn m(&self) {} }
            macro_rules! mac { () => {} } mod inner { struct No; } pub static mut T: u8 = 0; call!(x);
        """
        found = list(items(code(source)))
        self.assertEqual(
            [(item.kind, item.name) for item in found],
            [
                ("fn", "f"), ("const", "C"), ("struct", "S"), ("enum", "E"), ("fn", "g"), ("impl", ""),
                ("macro_rules", "mac"), ("mod", "inner"), ("static", "T"), ("", ""),
            ],
        )  # fmt: skip
        self.assertEqual([member.name for member in members(found[3])], ["A", "B"])
        self.assertEqual([member.name for member in members(found[5])], ["X", "m"])

    def test_fields_with_generic_types(self) -> None:
        source = "struct S { pub a: Map<fn() -> K, V>, b: fn(u8) -> u8, pub(super) default: u8 }"
        (item,) = items(code(source))
        self.assertEqual([member.name for member in members(item)], ["a", "b", "default"])

    def test_use(self) -> None:
        source = "use a::{self, b::{C, D as E}, f::*}; fn g() { use super::h; } pub(crate) use ::k::l; use m as _;"
        self.assertEqual(
            [(one.name, "::".join(one.segments), one.is_public) for one in imports(code(source))],
            [
                ("a", "a", False), ("C", "a::b::C", False), ("E", "a::b::D", False), ("*", "a::f::*", False),
                ("h", "super::h", False), ("l", "::::k::l", True), ("_", "m", False),
            ],
        )  # fmt: skip
