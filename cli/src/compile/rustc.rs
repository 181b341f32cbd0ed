//! Runs rustc on a single file.

use std::path::Path;
use std::process::Command;

use super::{absolute, run, Compiler};
use crate::error::{Error, Result};
use crate::find;
use crate::input::Input;
use crate::rust;

impl Compiler<'_> {
    /// Writes the bitcode of `input` to `out`, and what it depends on to `rules`; what rustc prints.
    pub(super) fn run_rustc(&self, input: &Input, out: &Path, rules: &Path) -> Result<String> {
        if let (Some(build), Some(profile)) = (&input.command, self.profile) {
            let profile = absolute(profile)?;
            return rust::bitcode::profiled(self, build, &profile, out, rules)
                .map_err(|error| error.of_file(&input.path));
        }
        let mut command = self.rustc(input)?;
        command.arg(format!("--emit=llvm-bc={},dep-info={}", out.display(), rules.display()));
        let (done, text) = run(command)?;
        match done.status.success() {
            true => Ok(text),
            false => Err(Error::compile(
                input,
                &text,
                "flags for rustc go after two dashes: bpa ... FILE.rs -- --cfg NAME",
            )),
        }
    }

    pub(super) fn rustc(&self, input: &Input) -> Result<Command> {
        if let Some(build) = &input.command {
            return rust::bitcode::command(build, self.stage, self.flags);
        }
        let (rustc, _) = find::rustc().ok_or_else(no_rustc)?;
        let mut command = Command::new(rustc);
        let text = std::fs::read(&input.path).map_err(Error::read(&input.path))?;
        let kind = if has_main(&String::from_utf8_lossy(&text)) { "bin" } else { "lib" };
        command.args(["--edition=2021", "--cap-lints=allow", "--color=never"]);
        command.args(["-Copt-level=2", "-Cdebuginfo=line-tables-only", "-Ccodegen-units=1"]);
        command.arg(format!("--crate-type={kind}"));
        if let Some(profile) = self.profile {
            command.arg(format!("-Cprofile-use={}", absolute(profile)?.display()));
        }
        command.args(self.flags).arg(&input.path);
        Ok(command)
    }
}

pub fn no_rustc() -> Error {
    Error::advice("there is no rustc", "install Rust (https://rustup.rs), or name it by the variable RUSTC")
}

/// Whether a Rust file is a program of its own.
fn has_main(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("fn main(") || line.starts_with("pub fn main("))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_has_a_main() {
        assert!(has_main("use std;\nfn main() {}\n"));
        assert!(!has_main("pub fn f() { fn main_loop() {} }\n"));
    }
}
