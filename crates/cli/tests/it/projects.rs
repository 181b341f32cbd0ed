//! Tests whole projects: files that fail, the selection of files, the cache, and cleanup.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::profile::{newest_version, run, tool};
use crate::support::{texts, Project};

const GOOD: &str =
    "int one(int), two(int);\nint good(int a) {\n  if (a == 0)\n    return one(a);\n  return two(a);\n}\n";
const OTHER: &str = "#include \"inc/own.h\"\nint other(int a) { return own(a); }\n";
const OWN: &str = "static inline int own(int a) {\n  if (a < 0)\n    __builtin_abort();\n  return a;\n}\n";
const BROKEN: &str = "#include \"generated.h\"\nint broken(void) { return GENERATED; }\n";

/// A project with a compilation database in `build`. The database contains `src/good.cc`, `src/other.cc`, and
/// `src/broken.cc`, which includes a missing file.
fn project() -> Project {
    let sources =
        [("src/good.cc", GOOD), ("src/other.cc", OTHER), ("src/inc/own.h", OWN), ("src/broken.cc", BROKEN)];
    let project = Project::new(&[]);
    sources.iter().for_each(|(name, text)| project.write(name, text));
    project.write_database(&[("src/good.cc", "-O1"), ("src/broken.cc", ""), ("src/other.cc", "-O2")]);
    project
}

#[test]
fn a_failing_file_is_reported_and_the_others_are_printed() {
    let project = project();
    let (status, out, err) = project.run(&["explain", "-p", "build"]);
    assert_eq!(status, Some(2), "{out}{err}");
    assert!(out.contains("src/good.cc:3:7") && out.contains("src/inc/own.h:2:7"), "{out}");
    assert!(err.contains("src/broken.cc") && err.contains("'generated.h' file not found"), "{err}");
    assert!(err.contains("1 of 3 files failed"), "{err}");
    let (status, out, _) = project.run(&["explain", "-p", "build", "--fail-fast", "-j1"]);
    assert_eq!((status, out.as_str()), (Some(2), ""));
}

#[test]
fn diff_prints_an_inline_function_of_several_files_once() {
    let header = GOOD.replace("int good", "[[gnu::noinline]] inline int own");
    let user = |name: &str| format!("#include \"own.h\"\nint {name}(int a) {{ return own(a); }}\n");
    let project = Project::new(&[("own.h", &header), ("a.cc", &user("a")), ("b.cc", &user("b"))]);
    project.write_database(&[("a.cc", "-O2"), ("b.cc", "-O2")]);
    let out = project.stdout(&["diff", "-p", "build", "--against-predictor", "bpa"]);
    assert_eq!(out.matches("own.h:3:").count(), 1, "{out}");
    assert!(out.contains("1 of 1 branches differ"), "{out}");
    let rows = project.stdout(&["diff", "-p", "build", "--against-predictor", "bpa", "--json"]);
    assert_eq!(rows.lines().count(), 1, "{rows}");
}

#[test]
fn missing_generated_files_are_one_error() {
    let project = Project::new(&[("good.cc", GOOD)]);
    let missing: Vec<String> = (1..=5).map(|number| format!("made{number}.cc")).collect();
    let mut entries: Vec<(&str, &str)> = missing.iter().map(|name| (name.as_str(), "")).collect();
    entries.push(("good.cc", ""));
    project.write_database(&entries);
    project.write("build/Makefile", "");
    let (status, out, err) = project.run(&["explain", "-p", "build"]);
    assert!(status == Some(2) && out.contains("good.cc:3:7"), "{out}{err}");
    assert!(
        err.contains("5 of 6 files cannot be compiled") && err.contains("and 2 others do not exist"),
        "{err}"
    );
    assert!(err.contains("make -C build") && err.contains("-v lists the files"), "{err}");
    let (_, _, each) = project.run(&["explain", "-p", "build", "-v"]);
    assert_eq!(each.matches("cannot compile ").count(), 5, "{each}");
}

#[test]
fn a_database_may_name_a_file_by_another_path_than_its_command() {
    let project = Project::new(&[("src/good.cc", GOOD)]);
    // Bear writes an absolute path into `file` if the build runs outside of the source folder.
    let (build, file) = (project.file("build"), project.file("src/good.cc"));
    let entry = format!(
        r#"[{{"directory": {build:?}, "file": {file:?}, "arguments": ["/usr/bin/g++", "-c", "-o", "good.o", "../src/good.cc"]}}]"#
    );
    project.write("build/compile_commands.json", &entry);
    let (status, out, err) = project.run(&["explain", "-p", "build"]);
    assert!(status == Some(0) && out.contains("src/good.cc:3:7"), "{out}{err}");
}

