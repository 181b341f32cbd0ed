//! Runs the command on files in a temporary folder.

pub mod profile;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use tempfile::TempDir;

use self::profile::newest_version;

/// A folder with source files. The command runs in this folder.
pub struct Project(TempDir);

impl Project {
    /// Creates a folder with `files`, which are pairs of name and text.
    pub fn new(files: &[(&str, &str)]) -> Self {
        assert!(DOCTOR.status.success(), "scripts/build builds a plugin for these tests: {:?}", *DOCTOR);
        let folder = tempfile::tempdir().expect("the temporary folder can be created");
        let project = Project(folder);
        files.iter().for_each(|(name, text)| project.write(name, text));
        project
    }

    /// [`Project::new`] for Rust. If no LLVM of this test run can read rustc's bitcode, skips the test.
    pub fn of_rust(files: &[(&str, &str)]) -> Option<Self> {
        let project = Project::new(files);
        if project.reads_rust() {
            return Some(project);
        }
        skip_rust();
        None
    }

    /// Whether the newest LLVM of this test run can read rustc's bitcode.
    pub fn reads_rust(&self) -> bool {
        newest_version(self).parse::<u32>().expect("a number") >= rustc_llvm()
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
pub fn rustc_llvm() -> u32 {
    let output = Command::new("rustc").arg("-vV").output().expect("rustc is installed");
    let (_, text, _) = texts(output);
    let version =
        text.split_once("LLVM version: ").and_then(|(_, text)| text.split('.').next()?.parse().ok());
    version.expect("rustc prints its LLVM version")
}

/// Skips a test that needs the LLVM version of rustc.
pub fn skip_rust() {
    let version = rustc_llvm();
    skip(&format!("rustc is built on LLVM {version}, and `scripts/test --llvm {version}` runs this test"));
}

/// Prints why a test cannot run, and appends the reason to the file `BPA_SKIPPED` of `scripts/test`. A test that needs
/// something that `scripts/test` installs must panic instead.
fn skip(reason: &str) {
    let thread = std::thread::current();
    // nextest runs each test in the main thread of a process.
    let name = std::env::var("NEXTEST_TEST_NAME").ok();
    let line = format!("{}: {reason}\n", name.as_deref().or(thread.name()).unwrap_or("a test"));
    print!("skipped: {line}");
    if let Some(path) = std::env::var_os("BPA_SKIPPED") {
        let file = std::fs::File::options().append(true).create(true).open(path);
        file.and_then(|mut file| file.write_all(line.as_bytes())).expect("the file is writable");
    }
}

static DOCTOR: LazyLock<Output> =
    LazyLock::new(|| command().arg("doctor").output().expect("the command runs"));

fn command() -> Command {
    Command::new(env!("CARGO_BIN_EXE_bpa"))
}
