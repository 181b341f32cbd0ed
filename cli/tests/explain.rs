//! `bpa explain` on real files.

mod support;

use support::Project;

/// A program with a global that is initialised when it starts: the function that does that has no line.
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
fn a_global_with_a_constructor_is_no_error() {
    let Some(project) = Project::new(&[("hello.cpp", HELLO)]) else { return };
    let text = project.stdout(&["explain", "hello.cpp"]);
    assert!(text.contains("if (argc == 3)"), "{text}");
    project.stdout(&["report", "hello.cpp", "-o", "hello.html"]);
}
