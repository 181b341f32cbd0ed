//! Tests `bpa score`, and compares its numbers with the numbers of `bpa hints`.

use std::process::Command;

use crate::support::profile::{measure, measure_with, newest_version, number, run, tool, versions, C};
use crate::support::Project;
use serde_json::Value;

#[test]
fn score_predicts_without_the_hints_in_the_source() {
    let hinted = C.replace("if (n % 2 == 0)", "if (__builtin_expect(n % 2 == 0, 1))");
    assert_ne!(hinted, C);
    let project = Project::new(&[("plain.c", C), ("hinted.c", &hinted)]);
    let version = newest_version(&project);
    let totals = ["plain.c", "hinted.c"].map(|file| {
        measure(&project, &version, file, "-fprofile-instr-generate");
        let out = project.stdout(&["score", "--llvm", &version, "--profile", "my.profdata", file]);
        out.lines().last().unwrap_or_default().to_string()
    });
    assert!(totals[0].contains("times; without hints in the source, LLVM"), "{totals:?}");
    assert_eq!(totals[0], totals[1]);
}

#[test]
fn two_predictors_are_compared_by_file_and_branch() {
    let project = Project::new(&[("my.c", C)]);
    let version = newest_version(&project);
    measure(&project, &version, "my.c", "-fprofile-instr-generate");
    let arguments =
        ["score", "--llvm", &version, "--profile", "my.profdata", "--against-predictor", "bpa", "my.c"];
    let out = project.stdout(&arguments);
    assert!(out.contains("file") && out.contains("best possible") && out.contains("predictor bpa"), "{out}");
    assert!(
        out.lines().any(|line| line.starts_with("my.c ")) && out.lines().any(|line| line.starts_with("all "))
    );
    let same =
        ["score", "--llvm", &version, "--profile", "my.profdata", "--against-predictor", "llvm", "my.c"];
    assert!(project.stdout(&same).contains("predict equally many executions"));
}

#[test]
fn the_threshold_determines_the_exit_status() {
    let project = Project::new(&[("my.c", C)]);
    let version = &versions(&project)[0];
    measure(&project, version, "my.c", "-fprofile-instr-generate");
    let status = |threshold: &str| {
        let arguments =
            ["score", "--threshold", threshold, "--llvm", version, "--profile", "my.profdata", "my.c"];
        project.run(&arguments).0
    };
    assert_eq!((status("0%"), status("100%")), (Some(1), Some(0)));
}

#[test]
fn the_most_executed_destinations_of_a_switch_are_printed() {
    let text = "int main(int argc, char **argv) {\n  int sum = 0;\n  for (int i = 0; i < 900; i++)\n    \
                switch (i < 8 ? i : 6) {\n\
                case 0: sum += 9; break;\n    case 1: sum ^= 8; break;\n    \
                case 2: sum *= 7; break;\n    case 3: sum -= 6; break;\n\
                case 4: sum /= 5; break;\n    case 5: sum |= 4; break;\n    \
                case 6: sum &= 3; break;\n    case 7: sum <<= 1;\n    }\n\
                return sum == argc;\n}\n";
    let project = Project::new(&[("my.c", text)]);
    let version = newest_version(&project);
    measure(&project, &version, "my.c", "-fprofile-instr-generate");
    let arguments = ["score", "--llvm", &version, "--profile", "my.profdata", "my.c"];
    let out = project.stdout(&arguments);
    let of_switch = out.lines().find(|line| line.contains("other destination")).expect("the switch");
    assert!(of_switch.contains("to line 11") && of_switch.contains("99.2% measured"), "{out}");
    let against = project.stdout(&[&arguments[..], &["--against-predictor", "bpa"]].concat());
    let measured = against.lines().find(|line| line.contains("= measured: 99.2% to line 11"));
    assert!(measured.is_some() || !against.contains("my.c:4"), "{against}");
}

/// The macro expands to three branches. The first branch needs no hint, and the third branch never runs.
#[test]
fn branches_of_one_macro_have_numbers() {
    let text = "#include <stdio.h>\nint sum;\n\
                #define PUT(n) do { if (n & 1) sum++; if (n % 3 == 0) sum += 2; else if (sum < 0) sum = 0; } while (0)\n\
                __attribute__((noinline)) void step(int n) {\n  PUT(n);\n}\nint main(void) {\n  \
                for (int i = 1; i < 1000; i++)\n    step(i * 3);\n  printf(\"%d\\n\", sum);\n}\n";
    let project = Project::new(&[("my.c", text)]);
    let version = newest_version(&project);
    measure(&project, &version, "my.c", "-fprofile-instr-generate");
    let options = ["--llvm", &version, "--profile", "my.profdata", "my.c"];
    let out = project.stdout(&[&["score"], &options[..]].concat());
    assert!(out.contains("my.c:5:3") && out.contains("branch 2 of 3 of this expression"), "{out}");
    let out = project.stdout(&[&["diff", "--measured"], &options[..]].concat());
    assert!(out.contains("branch 2 of 3 of this expression"), "{out}");
    let page = project.stdout(&[&["report", "-o", "-"], &options[..]].concat());
    assert!(page.contains(",[1,3]]") && page.contains(",[2,3]]"));
}

