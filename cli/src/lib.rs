//! The command `bpa`: how likely each branch of a program is, and why, at the lines of its source.
//!
//! It knows no LLVM. It runs clang, rustc and `opt` as processes and reads the data that the plugin prints:
//!
//! > arguments -> toolchain -> bitcode -> `rust-bfi<json>` -> functions as data -> diagnostics, or a page

#![forbid(unsafe_code)]

mod args;
mod branch;
mod compile;
mod compile_commands;
mod demangle;
mod diagnostic;
mod diff;
mod doctor;
mod error;
mod explain;
mod find;
mod generate;
mod hints;
mod input;
mod inputs;
mod opt;
mod patch;
mod place;
mod plugin;
mod program;
mod progress;
mod report;
mod score;
mod selection;
mod shares;
mod snippet;
mod source;
mod truth;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Command};
use error::Result;

/// Runs the command with `arguments`, the first of which is its own name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            let status = u8::try_from(error.exit_code()).unwrap_or(2);
            // Nobody is left to be told that this failed.
            let _ = error.print();
            return ExitCode::from(status);
        }
    };
    match dispatch(&arguments.command) {
        Ok(status) => status,
        Err(error) if error.is_broken_pipe() => ExitCode::FAILURE,
        Err(error) => {
            error.print();
            ExitCode::FAILURE
        }
    }
}

fn dispatch(command: &Command) -> Result<ExitCode> {
    match command {
        Command::Explain(arguments) => explain::run(arguments)?,
        Command::Report(arguments) => report::run(arguments)?,
        Command::Score(arguments) => score::run(arguments)?,
        Command::Diff(arguments) => diff::run(arguments)?,
        Command::Hints(arguments) => hints::run(arguments)?,
        Command::Doctor(arguments) => return doctor::run(arguments),
        Command::Completions(arguments) => generate::completions(arguments)?,
        Command::Man => generate::man()?,
    }
    Ok(ExitCode::SUCCESS)
}
