"""Tests of the corpus: programs, normalised bodies, attributes and tables."""

import hashlib
import pathlib
import re
import tempfile
import unittest

from bpa_dev.messages import Failure

from bpa_lab.profiled import build, inputs, manifest, normal, table, truth
from bpa_lab.profiled.table import Branch

ADD = """
define internal i32 @{name}(i32 noundef %0) #0 !dbg !4 !prof !5 {{
{label}:
  %{value} = add nsw i32 %0, {constant}, !dbg !7
  %{other} = call i32 @{callee}(i32 noundef %{value}) #2, !dbg !8
  ret i32 %{other}
}}
attributes #0 = {{ cold nounwind "frame-pointer"="all" inlinehint }}
attributes #2 = {{ "tune-cpu"="cold" hot }}
"""

LOOP = """
define i32 @f(i32 %0) {
1:                                                ; preds = %0
  br label %loop

loop:                                             ; preds = %LATCH, %1
  %2 = phi i32 [ %0, %1 ], [ %3, %LATCH ]
  %3 = add i32 %2, 1
  br i1 %4, label %TARGET, label %end, !llvm.loop !1
REST
end:                                              ; preds = %loop
  ret i32 %2
}
"""
SPLIT_EDGE = """
loop.loop_crit_edge:                              ; preds = %loop
  br label %loop, !dbg !3, !llvm.loop !1
"""


def branch(**changes: object) -> Branch:
    values: dict[str, object] = dict.fromkeys(table.COLUMNS, "")
    values |= {"run": 0, "block": 3, "executions": 100, "kind": "two-way", "rule": "pointer", "facts": ","}
    values |= {"targets": "1,2", "answers": f"{1 << 29},{3 << 29}", "weights": "1,3", "truth": "40,60"}
    return Branch(**(values | changes))  # type: ignore[arg-type]


class Manifest(unittest.TestCase):
    def setUp(self) -> None:
        self.all = manifest.load()
        self.programs = manifest.chosen(self.all, [])

    def test_programs_and_families(self) -> None:
        self.assertGreaterEqual(len(self.programs), 30)
        self.assertGreaterEqual(len({program.family for program in self.programs}), 10)
        self.assertEqual({program.language for program in self.programs}, {"C", "C++"})
        self.assertEqual({program.language for program in manifest.chosen(self.all, ["rust"])}, {"Rust"})

    def test_sources_have_versions_and_checksums(self) -> None:
        for program in self.all:
            self.assertRegex(program.sha256, "^[0-9a-f]{64}$", program.name)
            self.assertTrue(program.version and program.archive, program.name)

    def test_inputs_and_workloads_exist(self) -> None:
        for program in self.all:
            self.assertTrue(1 <= len(program.runs) <= 2, program.name)
            for run in program.runs:
                self.assertLessEqual(set(inputs.names(run.commands)), set(inputs.INPUTS), program.name)
        used = " ".join(run.commands for program in self.all for run in program.runs)
        used += " ".join(program.build for program in self.all)
        for file in build.WORKLOADS.iterdir():
            self.assertIn(f"$WORKLOADS/{file.name}", used)

    def test_held_out_programs_follow_the_rule(self) -> None:
        def digest(name: str) -> str:
            return hashlib.sha256(name.encode()).hexdigest()

        families: dict[str, list[str]] = {}
        for program in self.programs:
            families.setdefault(program.family, []).append(program.name)
        large = [family for family, names in families.items() if len(names) >= 3]
        chosen = [min(families[family], key=digest) for family in sorted(large, key=digest)[:8]]
        self.assertEqual({program.name for program in self.programs if program.held_out}, set(chosen))


