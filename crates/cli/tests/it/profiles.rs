//! Compares profiled counts with the output of `llvm-profdata`. Also tests the error messages for files that are not
//! profiles.

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::Command;

use crate::support::{texts, Project};
use bpa_schema::LLVM_VERSIONS;
use serde_json::Value;

/// A program with loops, a switch, short-circuit operators and a function that never runs.
const C: &str = "\
#include <stdio.h>
__attribute__((noinline)) int steps(unsigned long n) {
  int count = 0;
  while (n != 1) {
    if (n % 2 == 0)
      n /= 2;
    else
      n = 3 * n + 1;
    count++;
  }
  return count;
}
__attribute__((noinline)) int kind(int x) {
  switch (x % 5) {
  case 0: return 3;
  case 1: return 4;
  default: return x;
  }
}
int never(int x) { return x > 3 ? steps(x) : 2; }
__attribute__((noinline)) int same(int x) { return x; }
__attribute__((noinline)) int operands(int n) {
  int sum = 0;
  if ((n % 10 == 0 || n % 3 == 1) == 1)
    sum++;
  if (n % 4 == 0 || n % 7 == 3)
    sum += 2;
  int kept = (n % 10 == 0 || n % 3 == 0) + (n % 4 == 0 || n % 5 == 1);
  if (n % 2)
    sum += kept;
  int size = n < 10 ? same(1) : n < 100 ? same(2) : n < 500 ? same(3) : same(4);
  if (size > 2)
    sum++;
  while ((n > 5 && n % 11) == 1) {
    n -= 2;
    if ((n % 7 == 0 || n % 9 == 0) == 1)
      break;
  }
  do {
    sum++;
    n /= 2;
  } while (n > same(1));
  return sum;
}
__attribute__((noinline)) int cases(int n) {
  switch (n % 9) {
  case 0: return 3;
  case 1: break;
  case 2:
  case 3: n++;
  case 4: n += 2; break;
  case 5: return same(n);
  }
  if (n > 300)
    n += same(2);
  return n;
}
int large;
__attribute__((noinline)) void note(int n) {
  if (n < 5)
    return;
  switch (n % 6) {
  case 0:
    large++;
    break;
  case 1:
    large += same(n);
    break;
  }
}
int main(int argc, char **argv) {
  int sum = 0;
  for (int i = 1; i < 1000; i++) {
    if (i > 10 && i % 3 == 0)
      sum += steps(i);
    sum += kind(i) + operands(i) + cases(i);
    note(i);
    if (argc > 3)
      never(i);
  }
  printf(\"%d\\n\", sum);
  return 0;
}
";

const CXX: &str = "\
#include <cstdio>
#include <string>
#include <vector>
struct Table {
  std::vector<std::string> rows;
  ~Table() { std::printf(\"%zu\\n\", rows.size()); }
  [[gnu::noinline]] int find(const std::string &text) const {
    for (const std::string &row : rows) {
      if (row == text)
        return 1;
    }
    return 0;
  }
};
struct Size {
  int wide = 0, high = 0;
};
struct Place {
  int value;
  bool operator!=(const Place &other) const { return value != other.value; }
};
[[gnu::noinline]] Place find(int n) { return {n % 5}; }
[[gnu::noinline]] Size square(int n) { return {n, n}; }
[[gnu::noinline]] static int area(int n) {
  // clang emits the entry count 0 for a function if its body declares another function.
  extern int puts(const char *);
  static thread_local std::vector<int> seen;
  seen.push_back(n);
  Size size = n % 3 == 0 ? square(n) : Size();
  const int &other = n % 4 == 0 ? size.wide : seen[0];
  int factor = n % 5 == 0 ? n / 3 : 3;
  Place end{4};
  if (n % 10 != 0 && find(n) != end)
    factor++;
  if (factor == 4)
    factor = n;
  return size.high * other * factor;
}
int main() {
  Table table;
  int found = 0;
  for (int i = 0; i < 100; i++) {
    found += area(i) < 0;
    std::string text(i % 7, 'x');
    if (!table.find(text))
      table.rows.push_back(text);
    else
      found++;
    try {
      if (i == 50)
        throw 1;
    } catch (int) {
      found += 1000;
      break;
    }
  }
  return found > 2000;
}
";

const RUST: &str = "\
#[inline(never)]
fn steps(mut n: u64) -> u32 {
    let mut count = 0;
    while n != 1 {
        if n % 2 == 0 { n /= 2 } else { n = 3 * n + 1 }
        count += 1;
    }
    count
}
fn main() {
    let mut best = 0;
    for i in 1..1000 {
        let count = steps(i);
        if count > best { best = count }
    }
    println!(\"{best}\");
}
";

fn tool(version: &str, name: &str) -> PathBuf {
    format!("/usr/lib/llvm-{version}/bin/{name}").into()
}

/// The LLVM versions with a plugin and an llvm-profdata.
pub fn versions(project: &Project) -> Vec<String> {
    project.write("probe.c", "int probe(int x) { return x ? 1 : 2; }\n");
    let works = |version: &String| {
        tool(version, "llvm-profdata").exists()
            && project.bpa(&["explain", "--llvm", version, "probe.c"]).status.success()
    };
    LLVM_VERSIONS.map(|version| version.to_string()).filter(works).collect()
}

fn run(project: &Project, command: &mut Command) -> String {
    let output = command.current_dir(project.path()).output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{command:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// Compiles `file` with counters, runs the program, and merges its counts to `my.profdata`.
pub fn measure(project: &Project, version: &str, file: &str, instrumentation: &str) {
    measure_with(project, version, file, &[instrumentation]);
}

/// Like [`measure`], but passes several flags to the compiler.
fn measure_with(project: &Project, version: &str, file: &str, instrumentation: &[&str]) {
    let mut compiler = match file {
        "my.rs" => Command::new("rustc"),
        "my.cpp" => Command::new(tool(version, "clang++")),
        _ => Command::new(tool(version, "clang")),
    };
    let level = if file == "my.rs" { "-O" } else { "-O2" };
    run(project, compiler.arg(level).args(instrumentation).args([file, "-o", "program"]));
    run(project, Command::new("./program").env("LLVM_PROFILE_FILE", "my.profraw"));
    let merge = ["merge", "my.profraw", "-o", "my.profdata"];
    run(project, Command::new(tool(version, "llvm-profdata")).args(merge));
}

/// The counters of a function in the output of llvm-profdata.
#[derive(Debug, Default)]
struct Counters {
    /// The entry count, which is present only in a front-end profile.
    calls: Option<u64>,
    blocks: Vec<u64>,
}

fn counters(project: &Project, version: &str) -> HashMap<String, Counters> {
    let show = ["show", "--all-functions", "--counts", "my.profdata"];
    let text = run(project, Command::new(tool(version, "llvm-profdata")).args(show));
    let mut counters: HashMap<String, Counters> = HashMap::new();
    let mut name = String::new();
    for line in text.lines() {
        let numbers = |list: &str| {
            let words = list.trim_matches(['[', ']']).split(", ").filter(|word| !word.is_empty());
            words.map(|word| word.parse().expect("a count")).collect()
        };
        if let Some(function) = line.strip_prefix("  ").and_then(|line| line.strip_suffix(':')) {
            // The name of a local function follows the name of its file: `my.c;f`, or `my.c:f` before LLVM 17.
            if !function.starts_with(' ') {
                name = function.rsplit([';', ':']).next().expect("a name").to_string();
            }
        } else if let Some(calls) = line.trim().strip_prefix("Function count: ") {
            counters.entry(name.clone()).or_default().calls = calls.parse().ok();
        } else if let Some(blocks) = line.trim().strip_prefix("Block counts: ") {
            counters.entry(name.clone()).or_default().blocks = numbers(blocks);
        }
    }
    counters
}

/// The executed branches in the output of `score`.
fn branches(project: &Project, version: &str, file: &str) -> Vec<Value> {
    let arguments = ["score", "--json", "--system", "--llvm", version, "--profile", "my.profdata", file];
    let lines = project.stdout(&arguments);
    lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn number(value: &Value) -> u64 {
    value.as_str().expect("digits").parse().expect("a number")
}

fn edges(branch: &Value) -> Vec<u64> {
    let successors = branch["successors"].as_array().expect("a list");
    successors.iter().map(|successor| number(&successor["count"])).collect()
}

/// Checks that the counts of each branch are exact, and match the counters of the function that contains the branch.
fn check_counts(project: &Project, version: &str, file: &str, is_front_end: bool) -> usize {
    let counters = counters(project, version);
    let branches = branches(project, version, file);
    for branch in &branches {
        let symbol = branch["symbol"].as_str().expect("a name");
        let own = counters.get(symbol).unwrap_or_else(|| panic!("{symbol} in {counters:?}"));
        let (edges, calls) = (edges(branch), number(&branch["calls"]));
        assert_eq!(branch["approximate"], false, "{branch}");
        assert_eq!(edges.iter().sum::<u64>(), number(&branch["executions"]), "{branch}");
        if is_front_end {
            assert_eq!(own.calls, Some(calls), "calls of {symbol}, LLVM {version}");
        }
        // Each count is the value of one counter, or a sum or difference of the values of several counters.
        let sum: u64 = own.calls.iter().chain(&own.blocks).sum();
        assert!(edges.iter().all(|&count| count <= sum), "{branch} of {own:?}");
        let mut known: Vec<u64> = own.blocks.clone();
        known.push(calls);
        known.push(0);
        // At least one successor has a counter. If a successor has no counter, its count is computed by subtraction.
        assert!(edges.iter().any(|count| known.contains(count)), "LLVM {version}: {branch} of {known:?}");
    }
    branches.len()
}

#[test]
fn counts_match_the_counters_of_c_programs() {
    let Some(project) = Project::new(&[("my.c", C), ("my.cpp", CXX), ("my.rs", RUST)]) else { return };
    for version in versions(&project) {
        for file in ["my.c", "my.cpp"] {
            for instrumentation in ["-fprofile-instr-generate", "-fprofile-generate"] {
                measure(&project, &version, file, instrumentation);
                let is_front_end = instrumentation == "-fprofile-instr-generate";
                let count = check_counts(&project, &version, file, is_front_end);
                assert!(count >= 4, "{count} branches of {file} with {instrumentation} and LLVM {version}");
            }
        }
    }
}

#[test]
fn counts_match_the_counters_of_rust_programs() {
    let Some(project) = Project::new(&[("my.rs", RUST)]) else { return };
    // Only an llvm-profdata that is at least as new as rustc's LLVM can read the profile.
    let text = run(&project, Command::new("rustc").arg("-vV"));
    let version =
        text.split_once("LLVM version: ").and_then(|(_, text)| text.split('.').next()).expect("a version");
    if !versions(&project).iter().any(|one| one == version) {
        return println!("skipped: no plugin for rustc's LLVM {version}");
    }
    measure(&project, version, "my.rs", "-Cprofile-generate=.");
    assert!(check_counts(&project, version, "my.rs", false) >= 2);
    let steps = branches(&project, version, "my.rs");
    let of_steps =
        steps.iter().find(|branch| branch["symbol"].as_str().is_some_and(|name| name.contains("steps")));
    assert_eq!(number(&of_steps.expect("a branch of the function `steps`")["calls"]), 999);
}

/// Both instances have the prediction 50%, but different profiled probabilities.
#[test]
fn score_prints_no_profiled_probability_as_that_of_other_copies() {
    let text = "#include <cstdio>\ntemplate <int N> [[gnu::noinline]] int above(int n) {\n  if (n > N)\n    \
                return std::puts(\"a\");\n  return std::puts(\"b\");\n}\nint main() {\n  \
                for (int i = 0; i < 100; i++)\n    above<30>(i), above<60>(i);\n}\n";
    let Some(project) = Project::new(&[("my.cpp", text)]) else { return };
    let Some(version) = versions(&project).pop() else { return };
    measure(&project, &version, "my.cpp", "-fprofile-instr-generate");
    let out = project.stdout(&["score", "--llvm", &version, "--profile", "my.profdata", "my.cpp"]);
    assert!(
        out.contains("my.cpp:3:")
            && out.contains("and 1 other copy (inlined code, or other instances of the function)\n"),
        "{out}"
    );
}

/// A condition of the source. `outcomes` contains the two counts that `llvm-cov` prints: how often the condition was
/// true, and how often it was false.
struct Condition {
    start: (u64, u64),
    end: (u64, u64),
    outcomes: [u64; 2],
}

/// The conditions of `file`. The program must be built with `-fcoverage-mapping`.
fn conditions(project: &Project, version: &str, file: &str) -> Vec<Condition> {
    let export = ["export", "--instr-profile=my.profdata", "./program", file];
    let text = run(project, Command::new(tool(version, "llvm-cov")).args(export));
    let data: Value = serde_json::from_str(&text).expect("JSON");
    let files = data["data"][0]["files"].as_array().expect("files");
    let regions = files.iter().flat_map(|file| file["branches"].as_array().expect("branches"));
    let condition = |region: &Value| {
        let number = |place: usize| region[place].as_u64().expect("a number");
        Condition {
            start: (number(0), number(1)),
            end: (number(2), number(3)),
            outcomes: [number(4), number(5)],
        }
    };
    regions.map(condition).collect()
}

fn sorted(mut counts: Vec<u64>) -> Vec<u64> {
    counts.sort_unstable();
    counts
}

/// `llvm-cov` computes the counts of each condition from the counters and clang's coverage mapping, without IR. The
/// branch on a condition must have the two counts that `llvm-cov` prints. The number of executions is the sum of these
/// counts, even if every counter is smaller than the sum.
#[test]
fn conditions_have_the_counts_of_llvm_cov() {
    let Some(project) = Project::new(&[("my.c", C), ("my.cpp", CXX)]) else { return };
    for version in versions(&project) {
        for (file, least) in [("my.c", 21), ("my.cpp", 10)] {
            measure_with(&project, &version, file, &["-fprofile-instr-generate", "-fcoverage-mapping"]);
            let conditions = conditions(&project, &version, file);
            let mut compared = 0;
            for branch in branches(&project, &version, file) {
                let place = |name: &str| branch["place"][name].as_u64().unwrap_or(0);
                let at = (place("line"), place("column"));
                let around = conditions.iter().filter(|one| one.start <= at && at < one.end);
                // clang gives the branch of a condition and the branch of its first operand the same position.
                let around: Vec<Vec<u64>> = around.map(|one| sorted(one.outcomes.to_vec())).collect();
                // The counts are sorted because clang may have inverted the condition.
                let printed = sorted(edges(&branch));
                // `llvm-cov` has no counts for the edges of a `switch`.
                if around.is_empty() || printed.len() != 2 {
                    continue;
                }
                // clang 24 computes the value of `a && b`, and then branches on the value. `llvm-cov` has only the
                // counts of the operands: `a && b` is true as often as `b`, and is computed as often as `a`.
                let executions: u64 = printed.iter().sum();
                let is_first = around.iter().any(|outcomes| outcomes.iter().sum::<u64>() == executions);
                let mut operands = conditions.iter().filter(|one| one.start.0 == at.0 && one.start > at);
                let is_whole = is_first && operands.any(|one| printed.contains(&one.outcomes[0]));
                assert!(around.contains(&printed) || is_whole, "LLVM {version}: {around:?}: {branch}");
                assert_eq!(number(&branch["executions"]), executions);
                compared += 1;
            }
            assert!(compared >= least, "LLVM {version}: compared only {compared} conditions of {file}");
        }
    }
}

/// The initialisation of a static variable has no counter. The counts after it are known, but not the counts of its own
/// branch.
#[test]
fn branches_without_a_counter_have_no_data() {
    let Some(project) = Project::new(&[("my.cpp", CXX)]) else { return };
    let line = |text: &str| {
        let number = CXX.lines().position(|line| line.contains(text)).expect("a line has the text");
        u64::try_from(number + 1).expect("a small number")
    };
    let [guard, object, reference] =
        ["static thread_local", "square(n) : Size()", "size.wide : seen[0]"].map(line);
    for version in versions(&project) {
        measure(&project, &version, "my.cpp", "-fprofile-instr-generate");
        let branches = branches(&project, &version, "my.cpp");
        let at = |line: u64| branches.iter().find(|branch| branch["place"]["line"] == line);
        assert!(at(guard).is_none(), "clang {version}: the guard has no counter");
        for (line, divisor) in [(object, 3), (reference, 4)] {
            let edges = sorted(edges(at(line).expect("clang has a counter for the branch")));
            let multiples = (0..=50u64).filter(|n| n % divisor == 0).count() as u64;
            assert_eq!(edges, [multiples, 51 - multiples], "clang {version}, line {line}");
        }
    }
}

/// Computes how often `steps` is called and how many iterations its loop has. Compares these numbers with the counts in
/// both kinds of profiles.
#[test]
fn both_kinds_of_profiles_agree() {
    let Some(project) = Project::new(&[("my.c", C)]) else { return };
    let multiples = (11..1000u64).filter(|n| n % 3 == 0);
    let length = |mut n: u64| {
        let mut count = 0;
        while n != 1 {
            n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
            count += 1;
        }
        count
    };
    let (calls, iterations) = multiples.fold((0, 0), |(calls, sum), n| (calls + 1, sum + length(n)));
    for version in versions(&project) {
        for instrumentation in ["-fprofile-instr-generate", "-fprofile-generate"] {
            measure(&project, &version, "my.c", instrumentation);
            let branches = branches(&project, &version, "my.c");
            let condition = branches.iter().find(|branch| branch["place"]["line"] == 4).expect("the loop");
            let mut edges = edges(condition);
            edges.sort_unstable();
            assert_eq!(edges, [calls, iterations], "{instrumentation}, LLVM {version}");
            // For an IR profile, LLVM 14 to 18 would by default change the entry count to match the block frequencies.
            assert_eq!(number(&condition["calls"]), calls, "{instrumentation}, LLVM {version}");
        }
    }
}

/// Runs `bpa`, which must fail. Returns the error message and the advice that `bpa` prints.
fn error(project: &Project, arguments: &[&str]) -> String {
    let (status, out, err) = project.run(arguments);
    assert_eq!((status, out.as_str()), (Some(2), ""), "{arguments:?}: {err}");
    assert!(err.contains("error: ") && err.contains("help: "), "{arguments:?}: {err}");
    err
}

#[test]
fn unusable_profiles_are_errors_with_advice() {
    let Some(project) = Project::new(&[("my.c", C), ("other.c", "int f(int x) { return x ? 1 : 2; }\n")])
    else {
        return;
    };
    let Some(version) = versions(&project).pop() else { return };
    let llvm = ["--llvm", &version];
    let of = |words: &[&str]| error(&project, &[words, &llvm[..]].concat());
    for command in [&["score"][..], &["diff", "--measured"], &["hints"]] {
        assert!(of(&[command, &["my.c"]].concat()).contains("there is no profile"));
    }
    measure(&project, &version, "my.c", "-fprofile-generate");
    assert!(of(&["hints", "--profile", "my.profdata", "my.c"]).contains("is an IR profile"));
    for command in [&["score"][..], &["diff", "--measured"], &["report", "-o", "-"]] {
        let words = [command, &["--profile", "my.profdata", "other.c"]].concat();
        assert!(of(&words).contains("has no data about the functions of these files"));
    }
    for (name, content, wanted) in [
        ("empty.profraw", &b""[..], "is empty"),
        ("my.gcda", b"adcg*22B", "is a file of gcov"),
        ("perf.data", b"PERFILE2", "--binary PROGRAM"),
        ("cut.profdata", b"\xfflprofi\x81\x05\0\0\0\0\0\0\0", "cannot read the profile"),
        ("sub/readme.txt", b"read me\n", "error: sub/readme.txt is not a profile"),
    ] {
        std::fs::create_dir_all(project.file("sub")).expect("the folder is created");
        std::fs::write(project.file(name), content).expect("the file is written");
        let text = of(&["score", "--profile", name, "my.c"]);
        assert!(text.contains(wanted), "{name}: {text}");
    }
    let (_, _, err) = project.run(&["score", "--limit", "0", "my.c"]);
    assert!(err.contains("--limit"), "{err}");
}

#[test]
fn raw_profiles_are_merged() {
    let Some(project) = Project::new(&[("my.c", C)]) else { return };
    let Some(version) = versions(&project).pop() else { return };
    measure(&project, &version, "my.c", "-fprofile-instr-generate");
    std::fs::create_dir(project.file("raw")).expect("a folder");
    for name in ["raw/1.profraw", "raw/2.profraw"] {
        std::fs::copy(project.file("my.profraw"), project.file(name)).expect("the file is copied");
    }
    let calls = |profile: &str| {
        let arguments = ["score", "--json", "--llvm", &version, "--profile", profile, "my.c"];
        let lines = project.stdout(&arguments);
        let branches = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        branches.filter(|branch| branch["symbol"] == "steps").map(|branch| number(&branch["calls"])).max()
    };
    assert_eq!([calls("my.profdata"), calls("my.profraw"), calls("raw")], [Some(330), Some(330), Some(660)]);
    // The raw profile is merged again. The merge produces the same counts as before, so nothing is compiled again.
    let size = || project.stdout(&["cache", "--json"]);
    let before = size();
    assert_eq!((calls("my.profraw"), size()), (Some(330), before));
    measure(&project, &version, "my.c", "-fprofile-generate");
    std::fs::copy(project.file("my.profraw"), project.file("raw/3.profraw")).expect("the file is copied");
    let text = error(&project, &["score", "--llvm", &version, "--profile", "raw", "my.c"]);
    assert!(text.contains("raw/1.profraw and raw/3.profraw are profiles of different kinds"), "{text}");
    let two = ["--profile", "my.profraw", "--profile", "my.profraw"];
    let text = error(&project, &[&["hints", "--llvm", &version, "my.c"], &two[..]].concat());
    assert!(text.contains("needs a front-end profile, and the merge of 2 files is an IR profile"), "{text}");
}

/// The script prints the messages of llvm-profgen for a recording without branch records.
#[test]
fn a_recording_without_branch_records_is_an_error() {
    let script = "#!/bin/sh\ntrue\necho 'llvm-profgen: error: Invalid perf script input!' >&2\nexit 1\n";
    let files = [("my.c", C), ("perf.data", "PERFILE2"), ("prefix/bin/llvm-profgen", script)];
    let Some(project) = Project::new(&files) else { return };
    let Some(version) = versions(&project).pop() else { return };
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(project.file("prefix/bin/llvm-profgen"), mode).expect("it is a file");
    let score = || {
        let arguments = ["score", "--llvm", &version, "--profile", "perf.data", "--binary", "my.c", "my.c"];
        let mut command = project.command(&arguments);
        command.env(format!("LLVM_SYS_{version}0_PREFIX"), project.file("prefix"));
        let (status, _, err) = texts(command.output().expect("the command runs"));
        assert!(status == Some(2) && err.contains("error: perf.data has no branch records"), "{err}");
        assert!(err.contains("perf record -b"), "{err}");
        err
    };
    assert!(!score().contains("debug information"));
    let warning =
        "echo 'warning: Loading of DWARF info completed, but no binary functions have been retrieved.' >&2";
    project.write("prefix/bin/llvm-profgen", &script.replace("true", warning));
    assert!(score().contains("build the program with -gline-tables-only or -g"));
}

#[test]
fn stale_functions_are_reported() {
    let Some(project) = Project::new(&[("my.c", C)]) else { return };
    let Some(version) = versions(&project).pop() else { return };
    for (instrumentation, wanted) in
        [("-fprofile-instr-generate", "1 has mismatched data"), ("-fprofile-generate", "hash mismatch")]
    {
        project.write("my.c", C);
        measure(&project, &version, "my.c", instrumentation);
        project.write("my.c", &C.replace("int count = 0;", "int count = 0; if (n == 7) return 3;"));
        let arguments = ["score", "--llvm", &version, "--profile", "my.profdata", "my.c"];
        let (status, _, err) = project.run(&arguments);
        assert!(
            status == Some(0) && err.contains("warning: ") && err.contains(wanted),
            "{instrumentation}: {err}"
        );
        // The warning is printed for cached results, too.
        assert!(project.run(&arguments).2.contains(wanted));
        assert_eq!(project.run(&[&["-q"], &arguments[..]].concat()).2, "");
        // The flag `-w` of the build does not turn off this warning.
        project.write_database(&[("my.c", "-O2 -w")]);
        let arguments = ["score", "--llvm", &version, "--profile", "my.profdata", "-p", "build"];
        let (_, _, err) = project.run(&arguments);
        assert!(err.contains(wanted), "{instrumentation} -w: {err}");
    }
}

/// The error in `bad.c` is a warning that is an error by default. `-Werror=` is intended for the compiler of the build.
#[test]
fn a_file_fails_with_a_profile_as_without_one() {
    let bad = "int bad(int n) {\n  if (n) return;\n  return 2;\n}\n";
    let Some(project) = Project::new(&[("my.c", C), ("bad.c", bad)]) else { return };
    let Some(version) = versions(&project).pop() else { return };
    project.write_database(&[("my.c", "-O2 -Wall -Wextra -Werror=unused-parameter"), ("bad.c", "-O2")]);
    for instrumentation in ["-fprofile-instr-generate", "-fprofile-generate"] {
        measure(&project, &version, "my.c", instrumentation);
        for profile in [&["explain"][..], &["explain", "--profile", "my.profdata"]] {
            let (status, out, err) = project.run(&[profile, &["--llvm", &version, "-p", "build"]].concat());
            assert_eq!(status, Some(2), "{instrumentation} {profile:?}: {err}");
            assert!(out.contains("my.c:4:") && err.contains("bad.c:2:10: error: non-void"), "{out}{err}");
            assert!(!err.contains("warning: "), "{err}");
        }
    }
    measure(&project, &version, "my.c", "-fprofile-instr-generate");
    let arguments = ["hints", "--patch", "--llvm", &version, "--profile", "my.profdata", "-p", "build"];
    let (status, patch, err) = project.run(&arguments);
    assert!(status == Some(2) && err.contains("bad.c:2:10: error: "), "{err}");
    assert!(patch.contains("+++ b/my.c") && !err.contains("left out: "), "{patch}{err}");
}

/// The compiler prints no warning if only a number has changed, or if a function has another name.
#[test]
fn sources_newer_than_the_profile_are_reported() {
    let Some(project) = Project::new(&[("my.c", C)]) else { return };
    let Some(version) = versions(&project).pop() else { return };
    measure(&project, &version, "my.c", "-fprofile-instr-generate");
    let arguments = ["score", "--llvm", &version, "--profile", "my.profdata", "my.c"];
    assert!(!project.run(&arguments).2.contains("newer"));
    project.write("my.c", &C.replace("n % 2 == 0", "n % 3 == 0").replace("same(", "equal("));
    for _ in 0..2 {
        let (_, _, err) = project.run(&arguments);
        assert!(!err.contains("warning") && err.contains("note: my.c is newer than the profile"), "{err}");
    }
}

/// Uses hand-written samples for `steps`. Line 2 of the function is the condition of its loop.
#[test]
fn branches_without_samples_are_unknown() {
    let Some(project) = Project::new(&[("my.c", C)]) else { return };
    for version in versions(&project) {
        project.write(
            "my.prof",
            "steps:3000:10\n 1: 10\n 2: 1000\n 3: 990\n 4: 600\n 6: 390\n 7: 990\n 9: 10\n",
        );
        let arguments = ["score", "--llvm", &version, "--profile", "my.prof", "my.c"];
        let (status, out, err) = project.run(&arguments);
        assert_eq!(status, Some(0), "LLVM {version}: {out}{err}");
        assert!(err.contains("sample profile") && err.contains("the others are unknown"), "{err}");
        assert!(out.contains('~') && !out.contains("line 24"), "{out}");
        // The loop has 990 samples, and the entry has 10 samples. LLVM before version 22 adds 1 to the samples of the
        // entry.
        let times = if version.parse::<u32>().is_ok_and(|version| version < 22) { 90 } else { 99 };
        assert!(out.contains(&format!("in steps; runs {times} times per call")), "LLVM {version}: {out}");
    }
}

#[test]
fn score_predicts_without_the_hints_in_the_source() {
    let hinted = C.replace("if (n % 2 == 0)", "if (__builtin_expect(n % 2 == 0, 1))");
    assert_ne!(hinted, C);
    let Some(project) = Project::new(&[("plain.c", C), ("hinted.c", &hinted)]) else { return };
    let Some(version) = versions(&project).pop() else { return };
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
    let Some(project) = Project::new(&[("my.c", C)]) else { return };
    let Some(version) = versions(&project).pop() else { return };
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
    let Some(project) = Project::new(&[("my.c", C)]) else { return };
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
    let Some(project) = Project::new(&[("my.c", text)]) else { return };
    let Some(version) = versions(&project).pop() else { return };
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
                #define PUT(n) do { if (n & 1) sum++; if (n % 3) sum += 2; else if (sum < 0) sum = 0; } while (0)\n\
                __attribute__((noinline)) void step(int n) {\n  PUT(n);\n}\nint main(void) {\n  \
                for (int i = 1; i < 1000; i++)\n    step(i * 3 + 1);\n  printf(\"%d\\n\", sum);\n}\n";
    let Some(project) = Project::new(&[("my.c", text)]) else { return };
    let Some(version) = versions(&project).pop() else { return };
    measure(&project, &version, "my.c", "-fprofile-instr-generate");
    let options = ["--llvm", &version, "--profile", "my.profdata", "my.c"];
    let out = project.stdout(&[&["score", "--predictor", "calibrated"], &options[..]].concat());
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
    let text = "#include <stdio.h>\n__attribute__((noinline)) static int small(int n) {\n  if (n < 3)\n    return 1;\n  \
                return 0;\n}\nint main(void) {\n  int sum = 0;\n  for (int i = 0; i < 10; i++)\n    sum += small(i);\n  \
                printf(\"%d\\n\", sum);\n}\n";
    let Some(project) = Project::new(&[("my.c", text)]) else { return };
    let Some(version) = versions(&project).pop() else { return };
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
    let Some(project) = Project::new(&files) else { return };
    let Some(version) = versions(&project).pop() else { return };
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
    let Some(project) = Project::new(&files) else { return };
    let Some(version) = versions(&project).pop() else { return };
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
    let Some(project) = Project::new(&[("my.cpp", text)]) else { return };
    let Some(version) = versions(&project).pop() else { return };
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
    let one = "int main(void) {\n  int sum = 0;\n  for (int i = 0; i < 10; i++)\n    sum += i;\n  return sum == 3;\n}\n";
    let two = "int main(int argc, char **argv) {\n  int sum = argc;\n  while (sum < 1000)\n    sum *= sum & 1 ? 4 : 3;\n  \
               return sum == 3;\n}\n";
    let Some(project) = Project::new(&[("one.c", one), ("two.c", two)]) else { return };
    let Some(version) = versions(&project).pop() else { return };
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
    let Some(project) = Project::new(&[("my.c", text)]) else { return };
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
    let Some(project) = Project::new(&[("my.c", text), ("system/system.h", header)]) else { return };
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
        // The line of an operand selects the branch on this operand. Both lines select a hint at the condition.
        for (command, line, wanted) in [
            ("explain", "my.c:6", "my.c:6:7"),
            ("explain", "my.c:7", "my.c:7:10"),
            ("score", "my.c:6", "my.c:6:7"),
            ("score", "my.c:7", "my.c:7:10"),
            ("hints", "my.c:6", "my.c:6:"),
            ("hints", "my.c:7", "my.c:6:"),
        ] {
            let (out, _) = run(&[command, line]);
            assert!(out.contains(wanted), "LLVM {version} {command} {line}: {out}");
        }
        let note = "no executed branch is at my.c:7:99; all branches at my.c:7 are selected instead";
        for (spot, has_note) in [("my.c:7:7", false), ("my.c:7:99", true)] {
            let (out, err) = run(&["hints", spot]);
            assert!(
                out.contains("my.c:6:") && err.contains(note) == has_note,
                "LLVM {version} {spot}: {out}{err}"
            );
        }
    }
}
