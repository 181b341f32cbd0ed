"""Tests of the corpus's compiler wrapper: parsed command lines, the removal of weights, and the counts of a run."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest
from unittest import mock

from bpa_dev import llvm

from bpa_lab.profiled import normal, truth
from bpa_lab.profiled.command_line import read
from bpa_lab.profiled.places import PLACES, Places
from bpa_lab.profiled.recording import Recording
from bpa_lab.profiled.wrapper import Wrapper, without_weights

FIRST = """
#include <stdlib.h>
extern int twice(int value), power(int value, int exponent);
static int local(int value)
{
    if (__builtin_expect(value % 10 == 0, 1))
        return twice(value);
    return value - 1;
}
__attribute__((noinline)) int never(int value) { return value > 3 ? twice(value) : value; }
int main(int count, char **words)
{
    int sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += local(i) + twice(i) + power(i, i % 5);
    return count > 100 ? never(sum) : 0;
}
"""
SECOND = """
static int local(int value)
{
    extern int puts(const char *);
    if (value % 10 < 3)
        return value + 1;
    return value < 0 ? puts("never") : 5;
}
int twice(int value) { return local(value) * 2; }
int power(int value, int exponent)
{
    int result = 1;
    for (; exponent > 0; exponent--)
        result *= value;
    return result;
}
"""


class Calls(unittest.TestCase):
    def test_compilation(self) -> None:
        call = read(["-DX=1", "-I", "inc", "-O3", "-Wall", "-g", "-MD", "-o", "a/b.o", "-c", "src/b.c"])
        self.assertEqual((call.sources, call.output, call.is_compile), (("src/b.c",), "a/b.o", True))
        front = call.front_end_options("src/b.c")
        self.assertEqual(front, ["-DX=1", "-I", "inc", "-MD", "-MF", "a/b.d", "-MT", "a/b.o"])

    def test_link_with_sources(self) -> None:
        call = read(["-flto", "-O2", "a.c", "b.cc", "lib.a", "-L.", "-lm", "-o", "prog"])
        self.assertEqual((call.sources, call.is_compile, call.is_other), (("a.c", "b.cc"), False, False))
        self.assertEqual(call.link_words(["1.o", "2.o"]), ["-O2", "1.o", "2.o", "lib.a", "-L.", "-lm", "-o", "prog"])
        self.assertNotIn("-lm", call.front_end_options("a.c"))

    def test_other_calls(self) -> None:
        for words in ("-E a.c", "-c a.s", "-S a.c", "a.o -o prog", "-", "--version", "-M a.c", "-x assembler -c a.c"):
            self.assertTrue(read(words.split()).is_other, words)
        self.assertTrue(read(["-c", "a.S"]).is_compile)

    def test_options_for_the_code_generator(self) -> None:
        options = read(
            ["-fPIC", "-flto", "-msse4.2", "-fprofile-use", "-Wl,-z", "-pthread", "-c", "a.c"]
        ).back_end_options()
        self.assertEqual(options, ["-fPIC", "-msse4.2", "-pthread"])


class Hints(unittest.TestCase):
    def test_weights_are_removed_and_the_name_is_replaced(self) -> None:
        ir = b'source_filename = "/a/b.c"\n br i1 %1, label %2, label %3, !dbg !3, !prof !17, !llvm.loop !4\n'
        expected = b'source_filename = "s/b.c"\n br i1 %1, label %2, label %3, !dbg !3, !llvm.loop !4\n'
        self.assertEqual(without_weights(ir, "s/b.c"), expected)


# The wrapper runs the passes of LLVM 16.
HAS_LLVM = llvm.usable(16) and all(llvm.choose("16").find_tool(name) for name in ("clang", "llvm-profdata", "llvm-as"))


@unittest.skipUnless(HAS_LLVM, "this test needs LLVM 16 with clang")
class Counts(unittest.TestCase):
    def test_counts_of_a_run(self) -> None:
        host = llvm.choose("16")
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name).resolve()
            record = build(host, folder)
            modules = run(host, folder, Places(host, folder, record, 1), "early")
        first, second = modules["first.o.bc"], modules["sub/second.o.bc"]
        self.assertEqual(weights(first, "main"), [(1000, 1), (0, 1)])
        # The two local functions with the name `local` have different counts. Branch hints do not change counts.
        self.assertEqual(weights(first, "local"), [(100, 900)])
        self.assertEqual(weights(second, "local"), [(400, 700), (0, 700)])
        # A function without executions has no weights and no attribute `cold`.
        self.assertEqual(weights(first, "never"), [])
        self.assertNotRegex(first, r"attributes #\d+ = \{[^}]*\bcold\b")

    def test_counts_belong_to_the_ir_of_the_place(self) -> None:
        host = llvm.choose("16")
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name).resolve()
            places = Places(host, folder, build(host, folder), 1)
            found = {place: run(host, folder, places, place)["sub/second.o.bc"] for place in reversed(PLACES)}
            original = {place: places.modules(place)["sub/second.o"][0].read_text() for place in PLACES}
        # The function `local` is inlined in `middle` and `late`. The unoptimised IR has a stack slot for each variable.
        for place, ir in found.items():
            function, stack_slots = ("twice", 0) if place in ("middle", "late") else ("local", 2 * (place == "O0"))
            self.assertEqual(sorted(sorted(counts) for counts in weights(ir, function)), [[0, 700], [400, 700]], place)
            self.assertEqual(body_of(ir, function).count(" alloca "), stack_slots, place)
            self.assertEqual("@local(" in ir, function == "local", place)
            self.assertEqual(normal.hashes(ir), normal.hashes(original[place]), place)

    def test_bitcode_in_a_link(self) -> None:
        host = llvm.choose("16")
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name).resolve()
            (folder / "first.c").write_text(FIRST)
            (folder / "second.c").write_text(SECOND)
            for stem in ("first", "second"):
                bitcode = ["-O2", "-Xclang", "-disable-llvm-passes", "-c", "-emit-llvm", f"{stem}.c", "-o", f"{stem}.o"]
                subprocess.run([host.tool("clang"), *bitcode], cwd=folder, check=True)
            subprocess.run([host.tool("llvm-ar"), "qc", "second.rlib", "second.o"], cwd=folder, check=True)
            with mock.patch.dict(os.environ, variables(host, folder)):
                words = [f"{folder}/first.o", f"{folder}/second.rlib", "-o", f"{folder}/program"]
                self.assertEqual(Wrapper("clang").run(words), 0)
            record = Recording(folder / "kept", folder)
            modules = run(host, folder, Places(host, folder, record, 1), "early")
        self.assertEqual(weights(modules["first.c.bc"], "local"), [(100, 900)])
        self.assertEqual(weights(modules["second.c.bc"], "local"), [(400, 700), (0, 700)])


def variables(host: llvm.Llvm, folder: pathlib.Path) -> dict[str, str]:
    return {"BPA_BIN": str(host.bin), "BPA_KEEP": str(folder / "kept"), "BPA_SOURCE": str(folder)}


def build(host: llvm.Llvm, folder: pathlib.Path) -> Recording:
    """Builds a program of two files."""
    (folder / "sub").mkdir()
    (folder / "first.c").write_text(FIRST)
    (folder / "sub" / "second.c").write_text(SECOND)
    with mock.patch.dict(os.environ, variables(host, folder)):
        wrapper = Wrapper("clang")
        for stem in ("first", "sub/second"):
            assert wrapper.run(["-O3", "-g", "-c", f"{folder}/{stem}.c", "-o", f"{folder}/{stem}.o"]) == 0
        assert wrapper.run([f"{folder}/first.o", f"{folder}/sub/second.o", "-o", f"{folder}/program"]) == 0
    return Recording(folder / "kept", folder)


def run(host: llvm.Llvm, folder: pathlib.Path, places: Places, place: str) -> dict[str, str]:
    """Runs the program with counters at a place, and returns its modules with the profile as text."""
    places.link(place)
    places.install(place)
    profile, merged = folder / "run.profraw", folder / "run.profdata"
    profile.unlink(missing_ok=True)
    subprocess.run([folder / "program"], env={"LLVM_PROFILE_FILE": str(profile)}, check=True)
    subprocess.run([host.tool("llvm-profdata"), "merge", profile, "-o", merged], check=True)
    truth.write(host, places.modules(place), merged, folder / "truth")
    listing = [str(host.tool("opt")), "-S", "-o", "-"]
    return {
        str(file.relative_to(folder / "truth")): subprocess.check_output([*listing, str(file)], text=True)
        for file in sorted((folder / "truth").rglob("*.bc"))
    }


def weights(ir: str, function: str) -> list[tuple[int, ...]]:
    """Returns the weights of the branches of a function."""
    found = []
    for number in re.findall(r"(?m)^  br i1 .*!prof !(\d+)", body_of(ir, function)):
        node = re.search(rf'(?m)^!{number} = !{{!"branch_weights"(.*)}}', ir)
        assert node
        found.append(tuple(int(word) for word in re.findall(r"i32 (\d+)", node[1])))
    return found


def body_of(ir: str, function: str) -> str:
    body = re.search(rf"(?ms)^define [^@]*@{function}\(.*?^}}", ir)
    assert body
    return body[0]
