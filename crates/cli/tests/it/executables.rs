//! Tests the estimates of whole executables in `bpa report`.

use std::collections::HashMap;

use serde_json::Value;

use crate::support::profile::{measure, versions};
use crate::support::Project;

/// The functions of a page.
struct Page {
    functions: Vec<Value>,
    files: Vec<String>,
    /// The text on standard error.
    notes: String,
}

impl Page {
    /// Runs `bpa report` on `files`.
    fn of(project: &Project, files: &[&str]) -> Page {
        Page::with(project, &[files, &["--", "-O1"]].concat())
    }

    /// Runs `bpa report` with `arguments`.
    fn with(project: &Project, arguments: &[&str]) -> Page {
        let (status, page, notes) = project.run(&[&["report", "-o", "-"], arguments].concat());
        assert_eq!(status, Some(0), "{notes}");
        let (_, data) = page.split_once("type=\"application/json\">").expect("the page contains data");
        let index: Value = serde_json::from_str(data.lines().next().expect("an index")).expect("JSON");
        let files = serde_json::from_value(index["files"].clone()).expect("a list of names");
        Page { functions: index["functions"].as_array().expect("a list").clone(), files, notes }
    }

    /// The estimated calls of the function `name` in `file`.
    fn calls(&self, name: &str, file: &str) -> f64 {
        self.number("calls", name, file)
    }

    fn number(&self, field: &str, name: &str, file: &str) -> f64 {
        self.row(name, file)[field].as_f64().expect("a number")
    }

    fn row(&self, name: &str, file: &str) -> &Value {
        let is_wanted = |one: &&Value| {
            let signature = one["name"].as_str().expect("a name");
            signature.split('(').next() == Some(name)
                && self.files[one["file"].as_u64().expect("a file") as usize].ends_with(file)
        };
        let found: Vec<&Value> = self.functions.iter().filter(is_wanted).collect();
        assert_eq!(found.len(), 1, "{name} in {file}: {:?}", self.functions);
        found[0]
    }
}

/// A program that calls `work` in a loop.
const APP: &str = "int work(int);\nint main(int argc, char **argv) {\n  int sum = 0;\n  \
    for (int i = 0; i < argc * 100; i++)\n    sum += work(i);\n  return sum;\n}\n";
/// A program that calls `work` once.
const TOOL: &str = "int work(int);\nint main(int argc, char **argv) { return work(argc); }\n";
const LIBRARY: &str =
    "int helper(int);\nint work(int n) { return helper(n) + 1; }\nint unused(int n) { return n * 3; }\n";
const HELPER: &str = "int helper(int n) { return n & 7; }\n";

/// Only another module calls the function `hot` of the module with `main`.
#[test]
fn explain_ranks_branches_by_the_calls_in_the_executable() {
    let main = "void run(int);\nvolatile int port;\nint hot(int n) {\n  if (n % 10 == 3)\n    port = 1;\n  \
                return n;\n}\nint main(int argc, char **argv) {\n  run(argc);\n  if (argc == 77)\n    \
                port = 2;\n  return 0;\n}\n";
    let other = "int hot(int);\nint sum;\nvoid run(int n) {\n  for (int i = 0; i < n * 9; i++)\n    \
                 sum += hot(i);\n}\n";
    let project = Project::new(&[("main.c", main), ("other.c", other)]);
    let (status, out, notes) = project.run(&["explain", "main.c", "other.c", "--json", "--", "-O1"]);
    assert_eq!(status, Some(0), "{notes}");
    let lines = out.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let order: Vec<String> =
        lines.map(|branch| branch["function"].as_str().expect("a name").into()).collect();
    let place = |name: &str| order.iter().position(|one| one == name).expect("the function has a branch");
    assert!(place("hot") < place("main"), "{order:?}");
}

#[test]
fn executables_that_share_a_library_are_added_up() {
    let sources = [("app.c", APP), ("tool.c", TOOL), ("lib.c", LIBRARY), ("helper.c", HELPER)];
    let project = Project::new(&sources);
    let app = Page::of(&project, &["app.c", "lib.c", "helper.c"]);
    let tool = Page::of(&project, &["tool.c", "lib.c", "helper.c"]);
    let both = Page::of(&project, &["helper.c", "app.c", "lib.c", "tool.c"]);
    let calls = [&app, &tool, &both].map(|page| page.calls("helper", "helper.c"));
    assert!(calls[0] > 2.0 && calls[1] == 1.0, "{calls:?}");
    assert!((calls[0] + calls[1] - calls[2]).abs() < 0.001, "{calls:?}");
    assert_eq!([both.calls("main", "app.c"), both.calls("main", "tool.c")], [1.0, 1.0]);
    // Each executable has half of the time, although only one has a loop.
    let shares = [&app, &tool, &both].map(|page| page.number("share", "helper", "helper.c"));
    assert!(((shares[0] + shares[1]) / 2.0 - shares[2]).abs() < 0.001, "{shares:?}");
    let main = tool.number("share", "main", "tool.c");
    assert!((both.number("share", "main", "tool.c") - main / 2.0).abs() < 0.001, "{main}");
    // No executable calls the function.
    assert_eq!(both.calls("unused", "lib.c"), 0.0);
    assert!(
        app.notes.contains("calls and times are estimated for the executable of app.c\n"),
        "{}",
        app.notes
    );
    let note = "one run of each of 2 executables (app.c, tool.c), and all executables have equal times\n";
    assert!(both.notes.contains(note), "{}", both.notes);
}

