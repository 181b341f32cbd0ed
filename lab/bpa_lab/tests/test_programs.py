"""What builds of programs have compiled, and the weights that are counted in IR."""

import unittest

from bpa_lab.programs import make, weights
from bpa_lab.programs.outcome import Build, Outcome

SAID = """\
make: Entering directory '/src'
clang -I. -O2 -MD -MF $depbase.Tpo -c -o a.o a.c &&\\
mv -f $depbase.Tpo $depbase.Po
make[1]: Entering directory '/src/sub'
libtool: compile:  clang -fPIC -c b.c -o .libs/b.o
make[1]: Leaving directory '/src/sub'
clang -o program a.o
echo "it's
make: Leaving directory '/src'
"""
IR = """\
define void @f() {
  br i1 %a, label %x, label %y, !prof !0
  br i1 %a, label %x, label %y, !prof !2
}
define void @g() {
  ret void
}
!0 = !{!"branch_weights", i32 1, i32 2}
!2 = !{!"VP", i32 0}
"""


class Compilations(unittest.TestCase):
    def test_what_make_says(self) -> None:
        found = list(make.compilations(SAID, "clang"))
        self.assertEqual([(c["directory"], c["file"]) for c in found], [("/src", "a.c"), ("/src/sub", "b.c")])

    def test_outputs_are_left_out(self) -> None:
        words = ["clang", "-O2", "-MD", "-MF", "x.d", "-c", "a.c", "-o", "a.o"]
        self.assertEqual(weights.without_outputs(words), ["clang", "-O2", "a.c"])


class Weights(unittest.TestCase):
    def test_only_branch_weights_count(self) -> None:
        self.assertEqual(weights.counts_of(IR), [1, 0])


class Outcomes(unittest.TestCase):
    def outcome(self, tests: dict[str, bool], instructions: int) -> Outcome:
        few, found = weights.Weights(1, 1, 0, 0), weights.Weights(1, 1, 1, instructions)
        return Outcome(Build({"t": True, "u": False}, {"a.o": "1"}, few, 1), Build(tests, {"a.o": "2"}, found, 1))

    def test_a_test_that_fails_either_way_is_no_trouble(self) -> None:
        self.assertEqual(list(self.outcome({"t": True, "u": False}, 1).trouble()), [])

    def test_trouble(self) -> None:
        said = list(self.outcome({"t": False}, 0).trouble())
        self.assertIn("test t: passed without the plugin, failed with it", said)
        self.assertIn("test u: failed without the plugin, not run with it", said)
        self.assertIn("no weights were added", said)
