//! Runs the command on files of a temporary folder.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use tempfile::TempDir;

/// A folder with sources, in which the command is run.
pub struct Project(TempDir);

impl Project {
    /// A folder with `files`, given as name and text; none, and a line that says so, if the command finds no LLVM with a
    /// plugin. With `BPA_TEST_REQUIRED=1` that is a failure.
    pub fn new(files: &[(&str, &str)]) -> Option<Self> {
        if !*IS_READY {
            assert!(
                std::env::var_os("BPA_TEST_REQUIRED").is_none_or(|value| value != "1"),
                "no plugin is found"
            );
            println!("skipped: `bpa doctor` finds no LLVM with a plugin");
            return None;
        }
        let folder = tempfile::tempdir().expect("there is a temporary folder");
        let project = Project(folder);
        files.iter().for_each(|(name, text)| project.write(name, text));
        Some(project)
    }

    /// The same for Rust: none, and a line that says so, if the LLVM that is chosen cannot read what rustc writes, or no LLVM
    /// that can has a plugin.
    pub fn of_rust(files: &[(&str, &str)]) -> Option<Self> {
        let project = Project::new(files)?;
        let version = rustc_llvm();
        let chosen = std::env::var("BPA_LLVM").ok().and_then(|text| text.parse::<u32>().ok());
        let doctor = project.stdout(&["doctor"]);
        let has_reader =
            doctor.lines().any(|line| line.starts_with("rustc: ") && line.contains("reads what it writes"));
        if chosen.is_some_and(|chosen| chosen < version) || !has_reader {
            println!(
                "skipped: rustc is built on LLVM {version}, and nothing that is chosen reads what it writes"
            );
            return None;
        }
        Some(project)
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Writes a file, with the folders that it is in.
    pub fn write(&self, name: &str, text: &str) {
        let path = self.file(name);
        std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("folders can be made");
        std::fs::write(path, text).expect("files can be written");
    }

    /// Writes `build/compile_commands.json`, of files below the folder and their flags; commands run in `build`.
    pub fn write_database(&self, entries: &[(&str, &str)]) {
        let build = self.file("build");
        let entry = |(name, flags): &(&str, &str)| {
            format!(
                r#"{{"directory": {build:?}, "file": "../{name}", "command": "c++ {flags} -o x.o -c ../{name}"}}"#
            )
        };
        let entries: Vec<String> = entries.iter().map(entry).collect();
        self.write("build/compile_commands.json", &format!("[{}]", entries.join(",")));
    }

    /// The command, in the folder, with a cache of its own.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command();
        command.args(arguments).current_dir(self.path()).env("BPA_CACHE_DIR", self.file(".cache"));
        command
    }

    /// What the command does with `arguments`.
    pub fn bpa(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the command runs")
    }

    /// What the command prints on stdout with `arguments`, which has to succeed.
    pub fn stdout(&self, arguments: &[&str]) -> String {
        let (status, out, err) = self.run(arguments);
        assert!(status == Some(0), "bpa {}: {status:?}\n{out}{err}", arguments.join(" "));
        out
    }

    /// The exit status, and what the command prints on stdout and stderr.
    pub fn run(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        texts(self.bpa(arguments))
    }
}

/// The exit status of a program, and what it has printed on stdout and stderr.
pub fn texts(output: Output) -> (Option<i32>, String, String) {
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The LLVM version that rustc is built on.
fn rustc_llvm() -> u32 {
    let output = Command::new("rustc").arg("-vV").output().expect("there is a rustc");
    let (_, text, _) = texts(output);
    let version =
        text.split_once("LLVM version: ").and_then(|(_, text)| text.split('.').next()?.parse().ok());
    version.expect("rustc says its LLVM version")
}

static IS_READY: LazyLock<bool> =
    LazyLock::new(|| command().arg("doctor").output().expect("the command runs").status.success());

fn command() -> Command {
    Command::new(env!("CARGO_BIN_EXE_bpa"))
}
