//! Tests `bpa audit`.

use std::process::Command;

use serde_json::Value;

use crate::support::profile::{measure, newest_version, run, tool, C};
use crate::support::Project;

/// A second module. The program never runs it.
const OTHER: &str =
    "int other(int n) {\n  int sum = 0;\n  while (n-- > 0)\n    sum ^= n;\n  return sum;\n}\n";

/// The plugin for LLVM `version`.
fn plugin(project: &Project, version: &str) -> String {
    let data: Value = serde_json::from_str(&project.stdout(&["doctor", "--json"])).expect("JSON");
    let rows = data["llvm"].as_array().expect("a list");
    let version: u32 = version.parse().expect("a number");
    let row = rows.iter().find(|row| row["version"] == version).expect("the version");
    row["plugin"]["path"].as_str().expect("a path").into()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn an_audit_is_that_of_the_plugin_in_the_users_compiler() {
    for instrumentation in ["-fprofile-instr-generate", "-fprofile-generate"] {
        let project = Project::new(&[("my.c", C), ("other.c", OTHER)]);
        let version = newest_version(&project);
        measure(&project, &version, "my.c", instrumentation);
        project.write_database(&[("my.c", "-O2"), ("other.c", "-O0")]);
        let audit = |more: &[&str]| {
            let arguments = [&["audit", "--llvm", &version, "-p", "build", "--profile", "my.profdata"], more];
            project.run(&arguments.concat())
        };
        let mut compiler = Command::new(tool(&version, "clang"));
        compiler.env("BPA_PIPELINE", "audit<json;limit=1000;output=own.json>");
        compiler.args([
            "-O2",
            "-gline-tables-only",
            "-fno-discard-value-names",
            "-fprofile-use=my.profdata",
            "-c",
        ]);
        compiler.args(["my.c", "-o", "my.o", &format!("-fpass-plugin={}", plugin(&project, &version))]);
        run(&project, &mut compiler);
        let own = lines(&std::fs::read_to_string(project.file("own.json")).expect("the audit of clang"));
        let (status, out, err) = audit(&["--json"]);
        assert_eq!(status, Some(0), "{err}");
        assert!(err.contains("1 file is compiled at level 0"), "{err}");
        let [mine, other] = &lines(&out)[..] else { panic!("{out}") };
        for field in ["executions", "wrong", "wrong_exact", "lost", "passes"] {
            assert_eq!(mine[field], own[0][field], "{instrumentation}: {field}");
        }
        assert!(mine["executions"].as_u64() > Some(50_000) && mine["module"] == "my.c", "{out}");
        assert!(other["executions"] == 0 && other["module"] == "other.c", "{out}");
        assert_eq!(mine["blocks"][0]["source"]["file"], "my.c");

        let (status, text, err) = audit(&["--limit", "1"]);
        assert_eq!(status, Some(0), "{err}");
        assert_eq!(text.matches("my.c:").count(), 1, "{text}");
        let digits: String = text.split(" times").next().unwrap_or_default().replace(',', "");
        assert!(digits.ends_with(&format!(" ran {}", mine["executions"])), "{text}");
        for pass in mine["passes"].as_array().expect("a list").iter().filter(|pass| pass["wrong"] != 0) {
            let row = text
                .lines()
                .find(|line| line.ends_with(&format!("  {}", pass["pass"].as_str().unwrap_or(""))))
                .expect("a row");
            assert!(
                row.replace(['+', ','], "").trim_start().starts_with(&pass["wrong"].to_string()),
                "{row}"
            );
        }
        let wrong = mine["wrong"].as_u64().expect("a number");
        assert!(wrong > 0, "{out}");
        assert_eq!(audit(&["--fail-above", "0%"]).0, Some(1));
        assert_eq!(audit(&["--fail-above", "100%"]).0, Some(0));
        let left: Vec<_> = std::fs::read_dir(project.file("build")).expect("the folder").flatten().collect();
        assert_eq!(left.len(), 1, "the build folder contains only the database: {left:?}");
    }
}

#[test]
fn damage_is_repeated_by_the_printed_command() {
    let project = Project::new(&[("my.c", C)]);
    let version = newest_version(&project);
    measure(&project, &version, "my.c", "-fprofile-instr-generate");
    let audit = |more: &[&str]| {
        let arguments = [&["audit", "--llvm", &version, "my.c", "--profile", "my.profdata"], more].concat();
        project.run(&arguments)
    };
    let (_, out, _) = audit(&["--json"]);
    let passes = lines(&out)[0]["passes"].as_array().expect("a list").clone();
    let worst = passes.iter().max_by_key(|pass| pass["worse"].as_u64()).expect("a pass");
    let worst = worst["pass"].as_str().expect("a name");
    let (status, text, err) = audit(&["--reproduce", worst]);
    assert_eq!(status, Some(0), "{err}");
    let command = text.lines().last().expect("a command");
    let file = format!("{worst}.ll");
    assert!(command.contains("-passes='rust-audit<begin>,") && command.ends_with(&file), "{text}");
    let shell = |command: &str| {
        let output =
            Command::new("sh").args(["-c", command]).current_dir(project.path()).output().expect("it runs");
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (is_success, printed) = shell(command);
    assert!(!is_success && printed.contains("executions are wrong, more than"), "{command}\n{printed}");
    // Without the pass, the same module has no damage.
    let (before, after) = command.split_once("<begin>,").expect("a pipeline");
    let (_, end) = after.split_once(",rust-audit").expect("a pipeline");
    let (is_success, printed) = shell(&format!("{before}<begin>,rust-audit{end}"));
    assert!(is_success, "{printed}");

    let (status, _, err) = audit(&["--reproduce", "nothing"]);
    assert!(status == Some(2) && err.contains("these passes do: ") && err.contains(worst), "{err}");
}

#[test]
fn an_audit_needs_a_profile() {
    let project = Project::new(&[("my.c", C), ("other.c", OTHER)]);
    let version = newest_version(&project);
    let (status, _, err) = project.run(&["audit", "--llvm", &version, "my.c"]);
    assert!(status == Some(2) && err.contains("there is no profile"), "{err}");
    measure(&project, &version, "my.c", "-fprofile-instr-generate");
    let (status, _, err) = project.run(&["audit", "--llvm", &version, "--profile", "my.profdata", "other.c"]);
    assert!(status == Some(2) && err.contains("has no data about the functions"), "{err}");
}

/// The counts of an IR file are in its metadata.
#[test]
fn a_file_with_ir_needs_no_profile() {
    let ir = "define i32 @f(i1 %c) !prof !0 {\nentry:\n  br i1 %c, label %a, label %b, !prof !1\na:\n  ret i32 1\n\
              b:\n  ret i32 2\n}\n!0 = !{!\"function_entry_count\", i64 100}\n!1 = !{!\"branch_weights\", i32 60, i32 40}\n";
    let project = Project::new(&[("f.ll", ir)]);
    let text = project.stdout(&["audit", "f.ll"]);
    assert!(text.contains("3 blocks ran 200 times in 1 module;"), "{text}");
    assert!(text.contains("wrong at the end:       0 (0.00%)"), "{text}");
    assert!(text.lines().any(|line| line.contains("+100") && line.ends_with("SimplifyCFGPass")), "{text}");
}
