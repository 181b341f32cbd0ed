//! Runs the command on files in a temporary folder.

pub mod profile;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use tempfile::TempDir;

/// A folder with source files. The command runs in this folder.
pub struct Project(TempDir);

impl Project {
    /// Creates a folder with `files`, which are pairs of name and text. If the command finds no LLVM with a plugin,
    /// prints a line and returns `None`, or panics if `BPA_TEST_REQUIRED=1` is set.
    pub fn new(files: &[(&str, &str)]) -> Option<Self> {
        if !DOCTOR.status.success() {
            assert!(
                std::env::var_os("BPA_TEST_REQUIRED").is_none_or(|value| value != "1"),
                "`bpa doctor` finds no LLVM version that has a plugin: {:?}",
                *DOCTOR
            );
            println!("skipped: `bpa doctor` finds no LLVM version that has a plugin");
            return None;
        }
        let folder = tempfile::tempdir().expect("the temporary folder can be created");
        let project = Project(folder);
        files.iter().for_each(|(name, text)| project.write(name, text));
        Some(project)
    }

    /// [`Project::new`] for Rust. Returns `None` and prints a line if the selected LLVM is older than rustc's LLVM.
    /// A plugin is built for one LLVM version. If no version that has a plugin can read rustc's bitcode, also returns
    /// `None` and prints a line.
    pub fn of_rust(files: &[(&str, &str)]) -> Option<Self> {
        let project = Project::new(files)?;
        let version = rustc_llvm();
        let chosen = std::env::var("BPA_LLVM").ok().and_then(|text| text.parse::<u32>().ok());
        let doctor = project.stdout(&["doctor"]);
        let has_reader =
            doctor.lines().any(|line| line.starts_with("rustc: ") && line.contains("reads its bitcode"));
        if chosen.is_some_and(|chosen| chosen < version) || !has_reader {
            println!(
                "skipped: rustc is built on LLVM {version}, and the selected LLVM cannot read its bitcode"
            );
            return None;
        }
        Some(project)
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The path of the file `name` in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Writes the file `name`, and creates the file's folder if necessary.
    pub fn write(&self, name: &str, text: &str) {
        let path = self.file(name);
        std::fs::create_dir_all(path.parent().expect("the path has a parent folder"))
            .expect("the folder is created");
        std::fs::write(path, text).expect("the file is written");
    }

    /// Writes `build/compile_commands.json` with files of the folder and their flags. The commands run in `build`.
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

    /// The command `bpa`, with the folder as working directory and a cache inside the folder.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command();
        command.args(arguments).current_dir(self.path()).env("BPA_CACHE_DIR", self.file(".cache"));
        command
    }

    /// Runs the command with `arguments`.
    pub fn bpa(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the command runs")
    }

    /// Runs `bpa` with `arguments`, and returns its standard output. Panics if the command fails.
    pub fn stdout(&self, arguments: &[&str]) -> String {
        let (status, out, err) = self.run(arguments);
        assert!(status == Some(0), "bpa {}: {status:?}\n{out}{err}", arguments.join(" "));
        out
    }

    /// The exit status, standard output and standard error of the command.
    pub fn run(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        texts(self.bpa(arguments))
    }
}

/// The exit status, standard output and standard error of a program.
pub fn texts(output: Output) -> (Option<i32>, String, String) {
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The LLVM version of rustc.
fn rustc_llvm() -> u32 {
    let output = Command::new("rustc").arg("-vV").output().expect("rustc is installed");
    let (_, text, _) = texts(output);
    let version =
        text.split_once("LLVM version: ").and_then(|(_, text)| text.split('.').next()?.parse().ok());
    version.expect("rustc prints its LLVM version")
}

static DOCTOR: LazyLock<Output> =
    LazyLock::new(|| command().arg("doctor").output().expect("the command runs"));

fn command() -> Command {
    Command::new(env!("CARGO_BIN_EXE_bpa"))
}
