//! Runs the command on files of a temporary folder.

use std::process::{Command, Output};

use tempfile::TempDir;

/// A folder with sources, in which the command is run.
pub struct Project(TempDir);

impl Project {
    /// A folder with `files`, given as name and text; none, and a line that says so, if the command finds no LLVM with a
    /// plugin. With `BPA_TEST_REQUIRED=1` that is a failure.
    pub fn new(files: &[(&str, &str)]) -> Option<Self> {
        if !command().arg("doctor").output().expect("the command runs").status.success() {
            assert!(
                std::env::var_os("BPA_TEST_REQUIRED").is_none_or(|value| value != "1"),
                "no plugin is found"
            );
            println!("skipped: `bpa doctor` finds no LLVM with a plugin");
            return None;
        }
        let folder = tempfile::tempdir().expect("there is a temporary folder");
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("files can be written");
        }
        Some(Project(folder))
    }

    /// What the command does with `arguments`.
    pub fn bpa(&self, arguments: &[&str]) -> Output {
        command().args(arguments).current_dir(self.0.path()).output().expect("the command runs")
    }

    /// What the command prints on stdout with `arguments`, which has to succeed.
    pub fn stdout(&self, arguments: &[&str]) -> String {
        let output = self.bpa(arguments);
        let [out, err] =
            [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        assert!(output.status.success(), "bpa {}: {}\n{out}{err}", arguments.join(" "), output.status);
        out
    }
}

fn command() -> Command {
    Command::new(env!("CARGO_BIN_EXE_bpa"))
}
