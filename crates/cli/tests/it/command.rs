//! Tests the output and the error messages of each subcommand, on small files of each kind.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::support::{texts, Project};
use bpa_schema::LLVM_VERSIONS;
use bpa_schema::PREDICTORS;

/// A C program with several kinds of conditions. In debug information, the position of each branch is the position of
/// an operator or a name in its condition.
const SMALL: &str = "int one(int), two(int);
struct list { struct list *next; int value; };
int find(struct list *list, int most) {
  for (; list; list = list->next)
    if (list->value == most)
      return one(most);
  return 0;
}
__attribute__((noinline)) int apart(int a) {
  if (a == 0)
    return one(a);
  return two(a);
}
static inline int inside(int a) {
  if (a < 0)
    return two(a);
  return one(a);
}
int outside(int a) { return inside(a + 1); }
";

const CXX: &str = "template <typename T> struct Stack {
  T items[8]; int size;
  bool push(T item) {
    if (size == 8) // full
      return false;
    items[size++] = item;
    return true;
  }
};
namespace ns {
int fill(Stack<int> &ints, Stack<char *> &texts, char *text) {
  return ints.push(1) + texts.push(text);
}
}
";

const RUST: &str = "#[no_mangle]
pub fn sum(items: &[i32]) -> i32 {
    let mut sum = 0;
    for item in items {
        if *item == -1 {
            return sum;
        }
        sum ^= item;
    }
    sum
}
";

const IR: &str = "define void @f(i32 %x) {
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %a, label %b
a:
  br label %b
b:
  ret void
}
";

/// Asserts that `text` contains all of `parts`.
#[track_caller]
fn expect(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
}

/// Asserts that the command fails and prints all of `parts`.
#[track_caller]
fn expect_error(project: &Project, arguments: &[&str], parts: &[&str]) {
    let (status, _, err) = project.run(arguments);
    assert_eq!(status, Some(2), "{err}");
    expect(&err, parts);
}

#[test]
fn branches_of_c_are_explained_at_their_lines() {
    let project = Project::new(&[("small.c", SMALL)]);
    let text = project.stdout(&["explain", "small.c"]);
    expect(
        &text,
        &["branch: 37.5% to line 11, 62.5% to line 12", " --> small.c:10:7", "10 |   if (a == 0)\n"],
    );
    expect(&text, &["|       ^^^^^^", "inlined at small.c:19:29"]);
    let apart = project.stdout(&["explain", "-v", "-f", "apart", "small.c"]);
    expect(&apart, &["no metadata", "1 branch\n"]);
}

#[test]
fn the_whole_condition_is_underlined() {
    let project = Project::new(&[("small.c", SMALL)]);
    let text = project.stdout(&["explain", "small.c", "--", "-O1"]);
    let lines: Vec<&str> = text.lines().collect();
    let marked = |pair: &[&str]| {
        let start = pair[1].find('^')?;
        let end = pair[1].rfind('^')?;
        pair[0].get(start..=end).map(str::to_string)
    };
    let marks: Vec<String> = lines.windows(2).filter_map(marked).collect();
    for condition in ["a == 0", "list->value == most", "a < 0"] {
        assert!(marks.iter().any(|mark| mark == condition), "{condition} is not among {marks:?}");
    }
}

const OPERATORS: &str = "int one(int), two(int), g(void);
int both(int a, int b) { return (a || b) && g(); }
int three(int a, int b, int c) { int r = a && b && c; return r ? one(a) : two(b); }
#define MORE(x, y) do { if (x > y) one(x); if (y > 3) two(y); } while (0)
void macro(int a, int b) { MORE(a, b); }
";

#[test]
fn conditions_of_several_parts_and_macros_are_distinguished() {
    let project = Project::new(&[("operators.c", OPERATORS)]);
    let text = project.stdout(&["explain", "operators.c"]);
    expect(&text, &["`a || b`", "`a && b && c`", "branch 1 of 2 of this expression", "branch 2 of 2"]);
    for part in text.lines().filter(|line| line.starts_with("branch:")).flat_map(str::split_whitespace) {
        assert!(!part.starts_with('%'), "a name of the IR: {text}");
    }
}