#[test]
fn only_selected_files_are_compiled() {
    let project = project();
    let out = project.stdout(&["explain", "-p", "build", "src/good.cc"]);
    assert!(out.contains("src/good.cc:3:7") && !out.contains("own.h"), "{out}");
    let out = project.stdout(&["explain", "-p", "build", "src/good.cc:3"]);
    assert!(out.contains("1 branch\n"), "{out}");
    let (status, _, err) = project.run(&["explain", "-p", "build", "src/good.cc:5"]);
    assert!(status == Some(2) && err.contains("no branch at src/good.cc:5\n"), "{err}");
    let (_, out, _) = project.run(&["explain", "-p", "build", "src/inc/own.h"]);
    assert!(out.contains("own.h:2:7") && !out.contains("good.cc:3"), "{out}");
    for name in ["god", "GOOD", "other::good"] {
        let (status, _, err) = project.run(&["explain", "-p", "build", "-f", name]);
        assert!(status == Some(2) && err.contains("did you mean good?"), "{err}");
    }
}

#[test]
fn a_file_of_a_unity_build_is_selected() {
    let project = Project::new(&[("good.cc", GOOD), ("other.cc", OTHER), ("inc/own.h", OWN)]);
    project.write("build/unity.cc", "/* sources */\n#include \"../good.cc\"\n# include \"../other.cc\"\n");
    project.write_database(&[("build/unity.cc", "-O2")]);
    let out = project.stdout(&["explain", "-p", "build", "good.cc"]);
    assert!(out.contains("good.cc:3:7") && !out.contains("own.h"), "{out}");
    project.write("alone.cc", GOOD);
    let (status, _, err) = project.run(&["explain", "-p", "build", "alone.cc"]);
    assert!(status == Some(2) && err.contains("does not compile alone.cc"), "{err}");
}

#[test]
fn a_changed_module_file_is_not_taken_from_the_cache() {
    let module =
        |body: &str| format!("export module m;\nint g(), h();\nexport inline int f(int a) {{ {body} }}\n");
    let user = "import m;\nint user(int a) { return f(a); }\n";
    let project = Project::new(&[("m.cppm", &module("return a ? g() : h();")), ("user.cc", user)]);
    let version = newest_version(&project);
    project.write_database(&[("user.cc", "-std=c++20 -O2 -fprebuilt-module-path=..")]);
    let branches = || {
        let compile = ["-std=c++20", "--precompile", "m.cppm", "-o", "m.pcm"];
        run(&project, Command::new(tool(&version, "clang++")).args(compile));
        project.stdout(&["explain", "--llvm", &version, "-p", "build", "--json"]).lines().count()
    };
    assert_eq!(branches(), 1);
    project.write("m.cppm", &module("if (a > 9) g(); if (a > 7) g(); return h();"));
    assert_eq!(branches(), 2);
}

#[test]
fn a_header_is_selected_without_the_code_inlined_into_it() {
    let inner = OWN.replace("own", "inner");
    let outer =
        "#include \"inner.h\"\nint one(int);\nstatic inline int outer(int a) {\n  int b = inner(a);\n  \
                 if (b == 7)\n    return one(b);\n  return b;\n}\n";
    let user = "#include \"outer.h\"\nint user(int a) { return outer(a); }\n";
    let project = Project::new(&[("inner.h", &inner), ("outer.h", outer), ("user.cc", user)]);
    project.write_database(&[("user.cc", "-O2")]);
    let explain = |spot: &str| project.stdout(&["explain", "-p", "build", spot]);
    let out = explain("outer.h");
    assert!(out.contains(" outer.h:5:7\n") && !out.contains(" inner.h:2:7\n"), "{out}");
    let out = explain("outer.h:4");
    assert!(out.contains(" inner.h:2:7\n") && !out.contains(" outer.h:5:7\n"), "{out}");
    let (status, _, err) = project.run(&["explain", "--ir", "-p", "build", "outer.h"]);
    assert!(status == Some(2) && err.contains("it cannot select outer.h"), "{err}");
}

#[test]
fn printed_paths_exist_in_the_current_directory() {
    let project = project();
    for (folder, file) in [("build", "../src/good.cc"), ("src", "good.cc"), ("src/inc", "../good.cc")] {
        let mut command = project.command(&["explain", "-p"]);
        command.arg(project.file("build")).arg(project.file("src/good.cc"));
        let output = command.current_dir(project.file(folder)).output().expect("the command runs");
        let (_, out, err) = texts(output);
        assert!(out.contains(&format!(" {file}:3:7\n")), "in {folder}:\n{out}{err}");
        assert!(project.file(folder).join(file).is_file());
    }
}

