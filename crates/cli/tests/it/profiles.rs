//! Compares profiled counts with the output of `llvm-profdata` and `llvm-cov`.

use std::collections::HashMap;
use std::process::Command;

use crate::support::profile::{measure, measure_with, newest_version, number, run, tool, versions, C};
use crate::support::{rustc_llvm, skip_rust, Project};
use serde_json::Value;

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

/// Each way out of a scope runs destructors.
const CLEANUPS: &str = "\
#include <cstdio>
#include <memory>
#include <string>
struct Scope {
  Scope(int number) : number(number) {}
  ~Scope() { sum += number; }
  int number;
  static int sum;
};
int Scope::sum = 0;
static unsigned state = 7;
[[gnu::noinline]] static bool each(int nth) {
  state = state * 1103515245u + 12345;
  return (state >> 16) % nth == 0;
}
static int f(int n) {
  int total = 0;
  while (n--) {
    Scope outer(1);
    if (each(7))
      continue;
    {
      Scope inner(2);
      if (each(50))
        break;
      if (each(90))
        return 7;
      total += each(4);
      if (each(5))
        continue;
    }
    total += each(6);
  }
  for (int i = 0; i < 5; i++) {
    std::unique_ptr<int> owned(new int(i));
    if (total % 4 == 0) {
      if (each(3))
        return 1;
    } else if (total % 4 == 1) {
      continue;
    } else if (each(2)) {
      goto out;
    }
    std::string text(20, 'x');
    if (text.size() > 30)
      continue;
    total++;
  }
out:
  return total;
}
int main() {
  int all = 0;
  for (int i = 0; i < 300; i++)
    all += f(30);
  std::printf(\"%d %d\\n\", all, Scope::sum);
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
    let project = Project::new(&[("my.c", C), ("my.cpp", CXX), ("my.rs", RUST)]);
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
    let project = Project::new(&[("my.rs", RUST)]);
    // Only the llvm-profdata of rustc's LLVM can read the profile.
    let version = rustc_llvm().to_string();
    if !versions(&project).contains(&version) {
        return skip_rust();
    }
    measure(&project, &version, "my.rs", "-Cprofile-generate=.");
    assert!(check_counts(&project, &version, "my.rs", false) >= 2);
    let steps = branches(&project, &version, "my.rs");
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
    let project = Project::new(&[("my.cpp", text)]);
    let version = newest_version(&project);
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

const LOOPS: &str = "\
static int calls;
static int is_odd(int n) { calls++; return n & 1; }
int main(int argc, char **argv) {
  int sum = 0, n = 0, last = 100;
  while (n < 300 && (n < 3 || n != 286) && !(argc > 9)) sum += n++;
  do { last -= 3; } while (last > 0 || (sum < 400 && is_odd(sum)));
  for (int k = 0; (k < 50 && (k % 9 || argc > 1 || k == 0)) || k == 9; ++k) sum += k;
  for (; is_odd(sum) || is_odd(last) || calls < 40; ++sum) last = sum / 3;
  int is_large = sum > 100;
  while (0 || last > 3) last /= 2;
  for (; !(is_odd(sum) && n > 290) && n > 0; n--) sum += n;
  while (is_large && sum && calls--) sum /= 2;
  return sum + is_large > 100000;
}
";

/// clang computes the value of a condition with `&&` or `||` before it branches. The branches must be those of the
/// operands.
#[test]
fn operands_of_loop_conditions_have_the_counts_of_llvm_cov() {
    let project = Project::new(&[("loops.c", LOOPS)]);
    for version in versions(&project) {
        measure_with(&project, &version, "loops.c", &["-fprofile-instr-generate", "-fcoverage-mapping"]);
        // The constant 0 is a condition of one character. There is no branch on a constant.
        let of_cov = conditions(&project, &version, "loops.c").into_iter();
        let of_cov = of_cov.filter(|one| one.end.1 > one.start.1 + 1).map(|one| sorted(one.outcomes.into()));
        let mut of_cov: Vec<_> = of_cov.filter(|outcomes| outcomes[1] > 0).collect();
        let mut printed: Vec<_> =
            branches(&project, &version, "loops.c").iter().map(|one| sorted(edges(one))).collect();
        of_cov.sort_unstable();
        printed.sort_unstable();
        assert_eq!(printed, of_cov, "LLVM {version}");
    }
}

/// After the call of a failed assertion, clang leaves a block without a name.
const ASSERTIONS: &str = "\
#include <cassert>
#include <cstdio>
[[gnu::noinline]] static int checked(int a, int b) {
  assert(a < 1000 && b >= 0);
  assert(!(a == 7 && b == 9) || a > b);
  assert(a != 5 && (b < 3 || a % 2 == 0 ? b < 9 : a));
  while (a % 5 && b++ < 3)
    assert(b && a);
  return a > b ? a - b : b;
}
int main() {
  int sum = 0;
  for (int i = 10; i < 110; i++)
    sum += checked(i, i % 4);
  std::printf(\"%d\\n\", sum);
}
";

#[test]
fn assertions_with_conditions_have_counts() {
    let project = Project::new(&[("assertions.cpp", ASSERTIONS)]);
    for version in versions(&project) {
        measure(&project, &version, "assertions.cpp", "-fprofile-instr-generate");
        let branches = branches(&project, &version, "assertions.cpp");
        let at = |line: u64| {
            let on_line = branches.iter().filter(|branch| branch["place"]["line"] == line);
            let mut counts: Vec<Vec<u64>> = on_line.map(|branch| sorted(edges(branch))).collect();
            counts.sort_unstable();
            counts
        };
        assert_eq!(at(4), [[0, 100], [0, 100]], "LLVM {version}");
        // `a == 7` is false, so `b == 9` and `a > b` are not evaluated.
        assert_eq!(at(5), [[0, 100]], "LLVM {version}");
        // With b = 0, 1 and 2, the loop runs 3, 2 and 1 times for 20 of the values of a that are no multiple of 5.
        assert_eq!(at(7), [[20, 200], [80, 120]], "LLVM {version}");
        assert_eq!(at(9), [[0, 100]], "LLVM {version}");
        for arguments in
            [&["hints"] as &[_], &["report", "-o", "page.html"], &["explain"], &["diff", "--measured"]]
        {
            let options = ["--llvm", &version, "--profile", "my.profdata", "assertions.cpp"];
            project.stdout(&[arguments, &options].concat());
        }
    }
}

/// `llvm-cov` computes the counts of each condition from the counters and clang's coverage mapping, without IR. The
/// branch on a condition must have the two counts that `llvm-cov` prints. The number of executions is the sum of these
/// counts, even if every counter is smaller than the sum.
#[test]
fn conditions_have_the_counts_of_llvm_cov() {
    let sources = [("my.c", C), ("my.cpp", CXX), ("cleanups.cpp", CLEANUPS)];
    let project = Project::new(&sources);
    for version in versions(&project) {
        for (file, least) in [("my.c", 21), ("my.cpp", 10), ("cleanups.cpp", 12)] {
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

/// A third of the calls of `thrower` throw an exception, so the branch after such a call runs less often than its function.
const EXCEPTIONS: &str = "\
#include <cstdio>
static int calls = 0, others = 0;
[[gnu::noinline]] static void thrower() {
  if (++calls % 3 == 0)
    throw 1;
}
[[gnu::noinline]] static void after(int n) {
  if (n % 5 == 0)
    others++;
  thrower();
  if (n % 2 == 0)
    others++;
}
[[gnu::noinline]] static void without(int n) {
  std::puts(\"\");
  if (n % 4 == 0)
    others++;
}
int main() {
  for (int i = 0; i < 60; i++) {
    without(i);
    try {
      after(i);
    } catch (int) {
      others--;
    }
  }
}
";

#[test]
fn counts_that_depend_on_exceptions_are_unknown() {
    let project = Project::new(&[("exceptions.cpp", EXCEPTIONS)]);
    for version in versions(&project) {
        measure(&project, &version, "exceptions.cpp", "-fprofile-instr-generate");
        let branches = branches(&project, &version, "exceptions.cpp");
        let at = |line: u64| {
            let on_line = branches.iter().find(|branch| branch["place"]["line"] == line)?;
            Some(sorted(edges(on_line)))
        };
        let known = [at(4), at(8), at(11), at(16)];
        let expected = [Some(vec![20, 40]), Some(vec![12, 48]), None, Some(vec![15, 45])];
        assert_eq!(known, expected, "LLVM {version}");
    }
}

/// The initialisation of a static variable has no counter. The counts after it are known, but not the counts of its own
/// branch.
#[test]
fn branches_without_a_counter_have_no_data() {
    let project = Project::new(&[("my.cpp", CXX)]);
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
    let project = Project::new(&[("my.c", C)]);
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