/// A build compiles one file for a library and for a test of the library. The profile has one count for both copies of
/// a static function.
#[test]
fn a_file_that_is_compiled_twice_counts_once() {
    let text = "#include <stdio.h>\n__attribute__((noinline)) static int small(int n) {\n  if (n < 3)\n    \
        return 1;\n  \
                return 0;\n}\nint main(void) {\n  int sum = 0;\n  for (int i = 0; i < 10; i++)\n    \
                sum += small(i);\n  \
                printf(\"%d\\n\", sum);\n}\n";
    let project = Project::new(&[("my.c", text)]);
    let version = newest_version(&project);
    measure(&project, &version, "my.c", "-fprofile-instr-generate");
    project.write_database(&[("my.c", "-O2 -g"), ("my.c", "-O2 -g -DTEST")]);
    assert_eq!(executions(&project, &version, "my.profdata", &["-p", "build"]), 10 + 11);
}

/// A build compiles part.c for three programs, and the program of one.c with other flags. The functions `part` and
/// `small` have different control flow in the two versions, and separate counts. All versions share the counts of the
/// inline function `wide`. The functions `main` of one.c and three.c have equal control flow, and share their counts.
#[test]
fn versions_of_a_file_count_separately_if_their_control_flow_differs() {
    let header = "inline int wide(int n) {\n  if (n > 7)\n    return 9;\n  return n;\n}\n";
    let part = "#include \"part.h\"\nextern inline int wide(int n);\n\
                __attribute__((noinline)) static int small(int n) {\n  if (n < 3)\n    return 1;\n\
                #ifdef CHECK\n  if (n > 8)\n    return 7;\n#endif\n  return wide(n);\n}\n\
                int part(void) {\n  int sum = 0;\n  for (int i = 0; i < 10; i++) {\n#ifdef CHECK\n    \
                if (i == 5)\n      sum++;\n#endif\n    sum += small(i);\n  }\n  return sum;\n}\n";
    let one = "int part(void);\nint main(int argc, char **argv) {\n  if (argc > 1)\n    return 1;\n  \
               return part() < 0;\n}\n";
    let two = one
        .replace("  if", "  for (int i = 0; i < 2; i++)\n    argc += part() < 0;\n  if")
        .replace("part() < 0;\n}", "0;\n}");
    let three = format!("\n{one}");
    let files = [("part.h", header), ("part.c", part), ("one.c", one), ("two.c", &two), ("three.c", &three)];
    let project = Project::new(&files);
    let version = newest_version(&project);
    let mut merge = vec!["merge", "-o", "all.profdata"];
    for (file, flag, profile) in
        [("one.c", "-UCHECK", "one"), ("two.c", "-DCHECK", "two"), ("three.c", "-DCHECK", "three")]
    {
        measure_with(&project, &version, file, &["-fprofile-instr-generate", "part.c", flag]);
        std::fs::rename(project.file("my.profdata"), project.file(profile)).expect("it is renamed");
        merge.push(profile);
    }
    run(&project, Command::new(tool(&version, "llvm-profdata")).args(merge));
    project.write_database(&[
        ("one.c", ""),
        ("part.c", ""),
        ("two.c", ""),
        ("part.c", "-DCHECK"),
        ("three.c", ""),
    ]);
    // The numbers are executions in one run of part.c. The program of two.c runs part.c twice.
    let (wide, small, part) = (7 + 3 * 6, 10 + 3 * (10 + 7), 11 + 3 * (11 + 10));
    let main = (1 + 1) + (3 + 1);
    let all = wide + small + part + main;
    assert_eq!(executions(&project, &version, "all.profdata", &["-p", "build"]), all);
    let patch = ["hints", "--patch", "--llvm", &version, "--profile", "all.profdata", "-p", "build"];
    let (_, _, err) = project.run(&patch);
    assert!(err.contains(&format!(" of {all} measured executions")), "{err}");
}

