//! Programs with counters, and their profiles.

use std::path::PathBuf;
use std::process::Command;

use bpa_schema::LLVM_VERSIONS;
use serde_json::Value;

use super::Project;

/// A program with loops, a switch, short-circuit operators and a function that never runs.
pub const C: &str = "\
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

pub fn tool(version: &str, name: &str) -> PathBuf {
    format!("/usr/lib/llvm-{version}/bin/{name}").into()
}

/// The LLVM versions with a plugin, clang and llvm-profdata, oldest first. If `BPA_LLVM` is set, only this version.
pub fn versions(project: &Project) -> Vec<String> {
    project.write("probe.c", "int probe(int x) { return x ? 1 : 2; }\n");
    let chosen = std::env::var("BPA_LLVM").ok();
    let works = |version: &String| {
        chosen.as_ref().is_none_or(|chosen| chosen == version)
            && tool(version, "llvm-profdata").exists()
            && project.bpa(&["explain", "--llvm", version, "probe.c"]).status.success()
    };
    let versions: Vec<String> = LLVM_VERSIONS.map(|version| version.to_string()).filter(works).collect();
    assert!(!versions.is_empty(), "no LLVM version has a plugin, clang and llvm-profdata");
    versions
}

pub fn newest_version(project: &Project) -> String {
    versions(project).pop().expect("there is a version")
}

pub fn run(project: &Project, command: &mut Command) -> String {
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
pub fn measure_with(project: &Project, version: &str, file: &str, instrumentation: &[&str]) {
    let mut compiler = match file {
        "my.rs" => Command::new("rustc"),
        file if file.ends_with(".cpp") => Command::new(tool(version, "clang++")),
        _ => Command::new(tool(version, "clang")),
    };
    let level = if file == "my.rs" { "-O" } else { "-O2" };
    run(project, compiler.arg(level).args(instrumentation).args([file, "-o", "program"]));
    run(project, Command::new("./program").env("LLVM_PROFILE_FILE", "my.profraw"));
    let merge = ["merge", "my.profraw", "-o", "my.profdata"];
    run(project, Command::new(tool(version, "llvm-profdata")).args(merge));
}

pub fn number(value: &Value) -> u64 {
    value.as_str().expect("digits").parse().expect("a number")
}