#[test]
fn an_executable_that_is_compiled_twice_counts_once() {
    let sources = [("app.c", APP), ("lib.c", LIBRARY), ("helper.c", HELPER)];
    let project = Project::new(&sources);
    let once = sources.map(|(name, _)| (name, "-O1"));
    let again = sources.map(|(name, _)| (name, "-O1 -fPIC"));
    let [one, two] = [&once[..], &[once, again].concat()].map(|entries| {
        project.write_database(entries);
        Page::with(&project, &["-p", "build"])
    });
    assert_eq!(one.calls("helper", "helper.c"), two.calls("helper", "helper.c"), "{}", two.notes);
    assert_eq!(one.calls("main", "app.c"), two.calls("main", "app.c"));
    assert!(two.notes.contains("estimated for the executable of app.c"), "{}", two.notes);
}

#[test]
fn local_functions_with_equal_names_stay_separate() {
    let local = "__attribute__((noinline)) static int step(int n) { __asm__(\"\"); return n + 1; }\n";
    let sum = "  int sum = 0;\n  for (int i = 0; i < n; i++)\n    sum += step(i);\n  return sum;\n";
    let often = format!("{local}int often(int n) {{\n{sum}}}\n");
    let once = format!("{local}int once(int n) {{ return step(n); }}\n");
    let main =
        "int often(int), once(int);\nint main(int argc, char **argv) { return often(argc) + once(argc); }\n";
    let project = Project::new(&[("often.c", &often), ("once.c", &once), ("main.c", main)]);
    let page = Page::of(&project, &["often.c", "once.c", "main.c"]);
    assert_eq!(page.calls("step", "once.c"), 1.0);
    assert!(page.calls("step", "often.c") > 2.0, "{:?}", page.functions);
}

#[test]
fn copies_of_inline_and_static_functions_are_one_function() {
    let header = "__attribute__((noinline)) inline int shared(int n) { asm(\"\"); return n + 1; }\n\
        __attribute__((noinline)) static int local(int n) { asm(\"\"); return n + 2; }\n\
        struct Base { int value; __attribute__((noinline)) explicit Base(int); };\n";
    let user = |name: &str| {
        format!("#include \"h.h\"\nint {name}(int n) {{ return shared(n) + local(n) + Base(n).value; }}\n")
    };
    let base = "#include \"h.h\"\nBase::Base(int n) : value(n) {}\n";
    let main = "int a(int), b(int);\nint main(int argc, char **) { return a(argc) + b(argc); }\n";
    let (a, b) = (user("a"), user("b"));
    let sources = [("h.h", header), ("a.cc", &*a), ("b.cc", &*b), ("base.cc", base), ("main.cc", main)];
    let project = Project::new(&sources);
    let page = Page::of(&project, &["a.cc", "b.cc", "base.cc", "main.cc"]);
    assert_eq!([page.calls("shared", "h.h"), page.calls("local", "h.h")], [2.0, 2.0]);
    // The symbol of the constructor that a.cc and b.cc call is an alias.
    assert_eq!(page.calls("Base::Base", "base.cc"), 2.0);
}

#[test]
fn a_callback_is_called_by_the_function_of_another_module() {
    let each = "void each(void (*call)(int), int n) {\n  for (int i = 0; i < n; i++)\n    call(i);\n}\n";
    let main = "void each(void (*)(int), int);\nint sum;\nvoid add(int n) { sum += n; }\n\
        int main(int argc, char **argv) { each(add, argc); return sum; }\n";
    let project = Project::new(&[("each.c", each), ("main.c", main)]);
    let page = Page::of(&project, &["each.c", "main.c"]);
    assert!(page.calls("add", "main.c") > 2.0, "{:?}", page.functions);
    // `pthread_create` and similar functions call functions through pointers that the program does not call.
    let table = "struct table { int (*run)(void); };\nvoid install(const struct table *);\n\
        static int run(void) { return 7; }\nstatic const struct table table = {run};\n\
        int main(void) { install(&table); return 0; }\n";
    project.write("table.c", table);
    assert_eq!(Page::of(&project, &["table.c"]).calls("run", "table.c"), 1.0);
}