#[test]
fn destinations_at_the_same_position_are_distinguished() {
    let text = "int one(int);\n#define CHOOSE(x) if (x > 3) one(1); else one(2)\nvoid choose(int a) { CHOOSE(a); }\n";
    let project = Project::new(&[("choose.c", text)]);
    let text = project.stdout(&["explain", "choose.c", "--", "-O0"]);
    expect(&text, &["(block if.then)", "(block if.else)"]);
}

#[test]
fn instances_of_a_template_are_one_branch() {
    let project = Project::new(&[("stack.cpp", CXX)]);
    let text = project.stdout(&["explain", "stack.cpp"]);
    expect(
        &text,
        &["4 |     if (size == 8) // full", "inlined at stack.cpp:12:", "and 1 other copy", "1 branch\n"],
    );
    expect(&project.stdout(&["explain", "-f", "ns::fill", "stack.cpp"]), &["in ns::fill("]);
}

#[test]
fn ir_is_not_compiled() {
    let project = Project::new(&[("f.ll", IR)]);
    expect(
        &project.stdout(&["explain", "f.ll"]),
        &["37.5% to %a, 62.5% to %b", "in f", "-gline-tables-only"],
    );
    let printed = project.stdout(&["explain", "--ir", "f.ll"]);
    expect(&printed, &["---- Branch Probabilities ----", "constant, 12 of 32"]);
    let printed = project.stdout(&["explain", "--ir", "--frequencies", "f.ll"]);
    expect(&printed, &["block-frequency-info: f", "0.375 from"]);
    expect_error(&project, &["explain", "-f", "g", "f.ll"], &["no branch in a function named g"]);
}

#[test]
fn rust_is_explained_if_llvm_can_read_its_bitcode() {
    let project = Project::new(&[("sum.rs", RUST)]);
    if project.reads_rust() {
        expect(&project.stdout(&["explain", "sum.rs"]), &["sum.rs:5", "if *item == -1 {"]);
    } else {
        expect_error(&project, &["explain", "sum.rs"], &["rustc is built on LLVM", "--llvm"]);
    }
}

#[test]
fn an_error_of_rustc_has_a_position() {
    let bad = "fn main() {\n    let _: i32 = \"a\";\n}\n";
    let Some(project) = Project::of_rust(&[("bad.rs", bad)]) else { return };
    expect_error(
        &project,
        &["explain", "bad.rs"],
        &["cannot compile bad.rs: bad.rs:2:18: error[E0308]: mis"],
    );
}

/// rustc before version 1.73 is built on LLVM 16 or earlier.
#[test]
fn an_old_rustc_is_an_error() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::new(&[("sum.rs", RUST), ("rustc", "#!/bin/sh\necho LLVM version: 16.0.5\n")]);
    let rustc = project.file("rustc");
    std::fs::set_permissions(&rustc, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    let run = |arguments| texts(project.command(arguments).env("RUSTC", &rustc).output().expect("bpa runs"));
    let (status, _, err) = run(&["explain", "sum.rs"]);
    assert_eq!(status, Some(2), "{err}");
    expect(&err, &["rustc is built on LLVM 16, and bpa needs a rustc on LLVM 17", "Rust 1.73"]);
    expect(&run(&["doctor"]).1, &["on LLVM 16: Rust cannot be analysed"]);
}

#[test]
fn predictions_are_compared() {
    let project = Project::new(&[("f.ll", IR), ("small.c", SMALL)]);
    let text = project.stdout(&["diff", "--against", "14", "f.ll"]);
    expect(&text, &["0 of 1 branches differ between LLVM"]);
    let text = project.stdout(&["diff", "--against-predictor", "bpa", "small.c"]);
    expect(&text, &["small.c:10:7", "predictor bpa", "branches differ"]);
    expect_error(
        &project,
        &["diff", "--against", "13", "f.ll"],
        &[&format!("13 is not in {LLVM_VERSIONS:?}")],
    );
}