class Bodies(unittest.TestCase):
    def text(self, **changes: str) -> str:
        usual = {"name": "f", "label": "1", "value": "2", "other": "3", "constant": "7", "callee": "g"}
        return ADD.format(**{**usual, **changes})

    def test_hash_ignores_names(self) -> None:
        renamed = self.text(name='"other one"', label="entry", value="sum", other='"a b"', callee="strange.7")
        self.assertEqual(normal.hashes(self.text())["f"], normal.hashes(renamed)["other one"])

    def test_hash_depends_on_constants_operations_and_types(self) -> None:
        usual = normal.hashes(self.text())["f"]
        self.assertNotEqual(usual, normal.hashes(self.text(constant="8"))["f"])
        self.assertNotEqual(usual, normal.hashes(self.text().replace("add", "sub"))["f"])
        self.assertNotEqual(usual, normal.hashes(self.text().replace("i32", "i64"))["f"])

    def test_hash_ignores_metadata_and_attributes(self) -> None:
        changed = self.text().replace("!dbg !7", "!dbg !70, !tbaa !2").replace("#2", "#31").replace(" !prof !5", "")
        self.assertEqual(normal.hashes(self.text()), normal.hashes(changed))


class Attributes(unittest.TestCase):
    def test_only_attributes_of_the_profile_are_removed(self) -> None:
        marked = truth.mark_attributes(ADD)
        self.assertIn('#2 = {{ "tune-cpu"="cold" hot "program-hot" }}', marked)
        with_profile = marked.replace("#2 = {{ ", "#2 = {{ cold inlinehint ")
        self.assertEqual(truth.restore_attributes(with_profile).split(), ADD.split())

    def test_blocks_on_split_edges_are_removed(self) -> None:
        names = {"TARGET": "loop.loop_crit_edge", "LATCH": "loop.loop_crit_edge", "REST": SPLIT_EDGE}
        original = split = LOOP
        for name, block in names.items():
            original, split = original.replace(name, "loop" if name != "REST" else ""), split.replace(name, block)
        # LLVM ignores the comments with the predecessors.
        restored, wanted = (re.sub(";.*", "", text) for text in (truth.unsplit(split, original), original))
        self.assertEqual(restored, wanted)
        self.assertEqual(truth.unsplit(split, split), split)


class Tables(unittest.TestCase):
    def test_branches_round_trip(self) -> None:
        rows = [branch(program="a", place='odd "name".c:3'), branch(executions=1 << 60, condition="zero.equal")]
        with tempfile.TemporaryDirectory() as folder:
            one, other = (pathlib.Path(folder, name) for name in ("one.tsv.xz", "other.tsv.xz"))
            table.write(rows, one)
            table.write(rows, other)
            self.assertEqual(table.read(one), rows)
            self.assertEqual(one.read_bytes(), other.read_bytes())

    def test_features_round_trip(self) -> None:
        names = {"branch_names": ["test", "bits"], "successor_names": ["answer"]}
        two_successors = {"branch": [3, 1], "successors": [[5], [7]], **names}
        features = table.FeatureTable()
        for program, number in (("one", 3), ("one", 4), ("other", 3)):
            added = branch(program=program, function="f" * 16, block=number)
            table.add_features(features, added, {"features": two_successors})
            table.add_features(features, added, {"features": {**two_successors, "branch": [9, 9]}})  # a later run
        table.add_features(features, branch(block=9), {"features": None})
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "features.tsv.xz"
            table.write_features(features, {"one"}, file)
            found = table.read_features(file)
        self.assertEqual((found.branch_names, found.successor_names), (("test", "bits"), ("answer",)))
        values = table.Features((3, 1), ((5,), (7,)))
        self.assertEqual(found.rows, {("one", "f" * 16, 3): values, ("one", "f" * 16, 4): values})

    def test_impossible_counts_are_an_error(self) -> None:
        line = {"function": "f", "number": 3, "executions": str(table.MOST_EXECUTIONS)}
        table.check_count("a.o", line)
        with self.assertRaisesRegex(Failure, "a.o: 18446744073709551615 executions in block 3 of f"):
            table.check_count("a.o", {**line, "executions": str(2**64 - 1)})