#[test]
fn modules_of_no_executable_are_estimated_alone() {
    let project = Project::new(&[("lib.c", LIBRARY), ("helper.c", HELPER), ("tool.c", TOOL)]);
    let page = Page::of(&project, &["lib.c", "helper.c"]);
    assert_eq!([page.calls("work", "lib.c"), page.calls("unused", "lib.c")], [1.0, 1.0]);
    assert_eq!(page.notes.matches("no executable is linked, so each module is estimated alone").count(), 1);
    // The tool does not need this module.
    project.write("other.c", "int other(int n) { return n * 5; }\n");
    let page = Page::of(&project, &["lib.c", "helper.c", "other.c", "tool.c"]);
    assert_eq!([page.calls("unused", "lib.c"), page.calls("other", "other.c")], [0.0, 1.0]);
    assert!(page.notes.contains("1 module in no executable is estimated alone (other.c)"), "{}", page.notes);
    let (_, row, _) = project.run(&["report", "other.c", "lib.c", "helper.c", "tool.c", "--json"]);
    let row: HashMap<String, Value> = serde_json::from_str(&row).expect("JSON");
    assert_eq!(
        [&row["executables"], &row["alone"]].map(Value::to_string),
        [r#"["tool.c"]"#, r#"["other.c"]"#]
    );
}

#[test]
fn an_uncertain_link_is_reported() {
    let twice =
        |name: &str| format!("int {name}(int n) {{ return n; }}\nint twice(int n) {{ return n * 2; }}\n");
    let main = "int one(int), two(int);\nint main(int argc, char **argv) { return one(argc) + two(argc); }\n";
    let (one, two) = (twice("one"), twice("two"));
    let project = Project::new(&[("one.c", &one), ("two.c", &two), ("main.c", main)]);
    let page = Page::of(&project, &["main.c", "one.c", "two.c"]);
    let expected = "note: the executable of main.c is not linked, because one.c and two.c define twice\n";
    assert!(page.notes.contains(expected), "{}", page.notes);
    assert_eq!([page.calls("one", "one.c"), page.calls("two", "two.c")], [1.0, 1.0]);
    // It is not known which definition of the symbol the build links.
    project.write(
        "user.c",
        "int twice(int), same(int);\nint main(int argc, char **argv) { return twice(argc) + same(argc); }\n",
    );
    // Two members need the symbol.
    project.write("same.c", "int twice(int);\nint same(int n) { return twice(n); }\n");
    let page = Page::of(&project, &["user.c", "one.c", "two.c", "same.c"]);
    let expected = "note: the executable of user.c is linked without twice, which one.c, two.c define\n";
    assert!(page.notes.contains(expected), "{}", page.notes);
    assert_eq!([page.calls("twice", "one.c"), page.calls("same", "same.c")], [1.0, 1.0]);
    assert!(
        page.notes.contains("2 modules in no executable are estimated alone (one.c, two.c)"),
        "{}",
        page.notes
    );
}

/// `parse` runs until `step` ends the program after 20 calls. LLVM assumes 4096 iterations for each of its two loops.
/// `wait` has no branch, so the number of its iterations is unknown.
#[test]
fn measured_time_does_not_assume_iterations() {
    let text = "#include <stdlib.h>\n\
                __attribute__((noinline)) long work(long n) {\n  long sum = 0;\n  \
                for (long i = 0; i < n; i++)\n    if (sum & 1) sum += i; else sum ^= i;\n  return sum;\n}\n\
                volatile long sum;\nint left = 20;\n\
                __attribute__((noinline)) void step(void) {\n  sum += work(10000);\n  if (--left == 0) exit(0);\n}\n\
                __attribute__((noinline)) int wait(void) { for (;;) step(); }\n\
                __attribute__((noinline)) int parse(int last) {\n  \
                for (;;) { for (int j = 0;; j++) { if (j < last) return 1; if (left < 10) wait(); step(); } }\n}\n\
                __attribute__((noinline)) int never(int x) { return x + 5; }\n\
                int main(int count, char **words) { return count > 9 ? never(count) : parse(-count); }\n";
    let project = Project::new(&[("my.c", text)]);
    for version in versions(&project) {
        for flag in ["-fprofile-instr-generate", "-fprofile-generate"] {
            measure(&project, &version, "my.c", flag);
            let page =
                Page::with(&project, &["--llvm", &version, "--profile", "my.profdata", "my.c", "--", "-O2"]);
            let share = |name: &str| page.row(name, "my.c")["share"].as_f64();
            assert!(share("work").expect("a share") > 0.99, "{version}, {flag}: {:?}", page.functions);
            assert!(share("parse").expect("a share") < 0.01, "{version}, {flag}: {:?}", page.functions);
            assert_eq!(share("never"), Some(0.0), "{version}, {flag}");
            assert_eq!(share("wait"), None, "{version}, {flag}");
        }
    }
}