#[test]
fn flags_of_other_compilers_are_removed_with_a_note() {
    let project = Project::new(&[("good.cc", GOOD)]);
    project.write_database(&[("good.cc", "-fno-such-flag-of-gcc -std=gnu++98765 -Wno-such-warning")]);
    let (status, out, err) = project.run(&["explain", "-p", "build"]);
    assert_eq!(status, Some(0), "{err}");
    assert!(out.contains("good.cc:3:7"), "{out}");
    assert!(err.contains("-fno-such-flag-of-gcc") && err.contains("-std=gnu++98765 (replaced by "), "{err}");
}

#[test]
fn system_headers_are_counted_in_one_line() {
    let text = "#include <algorithm>\n#include <vector>\nint most(std::vector<int> &v) {\n  std::sort(v.begin(), v.end());\n  \
                if (v.empty())\n    return 0;\n  return v.back();\n}\n";
    let project = Project::new(&[("sort.cc", text)]);
    let (_, own, err) = project.run(&["explain", "sort.cc"]);
    assert!(!own.contains("/usr/include"), "{own}");
    assert!(
        err.contains("in system headers and the standard library (--system shows these branches)"),
        "{err}"
    );
    let all = project.stdout(&["explain", "sort.cc", "--system"]);
    assert!(all.contains("/usr/include"), "{all}");
}

