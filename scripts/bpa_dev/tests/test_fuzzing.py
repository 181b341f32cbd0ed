"""What fuzzing makes of modules before it judges them."""

import pathlib
import random
import tempfile
import unittest

from bpa_dev.fuzzing.glance import annotations_same, count, read
from bpa_dev.fuzzing.rewiring import possible_targets, rewire

from . import host

# As `reg2mem` leaves it: no phis, and no value used outside its block.
MODULE = """\
define i32 @f(i1 %c, i32 %x) {
entry:
  br label %test

test:                                             ; preds = %entry, %next
  br i1 %c, label %next, label %many

next:                                             ; preds = %test
  br label %test

many:                                             ; preds = %test
  switch i32 %x, label %end [
    i32 1, label %next
    i32 2, label %end
  ]

end:                                              ; preds = %many
  ret i32 0
}
"""


class Rewiring(unittest.TestCase):
    def test_the_same_seed_changes_the_same(self) -> None:
        self.assertEqual(rewire(MODULE, random.Random(3)), rewire(MODULE, random.Random(3)))

    def test_something_changes(self) -> None:
        texts = {rewire(MODULE, random.Random(seed)) for seed in range(50)}
        self.assertGreater(len(texts), 25)
        together = "".join(texts)
        for change in ("!prof !0", "call i32 @llvm.expect.i32(", "call i1 @llvm.expect.i1(", "call void @bpa.cold()"):
            self.assertIn(change, together)

    @unittest.skipUnless(host.newest(), "no LLVM here")
    def test_what_comes_out_is_well_formed(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "rewired.ll")
            for seed in range(30):
                path.write_text(rewire(MODULE, random.Random(seed)))
                self.assertEqual(host.complaint(path), "", f"seed {seed}")

    def test_no_jump_goes_to_the_entry_or_to_a_pad(self) -> None:
        self.assertEqual(possible_targets(MODULE.splitlines()), ["test", "next", "many", "end"])
        body = [
            "define void @f() {",
            "entry:",
            "  %r = invoke i32 @g() to label %normal unwind label %pad",
            "normal:",
            "  ret void",
            "pad:",
            "  %p = landingpad { ptr, i32 } cleanup",
            "other:",
            "  ret void",
            "}",
        ]
        self.assertEqual(possible_targets(body), ["other"])


def report(kind: str, function: str, line: str) -> bytes:
    return f"Printing analysis '{kind}' for function '{function}':\n{line}\n".encode()


class Glance(unittest.TestCase):
    """One output has all reports: probabilities of both sides, frequencies of both sides, probabilities again."""

    def output(self, *, llvms: str = "a", after: str = "a") -> bytes:
        probabilities = report("P", "f", "a") + report("P", "f", llvms)
        frequencies = 2 * report("F", "f", "x\n - entry: 1\n - exit: 1")
        return probabilities + frequencies + report("P", "f", "a") + report("P", "f", after)

    def test_the_same(self) -> None:
        glance = read(self.output(), 1, "command")
        self.assertEqual((glance.same, glance.functions, glance.blocks), (True, 1, 2))

    def test_a_difference_before_and_after_annotating(self) -> None:
        self.assertFalse(read(self.output(llvms="b"), 1, "").same)
        self.assertFalse(read(self.output(after="b"), 1, "").same)

    def test_annotating_keeps_what_was_there(self) -> None:
        before = [b"a"]
        self.assertTrue(annotations_same([b"a", b"a", b"new", b"new"], before))
        self.assertFalse(annotations_same([b"b", b"b"], before))
        self.assertFalse(annotations_same([b"a", b"a", b"new", b"other"], before))

    def test_a_function_counts_again_when_its_frequencies_have_changed(self) -> None:
        one, other = b"f\n - a\n - b\n", b"f\n - a\n"
        self.assertEqual(count([[one], [one], [other]]), (2, 3))