#[test]
fn a_column_selects_branches() {
    let text = "int one(int);
static inline int inside(int x) { return x > 9 ? one(x) : x; }
int two(int a, int b) {
  if (a == 3) one(a); if (b > 4) one(b);
  if (a == 5 &&
      one(b)) return 1;
  return inside(a) + one(inside(b));
}
";
    let project = Project::new(&[("a.c", text)]);
    let positions = |spot: &str| -> (Vec<String>, String) {
        let (status, out, err) = project.run(&["explain", spot]);
        assert_eq!(status, Some(0), "{spot}: {out}{err}");
        (
            out.lines().filter_map(|line| Some(line.trim().strip_prefix("--> a.c:")?.to_string())).collect(),
            err,
        )
    };
    let note = |spot: &str, line: &str| {
        format!("no branch is at {spot}; all branches at {line} are selected instead\n")
    };
    // The printed column, the column of the operator, and another column in the condition.
    for spot in ["a.c:4:7", "a.c:4:9", "a.c:4:12"] {
        let (found, err) = positions(spot);
        assert!(found == ["4:7"] && !err.contains("no branch"), "{spot}: {found:?} {err}");
    }
    assert_eq!(positions("a.c:4:27").0, ["4:27"]);
    let (found, err) = positions("a.c:4:3");
    assert!(found.len() == 2 && err.contains(&note("a.c:4:3", "a.c:4")), "{found:?} {err}");
    assert_eq!(positions("a.c:5:10").0, ["5:7"]);
    assert_eq!(positions("a.c:6:7").0, ["6:7"]);
    let (found, err) = positions("a.c:5:20");
    assert!(found == ["5:7"] && err.contains(&note("a.c:5:20", "a.c:5")), "{found:?} {err}");
    // The position of an inlined call selects the branches in the called function.
    let out = project.stdout(&["explain", "a.c:7:26"]);
    assert!(out.contains("inlined at a.c:7:26") && !out.contains("other cop"), "{out}");
    expect(&project.stdout(&["explain", "a.c:7"]), &["1 other copy"]);
    expect_error(&project, &["explain", "a.c:3:5"], &["no branch at a.c:3:5\n"]);
}

