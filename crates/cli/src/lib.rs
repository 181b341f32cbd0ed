//! The command `bpa`: prints the predicted probabilities of a program's branches at their source lines, and the
//! reasons.
//!
//! The command does not link against LLVM. The command runs clang, rustc and `opt` as processes, and reads the data
//! that the plugin prints:
//!
//! > arguments -> toolchain -> bitcode -> `rust-bfi<json>` -> functions as data -> diagnostics, or a page

#![forbid(unsafe_code)]

mod args;
mod branch;
mod cache;
mod cargo;
mod compile;
mod compile_commands;
mod copies;
mod demangle;
mod diagnostic;
mod diff;
mod doctor;
mod error;
mod estimate;
mod executables;
mod explain;
mod failures;
mod find;
mod focus;
mod functions;
mod generate;
mod hints;
mod input;
mod inputs;
mod jobs;
mod merged;
mod messages;
mod module;
mod opt;
mod origin;
mod output;
mod patch;
mod paths;
mod place;
mod plugin;
mod process;
mod profile;
mod program;
mod progress;
mod report;
mod rust;
mod sarif;
mod score;
mod selection;
mod shares;
mod snippet;
mod source;
mod stage;
mod words;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::CommandFactory;

use args::{Arguments, Color, Command};
use error::Result;

/// Runs `bpa`. The first of `arguments` is the name of the executable.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    run_parsed(arguments.into_iter().collect(), |arguments| {
        Arguments::parse_with(Arguments::command(), arguments).map(|(parsed, _)| parsed)
    })
}

/// Runs `cargo bpa`. The first of `arguments` is the name of the executable.
pub fn run_for_cargo(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    run_parsed(arguments.into_iter().collect(), cargo::parse)
}

fn run_parsed(
    arguments: Vec<OsString>,
    parse: impl FnOnce(Vec<OsString>) -> std::result::Result<Arguments, clap::Error>,
) -> ExitCode {
    if let Some(status) = cargo::record::as_child(arguments.clone()) {
        return status;
    }
    let arguments = match parse(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            let status = u8::try_from(error.exit_code()).unwrap_or(2);
            // An error during printing is ignored, because this error could not be printed either.
            let _ = error.print();
            return ExitCode::from(status);
        }
    };
    process::handle_signals();
    set_output(&arguments);
    match dispatch(&arguments.command) {
        Ok(status) => status,
        // The program that reads the output, such as `head`, has closed the pipe.
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            error.print();
            ExitCode::from(FAILED)
        }
    }
}

/// The exit status if the command failed, or if it failed for at least one file. Status 1 means that a threshold was
/// exceeded.
const FAILED: u8 = 2;

fn set_output(arguments: &Arguments) {
    if arguments.quiet {
        messages::be_quiet();
    }
    if arguments.verbose {
        messages::be_verbose();
    }
    match arguments.color {
        Color::Auto => {}
        Color::Always => anstream::ColorChoice::Always.write_global(),
        Color::Never => anstream::ColorChoice::Never.write_global(),
    }
}

fn dispatch(command: &Command) -> Result<ExitCode> {
    match command {
        Command::Explain(arguments) => explain::run(arguments)?,
        Command::Report(arguments) => report::run(arguments)?,
        Command::Score(arguments) => return score::run(arguments),
        Command::Diff(arguments) => diff::run(arguments)?,
        Command::Hints(arguments) => return hints::run(arguments),
        Command::Doctor(arguments) => return doctor::run(arguments),
        Command::Cache(arguments) => cache::run(arguments)?,
        Command::Completions(arguments) => generate::completions(arguments)?,
        Command::Man(arguments) => generate::man(arguments)?,
    }
    Ok(ExitCode::SUCCESS)
}