/// The total number of executions in the output of `score`. The output of `hints` must have the same number.
fn executions(project: &Project, version: &str, profile: &str, files: &[&str]) -> u64 {
    let output = |command: &str| {
        project.stdout(&[&[command, "--json", "--llvm", version, "--profile", profile], files].concat())
    };
    let score = output("score");
    let rows = score.lines().map(|row| serde_json::from_str::<Value>(row).expect("JSON"));
    let sum = rows.map(|row| number(&row["executions"])).sum();
    let hints: Value = serde_json::from_str(&output("hints")).expect("JSON");
    assert_eq!(number(&hints["totals"]["executions"]), sum, "{files:?}: {hints} {score}");
    sum
}

/// A build generates a file in two folders, and compiles both files. In a profile, the name of a local function
/// contains the name of its file without folders, so the profile has one count for both copies of each function.
#[test]
fn copies_of_a_generated_file_count_once() {
    let part = "static int small(int n) {\n  if (n < 3)\n    return 1;\n  return 0;\n}\n\
                int part(int n) {\n  int sum = 0;\n  for (int i = 0; i < n; i++)\n    sum += small(i);\n  \
                return sum;\n}\n";
    let main = "int part(int);\nint main(void) { return part(10) - 3; }\n";
    let files = [("a/part.c", part), ("b/part.c", part), ("my.c", main)];
    let project = Project::new(&files);
    let version = newest_version(&project);
    measure_with(&project, &version, "my.c", &["-fprofile-instr-generate", "a/part.c"]);
    let files = ["a/part.c", "b/part.c", "my.c"];
    assert_eq!(executions(&project, &version, "my.profdata", &files), 10 + 11);
}

/// The line about the profile counts the same branches as the note about calls that may throw. The function `f` has
/// no profile.
#[test]
fn calls_that_may_throw_are_not_among_the_branches_of_a_profile() {
    let text = "void use(int);\nstruct Guard { int a; ~Guard(); };\n\
                __attribute__((noinline)) int h(int n) {\n  if (n > 3) return 1;\n  return 2;\n}\n\
                __attribute__((noinline)) int g(int n) {\n  if (n < 9) throw 'c';\n  return n;\n}\n\
                #ifdef MORE\nint f(int n) {\n  Guard guard{n};\n  use(1);\n  use(2);\n  if (n) use(3);\n  \
                return 0;\n}\n\
                #endif\nint main(int argc, char **) {\n  int n = h(argc);\n  try {\n    \
                return h(g(argc));\n  } catch (char) {\n    return n - 2;\n  }\n}\n";
    let project = Project::new(&[("my.cpp", text)]);
    let version = newest_version(&project);
    measure(&project, &version, "my.cpp", "-fprofile-instr-generate");
    let score = ["score", "--llvm", &version, "--profile", "my.profdata", "my.cpp", "--", "-DMORE"];
    let (_, _, err) = project.run(&score);
    assert!(err.contains("2 of 3 branches have counts above 0"), "{err}");
    assert!(err.contains("of 8 branches (62.5%) are calls that may throw, or catch clauses"), "{err}");
    assert_eq!(executions(&project, &version, "my.profdata", &["my.cpp", "--", "-DMORE"]), 2);
}

/// Each program of a project has its own function `main`.
#[test]
fn a_profile_of_two_programs_has_the_counts_of_both() {
    let one = "int main(void) {\n  int sum = 0;\n  for (int i = 0; i < 10; i++)\n    sum += i;\n  \
        return sum == 3;\n}\n";
    let two = "int main(int argc, char **argv) {\n  int sum = argc;\n  while (sum < 1000)\n    \
        sum *= sum & 1 ? 4 : 3;\n  \
               return sum == 3;\n}\n";
    let project = Project::new(&[("one.c", one), ("two.c", two)]);
    let version = newest_version(&project);
    measure(&project, &version, "one.c", "-fprofile-instr-generate");
    let profile = |name: &str| project.file(name);
    std::fs::rename(profile("my.profdata"), profile("one.profdata")).expect("the profile is renamed");
    measure(&project, &version, "two.c", "-fprofile-instr-generate");
    let merge = ["merge", "one.profdata", "my.profdata", "-o", "both.profdata"];
    run(&project, Command::new(tool(&version, "llvm-profdata")).args(merge));
    let executions = |profile: &str, files: &[&str]| executions(&project, &version, profile, files);
    let all = executions("both.profdata", &["one.c", "two.c"]);
    assert_eq!(all, executions("one.profdata", &["one.c"]) + executions("my.profdata", &["two.c"]));
}

