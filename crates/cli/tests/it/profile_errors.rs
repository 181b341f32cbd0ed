//! Tests the errors and notes about profiles that cannot be used, or that do not fit the source.

use crate::support::profile::{measure, newest_version, number, versions, C};
use crate::support::{texts, Project};
use serde_json::Value;

/// Runs `bpa`, which must fail. Returns the error message and the advice that `bpa` prints.
fn error(project: &Project, arguments: &[&str]) -> String {
    let (status, out, err) = project.run(arguments);
    assert_eq!((status, out.as_str()), (Some(2), ""), "{arguments:?}: {err}");
    assert!(err.contains("error: ") && err.contains("help: "), "{arguments:?}: {err}");
    err
}

#[test]
fn unusable_profiles_are_errors_with_advice() {
    let project = Project::new(&[("my.c", C), ("other.c", "int f(int x) { return x ? 1 : 2; }\n")]);
    let version = newest_version(&project);
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
    let project = Project::new(&[("my.c", C)]);
    let version = newest_version(&project);
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
    let project = Project::new(&files);
    let version = newest_version(&project);
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
    let project = Project::new(&[("my.c", C)]);
    let version = newest_version(&project);
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
    let project = Project::new(&[("my.c", C), ("bad.c", bad)]);
    let version = newest_version(&project);
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
    let project = Project::new(&[("my.c", C)]);
    let version = newest_version(&project);
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
    let project = Project::new(&[("my.c", C)]);
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