/// Creates an installation prefix with a wrapper script for clang. For each run of clang, the script
/// appends a line to a file. Returns the LLVM version, and the path of this file.
fn counting_prefix(project: &Project) -> (String, std::path::PathBuf) {
    let version = newest_version(project);
    let [opt, clang] = ["opt", "clang"].map(|name| tool(&version, name).display().to_string());
    let counted = project.file("compiled");
    let script = format!("#!/bin/sh\necho x >>{}\nexec {clang} \"$@\"\n", counted.display());
    project.write("prefix/bin/clang", &script);
    project.write("prefix/bin/opt", &format!("#!/bin/sh\nexec {opt} \"$@\"\n"));
    for name in ["clang", "opt"] {
        use std::os::unix::fs::PermissionsExt;
        let path = project.file("prefix/bin").join(name);
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
    (version, counted)
}

#[test]
fn unchanged_files_are_not_compiled_again() {
    let project = project();
    let (version, counted) = counting_prefix(&project);
    let compile = |words: &[&str]| {
        let _ = std::fs::remove_file(&counted);
        let mut command = project.command(words);
        for minor in 0..=1 {
            command.env(format!("LLVM_SYS_{version}{minor}_PREFIX"), project.file("prefix"));
        }
        let (_, out, err) = texts(command.env("BPA_LLVM", &version).output().expect("the command runs"));
        let runs = std::fs::read_to_string(&counted).unwrap_or_default().lines().count();
        // One run of clang compiles nothing: it prints the folders of system headers.
        assert!(runs > 0, "{out}{err}");
        (runs - 1, out + &err)
    };
    let words = ["explain", "src/good.cc", "src/other.cc", "-p", "build"];
    let (first, text) = compile(&words);
    assert_eq!(first, 2, "{text}");
    let (second, again) = compile(&words);
    assert_eq!((second, &again), (0, &text));
    let (score, _) = compile(&["report", "src/good.cc", "src/other.cc", "-p", "build"]);
    assert_eq!(score, 0);
    // Only one of the two source files includes the changed header.
    std::thread::sleep(Duration::from_millis(20));
    project.write("src/inc/own.h", &OWN.replace("a < 0", "a > 9"));
    let (third, text) = compile(&words);
    assert!(third == 1 && text.contains("a > 9"), "{third} {text}");
    let (uncached, _) = compile(&[&words[..], &["--no-cache"]].concat());
    assert_eq!(uncached, 2);
    assert!(project.stdout(&["cache", "clear"]).contains("removed"));
    assert_eq!(compile(&words).0, 2);
}

#[test]
fn an_unwritable_or_small_cache_is_not_an_error() {
    let project = project();
    let run = |name: &str, value: &Path| {
        let mut command = project.command(&["explain", "src/good.cc"]);
        texts(command.env(name, value).output().expect("the command runs"))
    };
    let (status, out, err) = run("BPA_CACHE_DIR", Path::new("/proc/no/cache"));
    assert!(status == Some(0) && out.contains("good.cc:3:7"), "{err}");
    assert_eq!(err.matches("results are not cached").count(), 1, "{err}");
    let (status, ..) = run("BPA_CACHE_LIMIT", Path::new("0"));
    assert_eq!(status, Some(0));
    let (status, _, err) = run("BPA_CACHE_LIMIT", Path::new("much"));
    assert!(status == Some(2) && err.contains("not a number of megabytes"), "{err}");
}

#[test]
fn a_page_is_complete_or_missing() {
    let project = project();
    let (status, page, _) = project.run(&["report", "src/good.cc", "-o", "-"]);
    assert!(status == Some(0) && page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
    let (_, page, _) = project.run(&["report", "-p", "build", "-o", "-"]);
    let name = project.path().file_name().expect("a name").to_string_lossy();
    assert!(page.contains(&format!("<title>{name} - bpa</title>")), "the title is the name of the project");
    project.write("page.html", "<!DOCTYPE html>\nan older page");
    let (status, _, err) = project.run(&["report", "src/good.cc", "-o", "src/good.cc"]);
    assert!(status == Some(2) && err.contains("src/good.cc exists and is not an HTML page"), "{err}");
    let (status, _, err) = project.run(&["report", "src/good.cc", "-o", "/dev/full"]);
    assert!(status == Some(2) && err.contains("/dev/full"), "{err}");
    project.stdout(&["report", "src/good.cc", "-o", "page.html"]);
    assert!(std::fs::read_to_string(project.file("page.html")).expect("it is there").ends_with("</html>"));
    let leftovers = std::fs::read_dir(project.path()).expect("a folder").flatten();
    assert!(leftovers.into_iter().all(|one| !one.file_name().to_string_lossy().starts_with(".bpa-")));
}

#[test]
fn a_missing_folder_of_the_build_is_named() {
    let project = Project::new(&[("a.c", "void g(void);\nvoid f(int n) { if (n > 3) g(); }\n")]);
    let entry = |folder: &str, file: &str| {
        format!(r#"{{"directory": {folder:?}, "file": {file:?}, "command": "cc -c {file}"}}"#)
    };
    let file = project.file("a.c");
    let name = file.to_str().expect("a path of text");
    let folder = project.path().to_str().expect("a path of text");
    let text = format!("[{}, {}]", entry("/no/such/folder", "b.c"), entry(folder, name));
    project.write("compile_commands.json", &text);
    let (status, out, err) = project.run(&["explain", "-p", "."]);
    assert!(status == Some(2) && out.contains("n > 3"), "{status:?} {out} {err}");
    assert!(err.contains("/no/such/folder/b.c: cannot open the folder /no/such/folder"), "{err}");
}

#[test]
fn an_interrupted_command_leaves_no_files() {
    let project = Project::new(&[]);
    // Clang needs a very long time to compile this source file.
    let slow = "template <int N> struct F { static const long v = F<N - 1>::v + F<N - 2>::v; };\n\
                   constexpr long spin(long n) { long s = 0; for (long i = 0; i < n; i++) s += i % 7; return s; }\n\
                   constexpr long most = spin(1000000000);\nlong x() { return most; }\n";
    project.write("slow.cc", slow);
    project.write("tmp/keep", "");
    // In the last run, standard error is closed.
    for (signal, is_read) in [("INT", true), ("TERM", true), ("HUP", true), ("TERM", false)] {
        let mut command =
            project.command(&["explain", "slow.cc", "--", "-std=c++17", "-fconstexpr-steps=2147483647"]);
        command.env("TMPDIR", project.file("tmp")).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the command runs");
        if !is_read {
            drop(child.stderr.take());
        }
        let is_compiling = || {
            let folders = std::fs::read_dir(project.file("tmp")).expect("a folder").flatten();
            folders.into_iter().any(|folder| folder.path().join("0").is_dir())
        };
        // The folder `0` for the first file is created just before the compiler starts.
        while !is_compiling() {
            std::thread::sleep(Duration::from_millis(10));
        }
        std::thread::sleep(Duration::from_millis(100));
        let kill =
            std::process::Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status();
        assert!(kill.expect("there is kill").success());
        let (status, out, err) = texts(child.wait_with_output().expect("it ends"));
        let message = if is_read { "bpa: interrupted" } else { "" };
        assert_eq!((status, out.as_str(), err.trim()), (Some(130), "", message), "SIG{signal}");
        let left: Vec<_> = std::fs::read_dir(project.file("tmp")).expect("a folder").flatten().collect();
        assert_eq!(left.len(), 1, "{left:?}");
    }
    let running =
        std::process::Command::new("pgrep").args(["-f", &project.file("tmp").display().to_string()]).output();
    if let Ok(output) = running {
        assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    }
}
