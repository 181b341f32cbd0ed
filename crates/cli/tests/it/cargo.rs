//! Tests `cargo bpa` on a small workspace.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::profile::newest_version;
use crate::support::{skip_rust, Project};

const WORKSPACE: &str = "[workspace]\nmembers = [\"library\", \"tool\"]\nresolver = \"3\"\n";
const LIBRARY: &str = "[package]\nname = \"library\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
const LIBRARY_SOURCE: &str = "\
/// Adds the small numbers.
pub fn sum(numbers: &[i32]) -> i64 {
    let mut total = 0;
    for &number in numbers {
        if number > 5000 {
            total += report(number);
        } else {
            total += i64::from(number);
        }
    }
    total
}

#[inline(never)]
fn report(number: i32) -> i64 {
    eprintln!(\"{number} is large\");
    0
}
";
const TOOL: &str = "[package]
name = \"tool\"
version = \"0.1.0\"
edition = \"2024\"
[features]
limit = []
[dependencies]
library = { path = \"../library\" }
";
const TOOL_BUILD: &str = "fn main() {\n    println!(\"cargo::rustc-env=LIMIT=1000\");\n}\n";
const TOOL_SOURCE: &str = "\
fn main() {
    let limit: i32 = env!(\"LIMIT\").parse().expect(\"a number\");
    let mut numbers: Vec<i32> = (1..limit).collect();
    numbers.extend(std::env::args().skip(1).filter_map(|word| word.parse::<i32>().ok()));
    #[cfg(feature = \"limit\")]
    if numbers.len() > 5000 {
        println!(\"too many\");
    }
    println!(\"{}\", library::sum(&numbers));
}
";

/// A workspace with a library and a program.
fn workspace() -> Option<Project> {
    Project::of_rust(&[
        ("Cargo.toml", WORKSPACE),
        ("library/Cargo.toml", LIBRARY),
        ("library/src/lib.rs", LIBRARY_SOURCE),
        ("tool/Cargo.toml", TOOL),
        ("tool/build.rs", TOOL_BUILD),
        ("tool/src/main.rs", TOOL_SOURCE),
    ])
}

/// Runs `cargo bpa` with `arguments`, without network.
fn cargo_bpa(project: &Project, arguments: &[&str]) -> Output {
    command(project, arguments).output().expect("cargo runs")
}

fn command(project: &Project, arguments: &[&str]) -> Command {
    let binary = Path::new(env!("CARGO_BIN_EXE_cargo-bpa"));
    let mut path: Vec<PathBuf> = vec![binary.parent().expect("the path has a parent folder").into()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let mut command = Command::new("cargo");
    command.arg("bpa").args(arguments).current_dir(project.path());
    command.env("PATH", std::env::join_paths(path).expect("paths")).env("CARGO_NET_OFFLINE", "true");
    // The tests expect the target directory inside the workspace.
    command.env_remove("CARGO_TARGET_DIR");
    command.env("BPA_CACHE_DIR", project.path().join("cache"));
    command
}

/// The standard output and standard error of `cargo bpa`. Panics if the command fails.
fn outputs(project: &Project, arguments: &[&str]) -> (String, String) {
    let output = cargo_bpa(project, arguments);
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(output.status.success(), "cargo bpa {}: {}\n{out}{err}", arguments.join(" "), output.status);
    (out, err)
}

#[test]
fn members_are_analysed_and_nothing_is_built_twice() {
    let Some(project) = workspace() else { return };
    let (out, err) = outputs(&project, &["explain"]);
    assert!(out.contains("library/src/lib.rs:5") && out.contains("library::sum"), "{out}");
    assert!(err.contains("Compiling"), "{err}");
    assert!(!out.contains("build.rs") && !out.contains("main.rs:6"), "{out}");
    let (again, err) = outputs(&project, &["explain"]);
    assert!(!err.contains("Compiling"), "{err}");
    assert_eq!(again, out);
    project.write("tool/src/main.rs", &TOOL_SOURCE.replace("args().skip(1)", "args().skip(2)"));
    assert_eq!(outputs(&project, &["-q", "explain"]).1, "");
    // `cargo bpa` must not use the target directory of `cargo build`.
    assert!(!project.path().join("target/release").exists());
}

/// Cargo compiles the crate again if a variable changes that the crate reads with `env!`. The names of the package and
/// of the variable from the build script are similar to names that bpa treats separately.
#[test]
fn variables_of_the_source_are_used() {
    let manifest = LIBRARY.replace("library", "build_script_utils");
    let build = "fn main() {\n    println!(\"cargo::rustc-env=TOKEN_KINDS=17\");\n}\n";
    let source = "\
pub fn kind(n: usize) -> usize {
    if env!(\"MODE\").len() == 4 && n > env!(\"TOKEN_KINDS\").len() { n / 3 + 17 } else { fall(n) }
}

#[inline(never)]
fn fall(n: usize) -> usize {
    n * n
}
";
    let files = [("Cargo.toml", &*manifest), ("build.rs", build), ("src/lib.rs", source)];
    let Some(project) = Project::of_rust(&files) else { return };
    let explain = |mode: &str| {
        let output = command(&project, &["explain"]).env("MODE", mode).output().expect("cargo runs");
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned())
    };
    for (mode, branches) in [("fast", true), ("slowly", false), ("fast", true)] {
        let [out, err] = explain(mode);
        assert_eq!(
            (out.contains("src/lib.rs:2"), out.contains("no branch")),
            (branches, !branches),
            "{out}{err}"
        );
    }
}

#[test]
fn features_and_packages_are_passed_to_cargo() {
    let Some(project) = workspace() else { return };
    let (out, _) = outputs(&project, &["explain", "--package", "tool", "--features", "tool/limit"]);
    assert!(out.contains("numbers.len() > 5000"), "{out}");
    assert!(!out.contains("library/src"), "{out}");
    let failed = cargo_bpa(&project, &["explain", "--package", "other"]);
    assert_eq!(failed.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&failed.stderr).contains("other"));
    // `main` contains inlined code of the standard library.
    let (main, _) = outputs(&project, &["explain", "-p", "tool", "-F", "limit", "-f", "main"]);
    assert!(main.contains("main.rs:") && !main.contains("--> /rustc"), "{main}");
    let failed = cargo_bpa(&project, &["explain", "-f", "nothing"]);
    assert!(String::from_utf8_lossy(&failed.stderr).contains("`-- -Copt-level=0` turns inlining off"));
    // rustc compiles inline functions with their callers.
    project.write(
        "library/src/lib.rs",
        &LIBRARY_SOURCE.replace("pub fn", "#[inline]\npub fn").replace("inline(never)", "inline"),
    );
    let (out, err) = outputs(&project, &["explain", "-p", "library"]);
    assert!(
        out == "no branch\n" && err.contains("give the source files of the library instead"),
        "{out}{err}"
    );
    assert!(outputs(&project, &["explain", "library/src/lib.rs"]).0.contains("lib.rs:6"));
    // A package without a library and a program.
    project.write("macros/Cargo.toml", "[package]\nname = \"macros\"\n[lib]\nproc-macro = true\n");
    project.write("macros/src/lib.rs", "");
    project.write("Cargo.toml", &WORKSPACE.replace("\"tool\"", "\"tool\", \"macros\""));
    let failed = cargo_bpa(&project, &["explain", "-p", "macros"]);
    let err = String::from_utf8_lossy(&failed.stderr);
    assert!(failed.status.code() == Some(2) && err.contains("no library and no program of macros"), "{err}");
}

#[test]
fn files_cannot_be_selected_in_ir() {
    let Some(project) = workspace() else { return };
    let failed = cargo_bpa(&project, &["explain", "--ir", "library/src/lib.rs"]);
    let text = String::from_utf8_lossy(&failed.stderr);
    assert!(text.contains("it cannot select library/src/lib.rs") && !text.contains("Compiling"), "{text}");
}

#[test]
fn a_directory_with_a_manifest_is_a_project() {
    let Some(project) = workspace() else { return };
    let text = project.stdout(&["explain", "library"]);
    assert!(text.contains("number > 5000") && !text.contains("main.rs"), "{text}");
    project.stdout(&["report", "library/Cargo.toml", "-o", "page.html"]);
}

/// Builds the tool with counters, runs it, and returns the profile. If `is_for_target`, passes `--target` to cargo, as
/// `cargo pgo` does. Only the `llvm-profdata` of rustc's LLVM reads the counters. If this `llvm-profdata` is not
/// installed, skips the test.
fn profile(project: &Project, is_for_target: bool) -> Option<PathBuf> {
    let run = |command: &mut Command| {
        let output = command.current_dir(project.path()).output().expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    let version = run(Command::new("rustc").arg("-vV"));
    let field = |name: &str| version.lines().find_map(|line| line.strip_prefix(name)).expect("it is there");
    let raw = project.path().join("raw");
    let mut build = Command::new("cargo");
    build
        .env_remove("CARGO_TARGET_DIR")
        .args(["build", "--release", "--offline"])
        .env("RUSTFLAGS", format!("-Cprofile-generate={}", raw.display()));
    let mut folder = project.path().join("target");
    if is_for_target {
        build.args(["--target", field("host: ")]);
        folder.push(field("host: "));
    }
    run(&mut build);
    run(Command::new(folder.join("release/tool")).args(["9000", "7"]));
    let version = field("LLVM version: ").split('.').next().expect("a number");
    let profdata = format!("/usr/lib/llvm-{version}/bin/llvm-profdata");
    if !Path::new(&profdata).is_file() {
        assert_ne!(newest_version(project), version, "{profdata} is missing");
        skip_rust();
        return None;
    }
    let merged = project.path().join("tool.profdata");
    run(Command::new(profdata).arg("merge").arg(&raw).arg("-o").arg(&merged));
    Some(merged)
}

#[test]
fn profiles_of_rustc_are_used() {
    for is_for_target in [false, true] {
        let Some(project) = workspace() else { return };
        let Some(profile) = profile(&project, is_for_target) else { return };
        let profile = profile.display().to_string();
        let (out, err) = outputs(&project, &["score", "--profile", &profile]);
        // The program adds up 1,001 numbers. One of them is greater than 5,000.
        assert!(out.contains("library/src/lib.rs:5"), "{out}{err}");
        assert!(out.contains("taken: 1,000 to line 8, 1 to line 6"), "{out}{err}");
        assert!(!err.contains("hash"), "{err}");
        // The hash of a symbol depends on the options of cargo.
        let mut other = command(&project, &["score", "--profile", &profile]);
        let output = other.env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1").output().expect("cargo runs");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(
            err.contains("have another hash in their symbols") && err.contains("CARGO_PROFILE_*"),
            "{err}"
        );
    }
}

#[test]
fn an_audit_has_a_row_per_crate_and_one_table() {
    let Some(project) = workspace() else { return };
    let Some(profile) = profile(&project, false) else { return };
    let profile = profile.display().to_string();
    let (out, err) = outputs(&project, &["audit", "--json", "--profile", &profile]);
    let row = |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("JSON");
    let rows: Vec<_> = out.lines().map(row).collect();
    let modules: Vec<_> = rows.iter().map(|row| row["module"].as_str().expect("a name")).collect();
    assert_eq!(modules, ["library/src/lib.rs", "tool/src/main.rs"], "{err}");
    let executions = |row: &serde_json::Value| row["executions"].as_u64().expect("a number");
    // The program adds up 1,001 numbers.
    assert!(
        executions(&rows[0]) > 2002 && !rows[0]["passes"].as_array().expect("a list").is_empty(),
        "{out}"
    );
    let (text, _) = outputs(&project, &["audit", "--profile", &profile]);
    let sum: u64 = rows.iter().map(executions).sum();
    assert!(text.replace(',', "").contains(&format!("ran {sum} times in 2 modules;")), "{text}{out}");
}

#[test]
fn a_patch_adds_cold_path_to_the_rare_block() {
    let Some(project) = workspace() else { return };
    let Some(profile) = profile(&project, true) else { return };
    let profile = profile.display().to_string();
    let (patch, err) = outputs(&project, &["hints", "--patch", "--profile", &profile]);
    let wanted = "         if number > 5000 {\n\
                  +            core::hint::cold_path();\n             total += report(number);\n";
    assert!(patch.contains(wanted), "{patch}{err}");
    project.write("hints.patch", &patch);
    let applied = Command::new("git").args(["apply", "hints.patch"]).current_dir(project.path()).status();
    assert!(applied.expect("there is git").success());
    // The compiler now uses the hint, so `bpa hints` prints no hint for this branch.
    let (again, _) = outputs(&project, &["hints", "--profile", &profile]);
    assert!(!again.contains("lib.rs:5"), "{again}");
    // If the `rust-version` of a package is below 1.95, `bpa hints` advises `#[cold]`.
    project.write("library/src/lib.rs", LIBRARY_SOURCE);
    project.write("library/Cargo.toml", &LIBRARY.replace("edition", "rust-version = \"1.85\"\nedition"));
    let (older, err) = outputs(&project, &["hints", "--patch", "--profile", &profile]);
    assert!(!older.contains("cold_path"), "{older}{err}");
    let (older, _) = outputs(&project, &["hints", "--profile", &profile]);
    assert!(older.contains("#[cold]"), "{older}");
    // Without this `rust-version`, the patch contains `cold_path` again, although cargo compiles nothing.
    project.write("library/Cargo.toml", LIBRARY);
    let (newer, err) = outputs(&project, &["hints", "--patch", "--profile", &profile]);
    assert!(newer.contains(wanted), "{newer}{err}");
}

#[test]
fn cold_path_is_not_advised_at_other_optimisation_levels() {
    let Some(project) = workspace() else { return };
    let manifest = std::fs::read_to_string(project.file("Cargo.toml")).expect("text");
    project.write("Cargo.toml", &format!("{manifest}[profile.release]\nopt-level = \"s\"\n"));
    let Some(profile) = profile(&project, false) else { return };
    let (out, err) = outputs(&project, &["hints", "--profile", &profile.display().to_string()]);
    assert!(out.contains("#[cold]") && out.contains("only at the optimisation levels 2 and 3"), "{out}{err}");
}

/// The first arm has a range pattern. The two successors of the bounds check in `pick` have the same position. The
/// blocks of the `if` in `sum` and in `add` are only jumps. A build script writes `made`.
const SHAPES: &str = "\
include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\"));
#[inline(never)]
fn class(n: usize) -> usize {
    match n % 1000 {
        0..=3 => std::hint::black_box(n) + 7,
        _ => n,
    }
}
#[inline(never)]
fn pick(all: &[usize], n: usize) -> usize {
    let mut sum = 0;
    if n % 100 != 1 {
        sum += all[n % 7] + 1;
    } else {
        sum += std::hint::black_box(n);
    }
    sum
}
#[inline(never)]
fn sum(all: &[usize]) -> usize {
    let mut sum = 0;
    for &n in all {
        if n % 200 == 5 {
            continue;
        }
        sum += std::hint::black_box(n);
    }
    sum
}
#[inline(never)]
fn add(total: &mut usize, n: usize) {
    if n % 200 == 5 { return; }
    *total += std::hint::black_box(n);
}
fn main() {
    let all: Vec<usize> = (0..5000).collect();
    let mut total = sum(&all);
    for n in 0..5000 {
        add(&mut total, n);
        total += class(n) + pick(&all, n) + made(n);
    }
    println!(\"{total}\");
}
";
const SHAPES_BUILD: &str = "fn main() {
    let code = \"#[inline(never)]\\nfn made(n: usize) -> usize {\\n    if n % 100 == 7 {\\n        \\
                std::hint::black_box(n) + 1\\n    } else {\\n        n\\n    }\\n}\\n\";
    let name = std::env::var(\"OUT_DIR\").unwrap() + \"/made.rs\";
    std::fs::write(name, code).unwrap();
}
";

#[test]
fn blocks_that_can_have_a_hint_are_found() {
    let manifest = "[package]\nname = \"tool\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    let files = [("Cargo.toml", manifest), ("build.rs", SHAPES_BUILD), ("src/main.rs", SHAPES)];
    let Some(project) = Project::of_rust(&files) else { return };
    let Some(profile) = profile(&project, false) else { return };
    let profile = profile.display().to_string();
    let (patch, err) = outputs(&project, &["hints", "--patch", "--profile", &profile]);
    assert!(
        patch.contains("+        0..=3 => { core::hint::cold_path(); std::hint::black_box(n) + 7 },"),
        "{patch}{err}"
    );
    let in_else = "     } else {\n+        core::hint::cold_path();\n         sum += std";
    assert!(patch.contains(in_else), "{patch}{err}");
    assert!(
        !patch.contains("made.rs") && err.contains("made.rs:3:8: a build script has written the file"),
        "{err}"
    );
    for jump in [
        "+            core::hint::cold_path();\n             continue;",
        "{ core::hint::cold_path(); return; }",
    ] {
        assert!(patch.contains(jump), "{patch}{err}");
    }
    let (hints, _) = outputs(&project, &["hints", "--profile", &profile]);
    assert!(hints.contains("a build script writes this file"), "{hints}");
}

#[test]
fn a_file_in_the_place_of_the_build_directory_is_an_error() {
    let Some(project) = workspace() else { return };
    project.write("target/bpa", "a program");
    let failed = cargo_bpa(&project, &["explain"]);
    let err = String::from_utf8_lossy(&failed.stderr).into_owned();
    assert_eq!(failed.status.code(), Some(2), "{err}");
    assert!(err.contains("target/bpa is a file") && err.contains("--target-dir"), "{err}");
    assert_eq!(std::fs::read_to_string(project.file("target/bpa")).expect("it is kept"), "a program");
}

/// Uses a wrapper of rustc to count the compilations of the workspace members.
#[test]
fn a_second_score_and_a_second_list_of_hints_compile_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let Some(project) = workspace() else { return };
    let Some(profile) = profile(&project, false) else { return };
    let profile = profile.display().to_string();
    let (wrapper, counted) = (project.file("rustc"), project.file("compiled"));
    let script = "#!/bin/sh\n\
                  case \"$*\" in *'--crate-name library '* | *'--crate-name tool '*) echo \"$*\" >>COUNTED ;; esac\n\
                  exec rustc \"$@\"\n";
    project.write("rustc", &script.replace("COUNTED", &counted.display().to_string()));
    std::fs::set_permissions(&wrapper, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    let compilations = |arguments: &[&str]| {
        let _ = std::fs::remove_file(&counted);
        let output = command(&project, arguments).env("RUSTC", &wrapper).output().expect("cargo runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let runs = std::fs::read_to_string(&counted).unwrap_or_default();
        (runs.lines().count(), output.stdout)
    };
    for subcommand in [&["score"][..], &["hints"], &["hints", "--patch"]] {
        let arguments = [subcommand, &["--profile", &profile]].concat();
        let (first, printed) = compilations(&arguments);
        assert!(first > 0 && !printed.is_empty(), "{arguments:?}");
        assert_eq!(compilations(&arguments), (0, printed), "{arguments:?}");
    }
}
