"""Tests of the experiments on branch weights: callgrind files, tables, and the recorded linker commands of programs."""

import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
from unittest import mock

from bpa_dev import llvm
from bpa_dev.messages import Failure

from bpa_lab.effect import callgrind, table, workloads
from bpa_lab.effect.callgrind import Counts
from bpa_lab.effect.recipes import Recipe, Recipes, compile_all, weights_alone
from bpa_lab.effect.running import Work
from bpa_lab.effect.wrapper import Recorder
from bpa_lab.profiled import manifest
from bpa_lab.profiled.linking import link
from bpa_lab.profiled.manifest import Run
from bpa_lab.profiled.recording import Recording

CALLGRIND = """\
# callgrind format
events: Ir Dr I1mr
summary: 1 2 3

ob=(1) /programs/work
fn=(1) main
0x10 0 5 1 2
+3 0 4
jcnd=2/4 +27 0
* 0
jump=3 -10 0
cob=(2) /usr/lib/libc.so
cfn=(2) puts
calls=1 0x99 0
* 0 1000 10 10

ob=(2)
fn=(2)
0x99 0 1000 10 10
jcnd=7/9 +2 0
* 0

ob=(1)
fn=(3) other
0x50 0 1 0 1
"""

RESULTS = {
    "one": {
        "plain": table.Result(Counts(1000, 200, 10), 500),
        "bpa": table.Result(Counts(990, 190, 10), 500),
        "weights": table.Result(Counts(970, 160, 10), 400),
    },
    "two": {
        "plain": table.Result(Counts(100, 20, 0), 50),
        "bpa": table.Result(Counts(102, 20, 1), 50),
        "weights": table.Result(Counts(97, 10, 0), 40),
    },
}


class Reading(unittest.TestCase):
    def test_calls_count_at_the_callee(self) -> None:
        programs = pathlib.Path("/programs")
        self.assertEqual(callgrind.read(CALLGRIND.splitlines(), programs), Counts(10, 5, 3))
        self.assertEqual(callgrind.read(CALLGRIND.splitlines(), pathlib.Path("/usr")), Counts(1000, 7, 10))

    def test_weights_without_function_counts(self) -> None:
        ir = """\
define i32 @f(i32 %0) #0 !prof !31 {
  br i1 %2, label %3, label %4, !prof !32
}
attributes #0 = { cold hot "program-hot" nounwind }
!llvm.module.flags = !{!0, !1, !10}
!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 1, !"ProfileSummary", !2}
!10 = !{i32 8, !"PIC Level", i32 2}
"""
        expected = ir.replace(" #0 !prof !31", " #0").replace("!0, !1, !10", "!0, !10")
        expected = expected.replace('cold hot "program-hot"', " hot")
        self.assertEqual(weights_alone(ir), expected)


class Tables(unittest.TestCase):
    def test_changes_are_relative_to_the_first_variant(self) -> None:
        lines = table.of_counts(RESULTS, "instructions").splitlines()
        self.assertEqual(lines[2], "| one | 1,000 | -1.00% | -3.00% |")
        self.assertEqual(lines[4], "| mean of programs |  | +0.50% | -3.00% |")
        self.assertEqual(table.of_counts(RESULTS, "instruction-cache misses").splitlines()[3][:8], "| two | ")

    def test_summaries_have_mean_interval_median_and_worst(self) -> None:
        bpa, weights = table.of_savings(RESULTS).splitlines()[2:]
        instructions = "+0.50% (-1.00% to +2.00%) | +0.50% | +2.00%"
        self.assertEqual(bpa, f"| bpa | {instructions} | -2.50% (-5.00% to +0.00%) | -2.50% | +0.00% | two |")
        self.assertTrue(weights.startswith("| weights | -3.00% (-3.00% to -3.00%) | "))


class Workloads(unittest.TestCase):
    def test_workloads_are_for_programs_of_the_corpus(self) -> None:
        known = {program.name for program in manifest.load()}
        self.assertLessEqual(set(workloads.load()), known)
        self.assertRaises(Failure, workloads.chosen, ["no-such-program"])

    def test_runs_of_the_corpus_are_shortened(self) -> None:
        program = dataclasses.replace(manifest.load()[0], runs=(Run("", "$SRC/a -9 $INPUTS/code.txt >/dev/null"),))
        text = workloads.commands(program, {"run": 0, "head": 5, "replace": {"-9": "-1"}})
        self.assertEqual(text, "head -c 5 $INPUTS/code.txt >$OUT/code.txt\n$SRC/a -1 $OUT/code.txt")
        self.assertRaises(Failure, workloads.commands, program, {"run": 0, "replace": {"-8": "-1"}})

    def test_held_out_programs_must_be_named(self) -> None:
        self.assertFalse([program.name for program, _ in workloads.chosen([]) if program.held_out])
        self.assertEqual([program.name for program, _ in workloads.chosen(["lzo"])], ["lzo"])


FIRST = """
#include <stdio.h>
extern int second(int), third(int);
int main(void) { int sum = 0; for (int i = 0; i < 1000; i++) if (i % 4) sum += second(i); else sum += third(i);
  printf("%d\\n", sum); return 0; }
"""
SECOND = "int second(int value) { return value + 1; }"
THIRD = "int third(int value) { return value + 2; }"
HAS_LLVM = llvm.usable(16) and all(llvm.choose("16").find_tool(name) for name in ("clang", "llvm-profdata", "llvm-ar"))


