//! Tests `bpa hints` on programs that are compiled, run and profiled.

use std::process::{Command, Output};

use crate::support::profile::{newest_version, run, tool};
use crate::support::Project;
use serde_json::Value;

/// A program of two files and a header, with templates, logical operators and a wrong hint.
const HEADER: &str = "\
template <class T> inline T clamp(T x, T most) {
  if (x > most)
    return most;
  return x;
}
";
const MAIN: &str = "\
#include \"clamp.h\"
#include <cstdio>
struct Table { int *slots; };
long other(int);
static int find(Table *table, int n) {
  if (!table->slots || n > 3)
    return 1;
  return 0;
}
int main() {
  long sum = 0;
  int slots[4] = {};
  Table table = {slots};
  for (int i = 0; i < 1000; i++) {
    sum += clamp(i, 10) + clamp(long(i), 20L) + other(i) + find(&table, i & 1);
    if (__builtin_expect(i > 10, 0))
      sum++;
  }
  std::printf(\"%ld\\n\", sum);
}
";
const OTHER: &str = "\
#include \"clamp.h\"
long other(int i) { return clamp(i, 10); }
";
const FILES: &[(&str, &str)] = &[("clamp.h", HEADER), ("main.cpp", MAIN), ("other.cpp", OTHER)];

const C: &str = "\
#define IS_SMALL(x) ((x) > 0 && (x) < 5)
int main(void) {
  int sum = 0;
  for (int i = 0; i < 1000; i++) {
    if (i > 990)
      sum++;
    if (IS_SMALL(i)) sum--;
    switch (i % 8 ? 1 : 2) { case 1: sum += 2; break; case 3: sum = 0; break; default: sum--; }
  }
  return sum == 7;
}
";

/// A profiled program.
struct Measured {
    project: Project,
    version: String,
    flags: Vec<&'static str>,
    sources: Vec<&'static str>,
}

impl Measured {
    fn new(files: &[(&'static str, &str)], flags: &[&'static str]) -> Self {
        let project = Project::new(files);
        let version = newest_version(&project);
        let sources: Vec<&str> =
            files.iter().map(|file| file.0).filter(|name| !name.ends_with(".h")).collect();
        let measured = Measured { project, version, flags: flags.to_vec(), sources };
        measured.build("-fprofile-instr-generate");
        measured
    }

    /// Builds, runs and profiles the program.
    fn build(&self, instrumentation: &str) {
        let run = |command: &mut Command| run(&self.project, command);
        let clang = if self.sources[0].ends_with(".c") { "clang" } else { "clang++" };
        let mut command = Command::new(tool(&self.version, clang));
        run(command
            .args(["-O1", instrumentation])
            .args(&self.flags)
            .args(&self.sources)
            .args(["-o", "program"]));
        run(Command::new("./program").env("LLVM_PROFILE_FILE", "my.profraw"));
        run(Command::new(tool(&self.version, "llvm-profdata")).args([
            "merge",
            "my.profraw",
            "-o",
            "my.profdata",
        ]));
    }

    fn run(&self, options: &[&str]) -> Output {
        let mut arguments = vec!["hints", "--llvm", &self.version];
        arguments.extend(options);
        arguments.extend(&self.sources);
        arguments.push("--");
        arguments.extend(&self.flags);
        self.project.bpa(&arguments)
    }

    fn with_profile(&self, options: &[&str]) -> Output {
        self.run(&[&["--profile", "my.profdata"], options].concat())
    }

    fn json(&self, options: &[&str]) -> Value {
        let output = self.with_profile(&[&["--json"], options].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("one JSON document")
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Parses a count. In JSON, a count is a string of digits.
fn number(digits: &Value) -> u64 {
    digits.as_str().and_then(|digits| digits.parse().ok()).expect("digits")
}

/// The hint at a line of a file.
fn at<'v>(json: &'v Value, file: &str, line: u64) -> &'v Value {
    let hints = json["hints"].as_array().expect("a list");
    let mut found =
        hints.iter().filter(|hint| hint["place"]["file"] == file && hint["place"]["line"] == line);
    let hint = found.next().unwrap_or_else(|| panic!("no hint at {file}:{line} in {json:#}"));
    assert!(found.next().is_none(), "two hints at {file}:{line}");
    hint
}

#[test]
fn hints_of_all_files_are_in_one_list() {
    let measured = Measured::new(FILES, &[]);
    let json = measured.json(&[]);
    // For each i, the program evaluates the condition three times: twice in `clamp<int>`, and once in `clamp<long>`.
    // Both files contain a copy of `clamp<int>`.
    let clamp = at(&json, "clamp.h", 2);
    assert_eq!((&clamp["instances"], &clamp["executions"]), (&2.into(), &"3000".into()));
    // In the three groups of 1,000 executions, the rare successor is taken 11, 11 and 21 times.
    assert_eq!(clamp["misses"], "1500");
    assert_eq!(clamp["avoided_misses"], (1500 - (11 + 11 + 21)).to_string());
    let operand = at(&json, "main.cpp", 6);
    assert_eq!(operand["fix"]["before"], "  if (!table->slots || n > 3)");
    assert_eq!(operand["fix"]["after"], "  if (!table->slots || __builtin_expect(n > 3, 0))");
    let wrong = at(&json, "main.cpp", 16);
    assert_eq!((&wrong["finding"], &wrong["rule"]), (&"wrong-hint".into(), &"metadata".into()));
    assert_eq!(wrong["fix"]["after"], "    if (__builtin_expect(i > 10, 1))");
    let avoided = |row: &Value| number(&row["avoided_misses"]);
    let all: Vec<u64> = json["hints"].as_array().expect("a list").iter().map(avoided).collect();
    assert!(all.is_sorted_by(|one, next| one >= next), "{all:?}");
    let totals = &json["totals"];
    assert_eq!(avoided(&totals["shown"]), all.iter().sum::<u64>());
    assert_eq!(totals["functions_without_profile"], 0);
}

#[test]
fn totals_precede_the_list_and_temporary_names_are_hidden() {
    let measured = Measured::new(FILES, &[]);
    let output = measured.with_profile(&["--limit", "1"]);
    let [out, err] = [output.stdout, output.stderr].map(|bytes| text(&bytes));
    assert!(out.contains("branch executions do not go to the successor that the compiler predicts"), "{out}");
    assert!(out.contains("Hints at 1 place avoid"), "{out}");
    assert_eq!(out.matches("hint: avoids").count(), 1, "{out}");
    let folder = measured.project.path().display().to_string();
    for temporary in ["/tmp/.tmp", ".bc", &folder] {
        assert!(!out.contains(temporary) && !err.contains(temporary), "{temporary} in {out}{err}");
    }
}

#[test]
fn attributes_need_cxx20() {
    for (flags, has_attribute) in [(&["-std=c++20"] as &[_], true), (&["-std=c++17"], false)] {
        let measured = Measured::new(FILES, flags);
        let advice = at(&measured.json(&[]), "clamp.h", 2)["advice"].to_string();
        assert_eq!(advice.contains("[[likely]]"), has_attribute, "{advice}");
        assert!(advice.contains("__builtin_expect"), "{advice}");
    }
    let measured = Measured::new(&[("main.c", C)], &[]);
    let output = measured.with_profile(&[]);
    let text = text(&output.stdout);
    assert!(text.contains("__builtin_expect(i > 990, 0)"), "{text}");
    assert!(!text.contains("likely]]"), "{text}");
}

#[test]
fn places_without_a_possible_hint_have_advice() {
    let measured = Measured::new(&[("main.c", C)], &[]);
    let json = measured.json(&[]);
    let hints = json["hints"].as_array().expect("a list");
    let of_macro = hints.iter().filter(|hint| hint["place"]["line"] == 7);
    let advice: Vec<&str> = of_macro.filter_map(|hint| hint["advice"].as_str()).collect();
    assert!(
        !advice.is_empty() && advice.iter().all(|text| text.contains("in the definition of the macro")),
        "{json:#}"
    );
    // `(x) > 0` leads to the second operand, and this operand leads to the statement after the condition.
    let ways =
        "the outcome that leads to line 8:13 is likely, and the outcome that leads to line 7:25 is unlikely";
    assert!(advice.iter().any(|text| text.contains(ways)), "{advice:?}");
    let switch = hints.iter().find(|hint| hint["is_switch"] == true).expect("a switch");
    let advice = switch["advice"].as_str().expect("text");
    assert!(advice.contains("switch (__builtin_expect") && advice.contains("line 8:"), "{advice}");
    // The number of left-out hints is the number of printed lines.
    let err = text(&measured.with_profile(&["--patch"]).stderr);
    let lines = err.lines().filter(|line| line.starts_with("left out: ")).count();
    assert!(lines > 0 && err.contains(&format!(", {lines} left out\n")), "{err}");
}

#[test]
fn the_list_and_the_patch_have_the_same_edits() {
    let measured = Measured::new(FILES, &[]);
    let one = text(&measured.with_profile(&["--patch", "--limit", "1"]).stderr);
    assert!(one.contains("1 hint written, 0 left out"), "{one}");
    let output = measured.with_profile(&["--patch"]);
    let patch = text(&output.stdout);
    for line in [
        "+  if (!table->slots || __builtin_expect(n > 3, 0))",
        "+    if (__builtin_expect(i > 10, 1))",
        "+  if (__builtin_expect(static_cast<bool>(x > most), 1))",
    ] {
        assert!(patch.contains(line), "{line} in {patch}{}", text(&output.stderr));
    }
    let mut command = Command::new("patch");
    let folder = measured.project.path();
    std::fs::write(folder.join("hints.patch"), &patch).expect("a file");
    command.args(["-p1", "-i", "hints.patch"]).current_dir(folder);
    assert!(command.output().expect("patch runs").status.success());
    measured.build("-fprofile-instr-generate");
    let after = measured.json(&[]);
    assert_eq!(after["totals"]["wanted"]["avoided_misses"], "0", "{after:#}");
}

/// A condition of two lines, and a hint on its second line. clang gives the branch on the second operand the position
/// of the whole condition.
const HINT_ON_THE_NEXT_LINE: &str = "\
int sink;
int work(int n) { int s = 0; if (n % 50 == 3) s = 2; return s + n; }
int choose(int t, int n) {
  if (t != 2 ||
      __builtin_expect(!(n & 1), 0)) {
    sink++;
  }
  return n;
}
int main(void) {
  int r = 0;
  for (int i = 0; i < 1000; i++) r += choose(i % 8 < 3 ? 1 : 2, 1) + work(i);
  return r == 12345;
}
";

#[test]
fn an_existing_hint_on_the_next_line_does_not_hide_its_branch() {
    let measured = Measured::new(&[("main.c", HINT_ON_THE_NEXT_LINE)], &[]);
    let output = measured.with_profile(&["--patch", "main.c:2"]);
    let (patch, err) = (text(&output.stdout), text(&output.stderr));
    assert!(patch.contains("if (__builtin_expect(n % 50 == 3, 0))"), "{patch}{err}");
    assert!(err.contains("before the patch, 27.6% of 3,626"), "{err}");
}

#[test]
fn a_profile_without_counts_is_an_error() {
    let measured = Measured::new(FILES, &[]);
    let error = |output: Output| {
        assert!(!output.status.success() && output.stdout.is_empty(), "{}", text(&output.stdout));
        text(&output.stderr)
    };
    assert!(error(measured.run(&[])).contains("profile"));
    assert!(error(measured.with_profile(&["--limit", "0"])).contains("--limit"));
    assert!(error(measured.with_profile(&["--most", "3"])).contains("this option is now --limit"));
    // A profile of another program has no data about these functions.
    let other = Measured::new(&[("main.c", C)], &[]);
    let foreign = other.project.path().join("my.profdata").display().to_string();
    assert!(error(measured.run(&["--profile", &foreign, "--patch"])).contains("has no data about"));
    assert!(error(measured.run(&["--profile", &foreign])).contains("has no data about"));
    measured.build("-fprofile-generate");
    assert!(error(measured.with_profile(&[])).contains("-fprofile-instr-generate"));
}

#[test]
fn the_threshold_determines_the_exit_status() {
    let measured = Measured::new(FILES, &[]);
    let status = |options: &[&str]| measured.with_profile(options).status.code();
    assert_eq!(status(&["--threshold", "1%"]), Some(1));
    assert_eq!(status(&["--threshold", "90"]), Some(0));
    assert_eq!(status(&[]), Some(0));
    assert_eq!(status(&["--threshold", "101"]), Some(2));
}

#[test]
fn sarif_contains_the_edits() {
    let measured = Measured::new(FILES, &[]);
    let output = measured.with_profile(&["--sarif"]);
    let sarif: Value = serde_json::from_slice(&output.stdout).expect("SARIF is JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let operand =
        results.iter().find(|result| result["locations"][0]["physicalLocation"]["region"]["startLine"] == 6);
    let operand = operand.expect("the hint at line 6");
    assert_eq!((&operand["ruleId"], &operand["level"]), (&"missing-hint".into(), &"warning".into()));
    let region = &operand["locations"][0]["physicalLocation"]["region"];
    assert_eq!((&region["startColumn"], &region["endColumn"]), (&24.into(), &29.into()));
    let edits = operand["fixes"][0]["artifactChanges"][0]["replacements"].as_array().expect("edits");
    let inserted: Vec<&str> =
        edits.iter().filter_map(|edit| edit["insertedContent"]["text"].as_str()).collect();
    assert_eq!(inserted, ["__builtin_expect(", ", 0)"]);
}

/// If the value of `a || b` is computed, the branch of `a` has the position of the operator.
#[test]
fn operands_of_logical_values_are_edited() {
    const SOURCE: &str = "\
__attribute__((noinline)) static int is_odd_one(int c) {
  return (c == 7
          || c == 1009)
         || c == 1008;
}
int main(void) {
  int sum = 0;
  for (int i = 0; i < 1000; i++) sum += is_odd_one(i);
  return sum == 0;
}
";
    let measured = Measured::new(&[("main.c", SOURCE)], &[]);
    let patch = text(&measured.with_profile(&["--patch"]).stdout);
    for line in ["+  return (__builtin_expect(c == 7, 0)", "+          || __builtin_expect(c == 1009, 0))"] {
        assert!(patch.contains(line), "{line} in {patch}");
    }
}

/// If an operand has temporaries with destructors, clang tests the left operand and the value of the whole condition.
/// Both branches have the position where the condition begins.
#[test]
fn a_whole_condition_and_its_left_operand_have_different_hints() {
    const SOURCE: &str = "\
struct Key { Key(int n) : n(n) {} ~Key() {} int n; };
static int sum;
__attribute__((noinline)) static void add(const int *p, int n) {
  if (p && Key(n).n == 3)
    sum++;
}
int main() {
  for (int i = 0; i < 1000; i++) add(i % 7 ? nullptr : &sum, i);
  return sum == 7;
}
";
    let measured = Measured::new(&[("main.cpp", SOURCE)], &[]);
    let json = measured.json(&[]);
    let fixes = json["hints"].as_array().expect("a list").iter().map(|hint| &hint["fix"]["after"]);
    let mut fixes: Vec<&str> = fixes.filter_map(Value::as_str).filter(|fix| fix.contains("Key")).collect();
    fixes.sort_unstable();
    let wanted = [
        "  if (__builtin_expect(p && Key(n).n == 3, 0))",
        "  if (__builtin_expect_with_probability(static_cast<bool>(p), 0, 0.85) && Key(n).n == 3)",
    ];
    assert_eq!(fixes, wanted, "{json:#}");
    // The measured share is 85.7%. The message contains the number of the hint.
    let messages: Vec<&str> = json["hints"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|hint| hint["message"].as_str())
        .collect();
    let wanted = "`p` is false in 85% of 1,000 executions";
    assert!(messages.iter().any(|message| message.starts_with(wanted)), "{messages:#?}");
}

/// The comparison of `Key` returns an object that cannot be an argument of `__builtin_expect`.
#[test]
fn hints_that_do_not_compile_are_left_out() {
    const SOURCE: &str = "\
struct Truth { bool is_true; explicit operator bool() const { return is_true; } };
struct Key { int n; };
static Truth operator==(Key a, Key b) { return {a.n == b.n}; }
static int count;
__attribute__((noinline)) void add(Key a, int n) {
  if (a == Key{3}) count++;
  if (n > 990) count++;
}
int main() {
  for (int i = 0; i < 1000; i++) add(Key{i % 100}, i);
  return count == 7;
}
";
    let measured = Measured::new(&[("main.cpp", SOURCE)], &[]);
    let output = measured.with_profile(&["--patch"]);
    let (patch, err) = (text(&output.stdout), text(&output.stderr));
    assert!(patch.contains("+  if (__builtin_expect(n > 990, 0)) count++;"), "{patch}{err}");
    assert!(!patch.contains("+  if (__builtin_expect(a == Key"), "{patch}");
    assert!(err.contains("main.cpp:6:7: the program cannot be compiled with the hint"), "{err}");
    assert!(err.contains("1 hint written, 1 left out"), "{err}");
}

/// `opt` fails for other.cpp: in the measurement, or only in the compilation with all edits.
#[test]
fn a_file_that_fails_does_not_refuse_the_hints_of_others() {
    use std::os::unix::fs::PermissionsExt;
    const OPT: &str = "\
#!/bin/sh
for module; do :; done
case \"$*\" in *lower-expect*)
  if grep -aq other.cpp \"$module\"; then
    if [ -e SEEN ]; then echo 'no memory is left' >&2; exit 1; fi
    touch SEEN
  fi ;;
esac
exec REAL \"$@\"
";
    let measured = Measured::new(FILES, &[]);
    let (project, version) = (&measured.project, &measured.version);
    let seen = project.file("seen");
    let real = tool(version, "opt");
    let script = OPT.replace("SEEN", &seen.display().to_string());
    project.write("prefix/bin/opt", &script.replace("REAL", &real.display().to_string()));
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(project.file("prefix/bin/opt"), mode).expect("a mode");
    for fails_in_measurement in [true, false] {
        let _ = std::fs::remove_file(&seen);
        if fails_in_measurement {
            project.write("seen", "");
        }
        let mut command = project.command(&["hints", "--no-cache", "--patch", "--llvm", version]);
        command.args(["--profile", "my.profdata", "main.cpp", "other.cpp"]);
        command.env(format!("LLVM_SYS_{version}0_PREFIX"), project.file("prefix"));
        let output = command.output().expect("the command runs");
        let (patch, err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(patch.contains("+  if (__builtin_expect(static_cast<bool>(x > most), "), "{patch}{err}");
        assert!(patch.contains("!table->slots || __builtin_expect(n > 3, 0)"), "{patch}{err}");
        assert_eq!(err.matches("no memory is left").count(), 1, "{err}");
        assert!(!err.contains("cannot be compiled with the hint"), "{err}");
    }
}

/// A program with `count` branches. A hint improves the prediction of each branch.
fn many_branches(count: usize) -> String {
    let branch = |number: usize| format!("    if (i > {}) sum += {number};\n", 900 + number);
    let branches: String = (0..count).map(branch).collect();
    format!(
        "int main(void) {{\n  int sum = 0;\n  for (int i = 0; i < 1000; i++) {{\n\
         {branches}  }}\n  return sum == 7;\n}}\n"
    )
}

#[test]
fn only_text_has_a_default_limit() {
    let measured = Measured::new(&[("main.c", &many_branches(25))], &[]);
    let count = |options: &[&str]| measured.json(options)["hints"].as_array().expect("a list").len();
    assert_eq!((count(&[]), count(&["--limit", "3"])), (25, 3));
    let out = text(&measured.with_profile(&[]).stdout);
    assert_eq!(out.matches("hint: avoids").count(), 20, "{out}");
}

#[test]
fn places_with_an_edit_come_first() {
    // The macro has the most avoidable misses, and its conditions cannot be edited.
    let source = format!(
        "#define IS_LARGE(x) ((x) > 0 && (x) > 1)\n{}",
        many_branches(3).replace("    if (i > 900)", "    if (IS_LARGE(i)) sum--;\n    if (i > 900)")
    );
    let measured = Measured::new(&[("main.c", &source)], &[]);
    let list = |options: &[&str]| {
        let output = measured.with_profile(options);
        let out = text(&output.stdout);
        let has_edit = |hint: &str| hint.contains("help: write `__builtin_expect` as shown");
        (out.split("hint: avoids").skip(1).map(has_edit).collect::<Vec<_>>(), text(&output.stderr))
    };
    let json = measured.json(&[]);
    assert!(json["hints"][0]["fix"].is_null(), "{json:#}");
    let (all, err) = list(&[]);
    assert_eq!(all.iter().filter(|&&has_edit| has_edit).count(), 3, "{all:?}");
    assert!(all.len() > 3 && all.is_sorted_by(|one, next| one >= next), "{all:?}");
    assert!(!err.contains("without an edit"), "{err}");
    let (first, err) = list(&["--limit", "2"]);
    assert_eq!(first, [true, true]);
    assert!(err.contains("left out: 1 place without an edit"), "{err}");
}

#[test]
fn a_second_run_does_not_start_clang_for_a_source() {
    let measured = Measured::new(FILES, &[]);
    let (log, version) = (measured.project.file("clang.log"), &measured.version);
    let script = format!(
        "#!/bin/sh\necho \"$@\" >>{}\nexec {} \"$@\"\n",
        log.display(),
        tool(version, "clang").display()
    );
    measured.project.write("prefix/bin/clang", &script);
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(measured.project.file("prefix/bin/clang"), mode).expect("it is a file");
    // Returns how many times clang has run on a source file.
    let runs = |options: &[&str]| {
        let _ = std::fs::remove_file(&log);
        let arguments =
            [&["hints", "--llvm", version, "--profile", "my.profdata"], options, &measured.sources].concat();
        let mut command = measured.project.command(&arguments);
        command.env(format!("LLVM_SYS_{version}0_PREFIX"), measured.project.file("prefix"));
        assert!(command.output().expect("the command runs").status.success());
        let calls = std::fs::read_to_string(&log).unwrap_or_default();
        calls.lines().filter(|line| measured.sources.iter().any(|source| line.contains(source))).count()
    };
    for options in [&["--json"] as &[_], &["--patch"]] {
        let (first, second) = (runs(options), runs(options));
        assert!(first > 0 && second == 0, "{options:?}: {first} runs of clang, then {second}");
    }
}

/// `report` and `deny` are inline functions of two files, and `deny` never runs. The standard library has branches in
/// functions that never run, and calls that can throw.
#[test]
fn branches_that_never_ran_count_once_and_without_system_headers() {
    let header = "#include <string>\n\
                  int outside(int);\n\
                  inline int deny(int x) {\n  if (outside(x) > 1) return 1;\n  return 2;\n}\n\
                  inline int report(int x) {\n  std::string s(x > 900 ? 1 : 2, 'c');\n  s.resize(3);\n\
                  if (x > 5000) return deny(x);\n  return int(s.size());\n}\n";
    let files = [
        ("two.h", header),
        ("main.cpp", "#include \"two.h\"\nint other(int);\nint outside(int x) { return x; }\n\
                      int main() {\n  int sum = 0;\n  for (int i = 0; i < 999; i++) sum += report(i) + other(i);\n\
                      return sum == 3;\n}\n"),
        ("other.cpp", "#include \"two.h\"\nint other(int i) { return report(i) + (i > 7000 ? deny(i) : 0); }\n"),
    ];
    let measured = Measured::new(&files, &["-std=c++17"]);
    // The branch in `deny` is the only branch of the program that never runs.
    assert_eq!(measured.json(&[])["totals"]["never_ran_branches"], 1);
    // The other branches are `x > 5000`, the loop, and `i > 7000`. The IR has a `select` for `x > 900`.
    let mut arguments = vec!["score", "--llvm", &measured.version, "--profile", "my.profdata"];
    arguments.extend(measured.sources.iter().chain(&["--", "-std=c++17"]));
    let err = text(&measured.project.bpa(&arguments).stderr);
    assert!(err.contains("; 3 of 4 branches have counts above 0,"), "{err}");
}