#[test]
fn errors_have_advice() {
    let files = [
        ("f.ll", IR),
        ("notes.txt", ""),
        ("wrong.c", "int f( {"),
        ("wrong.ll", "define"),
        ("bad.json", "{}"),
        ("quote.json", r#"[{"directory": ".", "file": "a.c", "command": "cc -DX='a -c a.c"}]"#),
    ];
    let project = Project::new(&files);
    let errors: [(&[&str], &[&str]); 14] = [
        (&["explain", "gone.c"], &["cannot read gone.c"]),
        (&["explain", "notes.txt"], &["no known file name extension"]),
        (&["explain", "wrong.c"], &["cannot compile wrong.c", "error: expected", "after two dashes"]),
        (&["explain", "--predictor", "no-such", "f.ll"], &["unknown predictor 'no-such'", "llvm, bpa"]),
        (&["score", "--against-predictor", "no-such", "f.ll"], &["unknown predictor 'no-such'"]),
        (&["explain", "wrong.ll"], &["opt of LLVM"]),
        (&["explain", "bad.json"], &["bad.json is not a compilation database"]),
        (&["explain", "quote.json"], &["quote.json: the command for a.c has an unclosed quote"]),
        (&["explain", "--limit", "0", "f.ll"], &["--limit", "must be a whole number of at least 1"]),
        (&["explain", "--frequencies", "f.ll"], &["--ir"]),
        (&["explain", "--frequencies", "--json", "f.ll"], &["'--frequencies' cannot be used with '--json'"]),
        (&["explain", "--frequencies", "--limit", "1", "f.ll"], &["'--frequencies' cannot be used with"]),
        (&["explain"], &["no file was given", "compile_commands.json"]),
        // The file is not compiled.
        (&["explain", "--ir", "wrong.c:1"], &["--ir prints whole functions", "it cannot select wrong.c:1"]),
    ];
    for (arguments, parts) in errors {
        expect_error(&project, arguments, parts);
    }
}

#[test]
fn the_option_color_is_respected() {
    let project = Project::new(&[("small.c", SMALL), ("wrong.c", "int f( {")]);
    let coloured = project.stdout(&["explain", "small.c", "--color=always"]);
    assert!(coloured.contains("\u{1b}["));
    assert!(!project.stdout(&["explain", "small.c"]).contains("\u{1b}["));
    let (_, _, err) = project.run(&["explain", "wrong.c", "--", "-fcolor-diagnostics"]);
    assert!(!err.contains("\u{1b}["), "{err}");
}

#[test]
fn json_and_sarif_are_valid() {
    let project = Project::new(&[("small.c", SMALL)]);
    let lines = project.stdout(&["explain", "small.c", "--json"]);
    let rows: Vec<bpa_schema::SourceBranch> =
        lines.lines().map(|line| serde_json::from_str(line).expect("a branch")).collect();
    let apart = rows.iter().find(|row| row.function == "apart").expect("it has a branch");
    assert_eq!(apart.place.as_ref().map(|place| (place.line, place.column)), Some((10, 9)));
    let sum: f64 = apart.successors.iter().map(|successor| successor.probability).sum();
    assert!((sum - 1.0).abs() < 1e-9);
    let sarif = project.stdout(&["explain", "small.c", "--sarif"]);
    let document: serde_sarif::sarif::Sarif = serde_json::from_str(&sarif).expect("SARIF");
    let results = document.runs[0].results.as_ref().expect("results");
    assert_eq!(results.len(), rows.len());
}

#[test]
fn every_command_prints_json() {
    let project = Project::new(&[("small.c", SMALL)]);
    let value = |arguments: &[&str]| -> serde_json::Value {
        let text = project.stdout(arguments);
        serde_json::from_str(text.lines().next().unwrap_or("null")).expect("JSON")
    };
    let row = value(&["diff", "--against-predictor", "bpa", "small.c", "--json"]);
    let row: bpa_schema::DifferingBranch = serde_json::from_value(row).expect("a branch");
    assert_eq!(row.names[1], "predictor bpa");
    let apart = row.successors.iter().map(|one| (one.one - one.other).abs()).fold(0.0, f64::max);
    assert!(apart > 0.0 && row.weight > 0.0);
    assert_eq!(value(&["report", "small.c", "--json"])["page"], "bpa.html");
    assert_eq!(value(&["doctor", "--json"])["ready"], true);
    assert_eq!(value(&["doctor", "--json"])["format"], value(&["cache", "--json"])["format"]);
    assert!(value(&["cache", "--json"])["kept"]["files"].as_u64().expect("a number") > 0);
}

#[test]
fn doctor_man_and_completions_describe_the_command() {
    let project = Project::new(&[]);
    expect(&project.stdout(&["doctor"]), &["LLVM ", "plugin: ", "rustc"]);
    expect(&project.stdout(&["man"]), &[".TH bpa", ".SH BPA REPORT"]);
    expect(&project.stdout(&["completions", "bash"]), &["_bpa()", "--against", "bpa"]);
    let (_, help, _) = texts(project.command(&["--help"]).output().expect("it runs"));
    expect(&help, &["explain", "doctor", "cache"]);
}

#[test]
fn a_named_plugin_makes_its_version_ready() {
    let project = Project::new(&[]);
    let data: serde_json::Value = serde_json::from_str(&project.stdout(&["doctor", "--json"])).expect("JSON");
    let rows = data["llvm"].as_array().expect("a list");
    let plugin = rows.iter().find_map(|row| row["plugin"]["path"].as_str()).expect("there is a plugin");
    // The copy of the executable finds no plugin, because it is outside of the build directory.
    let copy = project.file("bpa");
    std::fs::copy(env!("CARGO_BIN_EXE_bpa"), &copy).expect("the file is copied");
    let output = std::process::Command::new(&copy).arg("doctor").env("BPA_PLUGIN", plugin).output();
    let output = output.expect("the command runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("ready: "), "{text}");
}

#[test]
fn empty_variables_count_as_unset() {
    let project = Project::new(&[("a.c", SMALL)]);
    let mut command = project.command(&["explain", "a.c"]);
    let (status, out, err) =
        texts(command.env("BPA_LLVM", "").env("BPA_PLUGIN", "").output().expect("the command runs"));
    assert!(status == Some(0) && out.contains("a.c:4"), "{out}{err}");
    expect_error(&project, &["explain", "--llvm", "", "a.c"], &["--llvm"]);
}

#[test]
fn an_error_names_the_variable_with_the_invalid_value() {
    let project = Project::new(&[("a.c", SMALL)]);
    let run = |arguments: &[&str], version: &str| {
        let output = project.command(arguments).env("BPA_LLVM", version).output();
        let (status, _, err) = texts(output.expect("the command runs"));
        assert_eq!(status, Some(2), "{err}");
        err
    };
    expect(&run(&["explain", "a.c"], "abc"), &["invalid value 'abc' for 'BPA_LLVM': invalid digit"]);
    expect(&run(&["explain", "a.c"], "13"), &["invalid value '13' for 'BPA_LLVM': 13 is not in"]);
    expect(&run(&["explain", "--llvm", "x", "a.c"], "abc"), &["invalid value 'x' for '--llvm <N>'"]);
    // The option of a variable is not mandatory, so the usage does not contain it.
    let version = LLVM_VERSIONS.start().to_string();
    for arguments in [&["diff", "a.c"] as &[&str], &["explain", "--json", "--sarif", "a.c"]] {
        let err = run(arguments, &version);
        assert!(err.contains("Usage: bpa") && !err.contains("--llvm"), "{err}");
    }
}

/// Finds all long options (for example `--limit`) in a text.
fn options(text: &str) -> BTreeSet<&str> {
    let ends = |letter: char| !letter.is_ascii_lowercase() && letter != '-';
    text.match_indices("--")
        .filter(|&(start, _)| start == 0 || text[..start].ends_with(['`', ' ']))
        .map(|(start, _)| text[start..].split(ends).next().unwrap_or_default())
        .filter(|option| option.len() > 3 && !option[2..].starts_with('-'))
        .collect()
}

#[test]
fn the_page_has_the_options_of_each_subcommand() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/reference/command.md");
    let page = std::fs::read_to_string(page).expect("the page exists");
    let (_, after) = page.split_once("## Options\n").expect("the page has a list of options");
    let (listed, _) = after.split_once("\n## ").expect("another section follows");
    let mut printed = String::new();
    for subcommand in ["explain", "report", "score", "diff", "hints", "audit", "doctor", "cache"] {
        let help = Command::new(env!("CARGO_BIN_EXE_bpa"))
            .args([subcommand, "--help"])
            .output()
            .expect("the command starts");
        assert!(help.status.success(), "{subcommand} --help");
        // Only lines that begin with an option are used, because help texts mention other options.
        let help = String::from_utf8(help.stdout).expect("the help is UTF-8");
        printed.extend(
            help.lines().filter(|line| line.trim_start().starts_with('-')).map(|line| format!("{line}\n")),
        );
    }
    assert_eq!(options(listed), options(&printed), "left: the page, right: --help");
}

#[test]
fn the_guide_lists_every_predictor() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/guide/predictors.md");
    let page = std::fs::read_to_string(page).expect("the page exists");
    let names = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    assert_eq!(names.map(|(name, _)| name).collect::<Vec<_>>(), PREDICTORS);
}
