//! Tests `bpa explain` on real files.

use crate::support::Project;

/// A program with a global variable that is initialised at startup. The initialisation function has no source line.
const HELLO: &str = "#include <iostream>
#include <string>
std::string name = \"you\";
int main(int argc, char **argv) {
  if (argc == 3)
    name = argv[1];
  std::cout << \"Hello, \" << name << '\\n';
}
";

#[test]
fn initialisation_functions_without_a_line_are_no_error() {
    let project = Project::new(&[("hello.cpp", HELLO)]);
    let text = project.stdout(&["explain", "hello.cpp"]);
    assert!(text.contains("if (argc == 3)"), "{text}");
    project.stdout(&["report", "hello.cpp", "-o", "hello.html"]);
}

const BRANCHES: &str = "namespace ns { [[gnu::cold]] void grow(int); void use(int); }
void f(int *p, int n) {
  if (!p)
    ns::grow(1);
  if (n == 0)
    ns::use(1);
  for (int i = 0; i < n; i++)
    ns::use(i);
  switch (n) {
  case 1: ns::use(10); break;
  case 20: ns::use(11); break;
  case 300: ns::use(12); break;
  }
}
";

#[test]
fn reasons_are_in_words_of_the_source() {
    let project = Project::new(&[("a.cpp", BRANCHES)]);
    let text = project.stdout(&["explain", "a.cpp"]);
    for part in [
        "why: line 4 is cold: it calls ns::grow(), which has the attribute cold\n",
        "why: `n == 0`: numbers are rarely 0 (constant rule)\n",
        "out of the loop",
        "leaves the loop of line",
        "why: no rule applies to a switch\n",
    ] {
        assert!(text.contains(part), "missing {part:?} in\n{text}");
    }
    for part in ["icmp", "%if", "@_ZN", "Other rules"] {
        assert!(!text.contains(part), "unexpected {part:?} in\n{text}");
    }
    // The destinations of a switch are listed. Destinations at one line are listed together.
    for part in [
        "branch: 4 destinations, 50% to line 14 (2 destinations)\n",
        "= 50%: to line 14 (2 destinations)\n",
        "= 25%: to line 11\n",
        "= 25%: to line 12\n",
    ] {
        assert_eq!(text.matches(part).count(), 1, "{part} in\n{text}");
    }
    let verbose = project.stdout(&["explain", "-v", "a.cpp"]);
    for part in ["taken if icmp eq %n, 0 holds; numbers are rarely 0.", "Other rules: no metadata;"] {
        assert!(verbose.contains(part), "missing {part:?} in\n{verbose}");
    }
}

const MERGED: &str = "int one(int), two(int);
int chain(int x) {
  if (x == 3) return one(9);
  if (x == 5) return two(4);
  if (x == 9) return one(7);
  return 0;
}
int only(int x) {
  switch (x) { case 3: return one(9); case 5: return two(4); case 9: return one(7); }
  return 0;
}
";

#[test]
fn a_condition_that_is_merged_with_a_switch_has_a_note() {
    let project = Project::new(&[("merged.c", MERGED)]);
    let merged = |function: &str| {
        let text = project.stdout(&["explain", "-f", function, "merged.c"]);
        assert!(text.contains(" destinations, "), "{text}");
        text.matches("the compiler merged this condition with other tests of the same value").count()
    };
    assert_eq!([merged("chain"), merged("only")], [1, 0]);
    let json = |function: &str| {
        let text = project.stdout(&["explain", "--json", "-f", function, "merged.c"]);
        text.lines().filter(|line| line.contains("\"merged\":true")).count()
    };
    assert_eq!([json("chain"), json("only")], [1, 0]);
    let sarif = project.stdout(&["explain", "--sarif", "merged.c"]);
    assert_eq!(sarif.matches("merged this condition").count(), 1, "{sarif}");
}

/// The destination of the first branch begins with inlined code.
#[test]
fn the_line_of_a_successor_is_the_line_in_its_description() {
    let text = "int other(int *);\nstatic inline int grow(int *p) {\n  return other(p) * 3;\n}\n\
                int f(int *p, int n) {\n  if (n > 3)\n    return grow(p);\n  if (n > 1 && p)\n    other(p);\n  \
                return n;\n}\n";
    let project = Project::new(&[("my.c", text)]);
    let rows = project.stdout(&["explain", "--json", "my.c"]);
    let successors = rows.lines().flat_map(|row| {
        let row: serde_json::Value = serde_json::from_str(row).expect("JSON");
        row["successors"].as_array().expect("an array").clone()
    });
    let successors: Vec<serde_json::Value> = successors.collect();
    assert!(successors.iter().any(|one| one["line"] == 7), "{rows}");
    for one in successors {
        let place = format!("line {}", one["line"]);
        assert!(one["place"].as_str().expect("a text").starts_with(&place), "{one}");
    }
}

/// clang computes `k` in the body of the `if`, but at the position of the range.
const BINDINGS: &str = "#include <map>
int use(int);
void f(std::map<int, int> &m) {
  for (auto &[k, v] : m)
    if (v > 1)
      use(k);
  for (auto &[k, v] : m) if (v > 2) use(k);
  for (auto &[k, v] : m)
    if (v > 3) use(k); else use(v);
}
";

#[test]
fn two_destinations_have_different_texts() {
    let project = Project::new(&[("a.cpp", BINDINGS)]);
    let text = project.stdout(&["explain", "a.cpp", "--", "-std=c++17"]);
    let branches: Vec<&str> = text.lines().filter(|line| line.starts_with("branch: ")).collect();
    let destinations = |line: &&str| {
        let (one, other) = line.split_once("% to ")?.1.split_once(", ")?;
        Some((one.to_string(), other.split_once("% to ")?.1.to_string()))
    };
    let pairs: Vec<(String, String)> = branches.iter().filter_map(destinations).collect();
    assert!(branches.len() > 5 && pairs.iter().all(|(one, other)| one != other), "{text}");
    // clang 14 gives the code of both blocks a position in the range.
    let expected = [["line 6", "line 4"], ["line 4:15", "line 4:21"]];
    assert!(pairs.iter().any(|(one, other)| expected.contains(&[one.as_str(), other.as_str()])), "{text}");
}
