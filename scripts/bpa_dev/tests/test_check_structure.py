"""Circles between files, and what the core may not know."""

import contextlib
import io
from collections.abc import Mapping

from bpa_dev import command
from bpa_dev.tests.trees import TreeTest

MANIFEST = '[package]\nname = "bpa-core"\n'


class Structure(TreeTest):
    def check(self, files: Mapping[str, str]) -> tuple[int, list[str]]:
        """What the command says of a crate with these files under src/."""
        self.write({"Cargo.toml": MANIFEST, **{f"src/{name}": text for name, text in files.items()}})
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            code = command.main(["check-structure", "--root", str(self.root)])
        return code, printed.getvalue().splitlines()

    def assert_circles(self, files: Mapping[str, str], *expected: str) -> None:
        """`file:line` of each line that makes a circle; none of another kind may be found."""
        code, lines = self.check(files)
        found = [line for line in lines if "in a circle" in line]
        self.assertEqual([line.split(": ")[0].removeprefix("src/") for line in found], list(expected), lines)
        self.assertEqual(code, 1 if expected else 0, lines)


class Circles(Structure):
    def test_two_files(self) -> None:
        files = {
            "lib.rs": "mod a;\nmod b;",
            "a.rs": "use crate::b::B;\npub struct A;",
            "b.rs": "\nuse super::a::A;\npub struct B;",
        }
        self.assert_circles(files, "a.rs:1", "b.rs:2")

    def test_one_way_is_none(self) -> None:
        files = {
            "lib.rs": "mod a;\nmod b;\nmod c;",
            "a.rs": "use crate::b::B;",
            "b.rs": "use crate::c::C;\npub struct B;",
            "c.rs": "pub struct C;",
        }
        self.assert_circles(files)

    def test_paths_in_code(self) -> None:
        files = {
            "lib.rs": "mod a;\nmod b;",
            "a.rs": "fn f() {\n crate::b::g();\n}",
            "b.rs": "use super::a;\npub fn g() {\n a::f() }",
        }
        self.assert_circles(files, "a.rs:2", "b.rs:3")

    def test_declaring_and_passing_on_is_no_use(self) -> None:
        files = {
            "lib.rs": "mod a;",
            "a/mod.rs": "mod b;\nmod c;\npub use b::B;\npub(crate) use c::*;",
            "a/b.rs": "use super::C;\npub struct B;",
            "a/c.rs": "pub struct C;",
        }
        self.assert_circles(files)

    def test_passing_on_is_no_use_of_a_file_that_uses_the_parent(self) -> None:
        files = {"lib.rs": "mod a;", "a/mod.rs": "mod b;\npub use b::B;\npub struct A;", "a/b.rs": "use super::A;"}
        self.assert_circles(files)

    def test_what_only_leads_to_a_circle_is_not_in_it(self) -> None:
        files = {
            "lib.rs": "mod a;\nmod b;\nmod c;",
            "a.rs": "use crate::b::B;",
            "b.rs": "use crate::c::C;\npub struct B;",
            "c.rs": "use crate::b::B;\npub struct C;",
        }
        self.assert_circles(files, "b.rs:1", "c.rs:1")

    def test_names_passed_on_lead_to_where_they_are_defined(self) -> None:
        files = {
            "lib.rs": "mod a;\nmod d;",
            "a/mod.rs": "mod b;\npub use b::B;",
            "a/b.rs": "use crate::d::D;\npub struct B;",
            "d.rs": "use crate::a::B;\npub struct D;",
        }
        self.assert_circles(files, "a/b.rs:1", "d.rs:1")

    def test_what_the_parent_defines_is_the_parents(self) -> None:
        files = {
            "lib.rs": "mod a;",
            "a/mod.rs": "mod b;\npub use b::B;\npub struct A(B);",
            "a/b.rs": "use super::A;\npub struct B;",
        }
        self.assert_circles(files, "a/b.rs:1", "a/mod.rs:2")

    def test_unequal_is_no_macro(self) -> None:
        files = {
            "lib.rs": "mod a;",
            "a/mod.rs": "mod b;\nmod c;\npub use b::B;\npub fn f() { c::g() }",
            "a/b.rs": "pub const B: u8 = 1;",
            "a/c.rs": "pub fn g() -> bool { super::B != 1 }",
        }
        self.assert_circles(files)

    def test_names_by_glob(self) -> None:
        files = {
            "lib.rs": "mod a;\nmod b;\nmod c;",
            "a.rs": "pub use crate::b::*;\npub struct A;",
            "b.rs": "use crate::c::*;\npub struct B(C);",
            "c.rs": "use crate::a::B;\npub struct C;",
        }
        self.assert_circles(files, "b.rs:1", "c.rs:1")

    def test_module_and_function_of_one_name(self) -> None:
        files = {
            "lib.rs": "mod a;\nmod d;",
            "a/mod.rs": "mod b;\npub use b::b;",
            "a/b.rs": "use crate::d::D;\npub fn b() {}",
            "d.rs": "pub struct D;\nfn f() { crate::a::b() }",
        }
        self.assert_circles(files, "a/b.rs:1", "d.rs:2")

    def test_modules_in_a_file_are_that_file(self) -> None:
        files = {"lib.rs": "mod a;", "a.rs": "mod b { use super::A;\n pub struct B; }\nuse b::B;\npub struct A(B);"}
        self.assert_circles(files)

    def test_variants_are_of_their_type(self) -> None:
        files = {
            "lib.rs": "mod a;\nmod b;",
            "a.rs": "use crate::b::E::X;\npub struct A;",
            "b.rs": "use crate::a::A;\npub enum E { X(A) }",
        }
        self.assert_circles(files, "a.rs:1", "b.rs:1")

    def test_tests_do_not_count(self) -> None:
        files = {
            "lib.rs": "mod a;\nmod b;",
            "a.rs": "pub struct A;\n#[cfg(test)]\nmod tests { use crate::b::B; }",
            "b.rs": "use crate::a::A;\n#[cfg(test)]\nmod tests;",
            "b/tests.rs": "use super::*;",
        }
        self.assert_circles(files)

    def test_comments_strings_and_visibility_do_not_count(self) -> None:
        files = {
            "lib.rs": "mod a;\nmod b;",
            "a.rs": '/// See [`crate::b::B`].\npub(in crate::b) struct A;\nconst T: &str = "use crate::b::B;";',
            "b.rs": "use crate::a::A;",
        }
        self.assert_circles(files)

    def test_exported_macros_are_at_the_root(self) -> None:
        files = {
            "lib.rs": "mod a;\nmod b;",
            "a.rs": "crate::make!(x);\npub struct A;",
            "b.rs": "use crate::a::A;\n#[macro_export]\nmacro_rules! make { () => {} }",
        }
        self.assert_circles(files, "a.rs:1", "b.rs:1")

    def test_macros_by_use(self) -> None:
        files = {
            "lib.rs": "mod a;\nmod b;",
            "a.rs": "use crate::make;\npub struct A;\nmake!(x);",
            "b.rs": "use crate::a::A;\n#[macro_export]\nmacro_rules! make { () => {} }",
        }
        self.assert_circles(files, "a.rs:1", "b.rs:1")

    def test_a_module_with_the_name_of_a_macro(self) -> None:
        files = {
            "lib.rs": "mod a;\nmod make;",
            "a.rs": "use crate::make;\npub(in crate::make) struct A(make::B);",
            "make/mod.rs": "mod b;\nmod c;\npub use b::B;",
            "make/b.rs": "pub struct B;",
            "make/c.rs": "use crate::a::A;\n#[macro_export]\nmacro_rules! make { () => {} }",
        }
        self.assert_circles(files)

    def test_what_a_macro_makes_is_of_its_file(self) -> None:
        files = {
            "lib.rs": "mod a;\nmod b;",
            "a.rs": "use crate::b::Made;\npub struct A;",
            "b.rs": "use crate::a::A;\nmake!(Made);",
        }
        self.assert_circles(files, "a.rs:1", "b.rs:1")

    def test_every_file_is_looked_at(self) -> None:
        code, lines = self.check({"lib.rs": "mod a;", "b.rs": ""})
        self.assertEqual(code, 1)
        self.assertEqual(
            lines, ["src/b.rs:1: no module declares this file", "src/lib.rs:1: no file for the module `a`"]
        )


class Layers(Structure):
    def assert_impure(self, name: str, text: str, *lines: int) -> None:
        module = name.removesuffix(".rs").replace("/", " { pub mod ")
        _, found = self.check({"lib.rs": f"mod {module};" + " }" * name.count("/"), name: text})
        numbers = [int(line.split(":")[1]) for line in found if ": `" in line]
        self.assertEqual(numbers, list(lines), found)

    def test_no_llvm_and_nothing_unsafe(self) -> None:
        text = "#![forbid(unsafe_code)]\nuse inkwell::X;\nfn f() {\n unsafe {\n llvm_sys::g() } }"
        self.assert_impure("a.rs", text, 2, 4, 5)

    def test_no_environment(self) -> None:
        self.assert_impure("a.rs", 'use std::env;\n// std::env\nfn f() { std::env::var("X") }', 1, 3)

    def test_no_floating_point_but_where_it_writes(self) -> None:
        text = "fn f(x: u8) -> f64 {\n 1.5 + pair.0.1 }\nfn g() { 0..1 }\n#[cfg(test)] fn t() -> f32 {}"
        self.assert_impure("a.rs", text, 1, 2)
        self.assert_impure("report/text.rs", text)
