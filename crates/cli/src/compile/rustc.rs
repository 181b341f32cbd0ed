//! Runs rustc on a single file.

use std::path::Path;
use std::process::Command;

use super::profiled;
use super::{run, Compiler};
use crate::base::error::{Error, Result};
use crate::base::input::{Input, Language};
use crate::toolchain::find;
use crate::toolchain::opt::Stage;

impl Compiler<'_> {
    /// Writes the bitcode of `input` to `out`. Writes a makefile to `rules`, with the names of all files that rustc
    /// reads. Returns rustc's messages.
    pub(super) fn run_rustc(&self, input: &Input, out: &Path, rules: &Path) -> Result<String> {
        if let (Some(build), Some(profile)) = (&input.command, self.profile) {
            profiled::flags(profile, Language::Rust, Stage::Optimised, out)?;
            return crate::compile::crates::profiled(self, build, &profile.path, out, rules)
                .map_err(|error| error.of_file(&input.path));
        }
        let mut command = self.rustc(input)?;
        // A profile identifies functions by name and module. `--emit=link` divides the program into the same modules as
        // the profiled build.
        let form = if self.is_for_profile() { "link" } else { "llvm-bc" };
        command.arg(format!("--emit={form}={},dep-info={}", out.display(), rules.display()));
        if let Some(profile) = self.profile {
            command.args(profiled::flags(profile, Language::Rust, self.stage, out)?);
        }
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
            return crate::compile::crates::command(build, self.stage, self.flags);
        }
        let (rustc, _) = find::rustc().ok_or_else(no_rustc)?;
        let mut command = Command::new(rustc);
        let text = std::fs::read(&input.path).map_err(Error::read(&input.path))?;
        let kind = if has_main(&String::from_utf8_lossy(&text)) { "bin" } else { "lib" };
        command.arg(format!("--edition={}", self.edition)).args(["--cap-lints=allow", "--color=never"]);
        command.arg("-Cdebuginfo=line-tables-only");
        match self.is_for_profile() {
            // The profiled program was built with `rustc -O`, which means optimisation level 3.
            true => command.arg("-Copt-level=3"),
            false => command.args(["-Copt-level=2", "-Ccodegen-units=1"]),
        };
        command.arg(format!("--crate-type={kind}"));
        command.args(self.flags).arg(&input.path);
        Ok(command)
    }

    fn is_for_profile(&self) -> bool {
        self.profile.is_some() && matches!(self.stage, Stage::BeforeProfile | Stage::Profile | Stage::Audit)
    }
}

pub fn no_rustc() -> Error {
    Error::advice(
        "rustc is not installed",
        "install Rust (https://rustup.rs), or set the variable RUSTC to its path",
    )
}

/// Returns true if a Rust file contains a function `main`.
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