@unittest.skipUnless(HAS_LLVM, "this test needs LLVM 16 with clang")
class Links(unittest.TestCase):
    def setUp(self) -> None:
        self.host = llvm.choose("16")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.source = self.folder / "source"
        build(self.host, self.source, self.folder / "kept")
        self.recording = Recording(self.folder / "kept", self.source)
        self.work = Work("$PROGRAMS/copy", self.source)
        (self.link,) = self.recording.links(self.work.commands)

    def linked(self, name: str, recipe: Recipe | None = None) -> pathlib.Path:
        recipes = Recipes(self.host, is_thin=False)
        recipe = recipe or (recipes.plain() if name == "plain" else recipes.counting_branches(name == "late"))
        objects = compile_all(recipe, self.recording.modules_of([self.link]), self.folder / name, 1)
        programs = self.folder / f"{name}-programs"
        link(self.host, self.recording, self.link, objects, programs / "copy", recipe.link_options)
        return programs

    def test_copied_program_is_found(self) -> None:
        names = [module.name.partition(".")[0] for module in self.recording.modules_of([self.link])]
        self.assertEqual(sorted(names), ["first", "second", "third"])
        self.assertRaises(Failure, self.recording.links, "$PROGRAMS/other $SRC/copy")
        self.assertEqual(self.recording.with_programs("$SRC/copy $SRC/no"), "$PROGRAMS/copy $SRC/no")

    def test_repeated_link_has_the_same_output(self) -> None:
        self.assertEqual(self.work.run(self.linked("plain")), self.work.run(self.source))

    def test_profiles_have_branch_counts(self) -> None:
        for name, counts in (("early", b"[750, 250, 1]"), ("late", b"[750, 250, 1]")):
            profile = self.folder / f"{name}.profile"
            self.work.profile(self.linked(name), self.host.tool("llvm-profdata"), profile)
            words = ["show", "--all-functions", "--counts", str(profile)]
            shown = subprocess.check_output([self.host.tool("llvm-profdata"), *words])
            self.assertIn(counts, shown)

    def test_late_weights_of_a_profile_keep_the_output(self) -> None:
        profile = self.folder / "late.profile"
        output = self.work.profile(self.linked("late"), self.host.tool("llvm-profdata"), profile)
        recipe = Recipes(self.host, is_thin=False).with_weights(profile, "", is_late=True)
        self.assertEqual(output, self.work.run(self.linked("weights", recipe)))

    def test_late_counts_replace_those_of_a_whole_profile(self) -> None:
        recipes, merge = Recipes(self.host, is_thin=False), self.host.tool("llvm-profdata")
        early, late, twice = (self.folder / f"{name}.profile" for name in ("early", "late", "twice"))
        output = self.work.profile(self.linked("whole", recipes.counting()), merge, early)
        programs = self.linked("counting", recipes.counting_branches(is_late=True, early=early))
        self.assertEqual(self.work.profile(programs, merge, late), output)
        subprocess.run([merge, "merge", f"-weighted-input=2,{late}", "-o", twice], check=True)
        (module,) = (one for one in self.recording.modules_of([self.link]) if one.name.startswith("first"))
        for profile, entered, weights in ((None, 1, {"750", "250"}), (twice, 2, {"1500", "500"})):
            with self.subTest(profile=profile):
                recipes.write_late(module, self.folder / "after.ll", early, profile)
                ir = (self.folder / "after.ll").read_text()
                self.assertIn(f'"function_entry_count", i64 {entered}}}', ir)
                self.assertIn(weights, [{*pair} for pair in re.findall(r'"branch_weights", i32 (\d+), i32 (\d+)', ir)])
                recipe = recipes.with_late_counts(early, profile, "")
                self.assertEqual(self.work.run(self.linked(f"after-{entered}", recipe)), output)

    @unittest.skipUnless(shutil.which("valgrind"), "this test needs valgrind")
    def test_only_the_program_is_counted(self) -> None:
        output, counts = self.work.count(self.linked("plain"))
        self.assertEqual(output, self.work.run(self.source))
        self.assertGreater(counts.instructions, 3000)
        self.assertLess(counts.instructions, 30000)
        self.assertLess(counts.taken, 3000)


def build(host: llvm.Llvm, source: pathlib.Path, kept: pathlib.Path) -> None:
    """Builds a program from an object file and an archive (`-l`). Then copies the program."""
    source.mkdir()
    for name, text in (("first", FIRST), ("second", SECOND), ("third", THIRD)):
        (source / f"{name}.c").write_text(text)
    variables = {"BPA_BIN": str(host.bin), "BPA_KEEP": str(kept), "BPA_SOURCE": str(source)}
    with mock.patch.dict(os.environ, variables):
        recorder = Recorder("clang")
        for name in ("second", "third"):
            assert recorder.run(["-O3", "-c", f"{source}/{name}.c", "-o", f"{source}/{name}.o"]) == 0
        members = [source / "second.o", source / "third.o"]
        subprocess.run([host.tool("llvm-ar"), "rc", source / "libboth.a", *members], check=True)
        words = [f"{source}/first.c", f"-L{source}", "-lboth", "-o", f"{source}/program"]
        assert recorder.run(words) == 0
    shutil.copy(source / "program", source / "copy")