/// The loop contains a `return`. `hints` and `score` have the counts of its condition.
#[test]
fn hints_and_score_have_equal_numbers_of_executions() {
    let text = "#include <stdio.h>\nstatic const int all[] = {1, 3, 5, 7, 9, 11, 13, 15};\n\
                __attribute__((noinline)) int find(int key) {\n  int low = 0, high = 7;\n  while (high >= low) {\n    \
                int middle = (low + high) / 2;\n    if (key > all[middle])\n      low = middle + 1;\n    \
                else if (key < all[middle])\n      high = middle - 1;\n    else\n      return middle;\n  }\n  \
                return -1;\n}\nint main(void) {\n  int sum = 0;\n  for (int i = 0; i < 1000; i++)\n    \
                sum += find(i % 20);\n  printf(\"%d\\n\", sum);\n}\n";
    let project = Project::new(&[("my.c", text)]);
    for version in versions(&project) {
        measure(&project, &version, "my.c", "-fprofile-instr-generate");
        assert_eq!(executions(&project, &version, "my.profdata", &["my.c"]), 9101, "LLVM {version}");
        for command in ["hints", "score"] {
            let (code, _, err) =
                project.run(&[command, "--llvm", &version, "--profile", "my.profdata", "my.c:99"]);
            assert_eq!(code, Some(2), "{command}: {err}");
        }
    }
}

/// The switch has four successors with equal predictions, so its misses are not a whole number. The condition in
/// lines 6 and 7 has two operands, and the operator is in line 7.
#[test]
fn hints_and_score_have_equal_misses_and_lines() {
    let text = "#include \"system.h\"\n#include <stdio.h>\n\
                __attribute__((noinline)) int weigh(int key) {\n  int sum = 0;\n  \
                switch (key % 4) { case 1: sum = 3; break; case 2: sum = 4; break; case 3: sum = 5; }\n  \
                if (key == 7\n      || sum > 4)\n    sum++;\n  return sum + far(key);\n}\nint main(void) {\n  \
                int sum = 0;\n  for (int i = 0; i < 1001; i++)\n    sum += weigh(i);\n  \
                printf(\"%d\\n\", sum);\n}\n";
    let header = "static int far(int key) { return key > 17 ? 2 : key; }\n";
    let project = Project::new(&[("my.c", text), ("system/system.h", header)]);
    for version in versions(&project) {
        measure_with(&project, &version, "my.c", &["-fprofile-instr-generate", "-isystem", "system"]);
        let run = |command: &[&str]| {
            let arguments = ["--llvm", &version, "--profile", "my.profdata"];
            let (code, out, err) =
                project.run(&[command, &arguments[..], &["--", "-isystem", "system"]].concat());
            assert_eq!(code, Some(0), "LLVM {version} {command:?}: {out}{err}");
            (out, err)
        };
        let (scored, _) = run(&["score", "--json", "my.c"]);
        let rows = scored.lines().map(|line| serde_json::from_str(line).expect("JSON"));
        let avoidable = |row: Value| row["avoidable_mispredictions"].as_f64().expect("a number");
        let avoidable: f64 = rows.map(avoidable).sum();
        assert!(avoidable.fract() > 0.0, "LLVM {version}: {scored}");
        let (hints, _) = run(&["hints", "my.c"]);
        let first = hints.lines().next().expect("a line");
        let wanted = format!("; {} of them are avoidable", avoidable as u64);
        assert!(first.replace(',', "").contains(&wanted), "LLVM {version}: {wanted}\n{first}");
        // The totals of the patch include the same branches.
        let words: Vec<&str> = first.split_whitespace().collect();
        let (_, err) = run(&["hints", "--patch", "my.c"]);
        assert!(
            err.contains(&format!(" of {} measured executions are mispredicted", words[2])),
            "{first}\n{err}"
        );
        // The line of an operand selects the branch on this operand, and its hint.
        for (command, line, wanted) in [
            ("explain", "my.c:6", "my.c:6:7"),
            ("explain", "my.c:7", "my.c:7:10"),
            ("score", "my.c:6", "my.c:6:7"),
            ("score", "my.c:7", "my.c:7:10"),
            ("hints", "my.c:6", "my.c:6:7"),
            ("hints", "my.c:7", "my.c:7:10"),
        ] {
            let (out, _) = run(&[command, line]);
            assert!(out.contains(wanted), "LLVM {version} {command} {line}: {out}");
        }
        let note = "no executed branch is at my.c:7:99; all branches at my.c:7 are selected instead";
        for (spot, has_note) in [("my.c:7:10", false), ("my.c:7:99", true)] {
            let (out, err) = run(&["hints", spot]);
            assert!(
                out.contains("my.c:7:10") && err.contains(note) == has_note,
                "LLVM {version} {spot}: {out}{err}"
            );
        }
    }
}
