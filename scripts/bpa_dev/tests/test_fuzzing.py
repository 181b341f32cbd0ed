"""What fuzzing reads out of what `opt` says."""

import unittest

from bpa_dev.comparing.runs import Ending, Run
from bpa_dev.fuzzing.checked import comparisons, differing, reached
from bpa_dev.fuzzing.crashes import place_of
from bpa_dev.fuzzing.glance import annotations_same, count, read


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


class Checked(unittest.TestCase):
    TEXT = b"""\
fuzz-mark: stage 0, check
[DEBUG bpa::plugin::check] LLVM agrees on 'it's 'f'': 12 blocks, 3 branches, form 00000000000000ff
fuzz-mark: stage 1, passes
"""

    def test_what_was_compared(self) -> None:
        self.assertEqual(list(comparisons(self.TEXT)), [(12, 3, 255)])

    def test_how_far_it_came(self) -> None:
        self.assertEqual(reached(b""), (None, False))
        self.assertEqual(reached(self.TEXT), (1, False))
        self.assertEqual(reached(self.TEXT + b"fuzz-mark: stage 1, check\n"), (1, True))

    def test_only_a_difference_is_one(self) -> None:
        def function(line: bytes) -> str | None:
            return differing(Run(Ending.REFUSED, b"", self.TEXT + line, None))

        frequency = b"frequency of %a: LLVM has 1, we have 2"
        self.assertEqual(function(b"bpa: rust-bfi<check>: function 'it's 'f'', " + frequency), "it's 'f'")
        self.assertIsNone(function(b"bpa: rust-bfi<check>: internal error in function 'f': " + frequency))
        self.assertIsNone(function(b""))


class Crashes(unittest.TestCase):
    def test_the_place_is_where_llvm_was(self) -> None:
        stack = b"""\
 #0 0x00007f llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/lib/libLLVM-16.so.1+0xfc)
 #1 0x00007f llvm::sys::RunSignalHandlers() (/lib/libLLVM-16.so.1+0xfc)
 #2 0x00007f (/lib/libLLVM-16.so.1+0xfc)
 #3 0x00007f (/lib/libc.so.6+0x3c)
 #4 0x00007f llvm::DataLayout::getAlignment(llvm::Type*, bool) const (/lib/libLLVM-16.so.1+0x10)
 #5 0x00007f llvm::StoreInst::StoreInst(llvm::Value*) (/lib/libLLVM-16.so.1+0x10)
"""
        self.assertEqual(place_of(stack), b"llvm::DataLayout::getAlignment < llvm::StoreInst::StoreInst")
