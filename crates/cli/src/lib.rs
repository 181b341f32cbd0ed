//! The command `bpa`: prints the predicted probabilities of a program's branches at their source lines, and the
//! reasons.
//!
//! The command does not link against LLVM. The command runs clang, rustc and `opt` as processes, and reads the data
//! that the plugin prints:
//!
//! > arguments -> toolchain -> bitcode -> `rust-bfi<json>` -> functions as data -> diagnostics, or a page

#![forbid(unsafe_code)]

// Each module imports only from modules above it. A test checks this.
mod args;

mod base;

mod toolchain;

mod counts;

mod compile;

mod study;

mod print;

mod program;

mod edit;

mod commands;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::CommandFactory;

use args::{Arguments, Color, Command};
use base::error::Result;

/// Runs `bpa`. The first of `arguments` is the name of the executable.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    run_parsed(arguments.into_iter().collect(), |arguments| {
        Arguments::parse_with(Arguments::command(), arguments).map(|(parsed, _)| parsed)
    })
}

/// Runs `cargo bpa`. The first of `arguments` is the name of the executable.
pub fn run_for_cargo(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    run_parsed(arguments.into_iter().collect(), args::cargo::parse)
}

fn run_parsed(
    arguments: Vec<OsString>,
    parse: impl FnOnce(Vec<OsString>) -> std::result::Result<Arguments, clap::Error>,
) -> ExitCode {
    if let Some(status) = compile::cargo::record::as_child(arguments.clone()) {
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
    base::process::handle_signals();
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
        base::messages::be_quiet();
    }
    if arguments.verbose {
        base::messages::be_verbose();
    }
    match arguments.color {
        Color::Auto => {}
        Color::Always => anstream::ColorChoice::Always.write_global(),
        Color::Never => anstream::ColorChoice::Never.write_global(),
    }
}

fn dispatch(command: &Command) -> Result<ExitCode> {
    match command {
        Command::Explain(arguments) => commands::explain::run(arguments)?,
        Command::Report(arguments) => commands::report::run(arguments)?,
        Command::Score(arguments) => return commands::score::run(arguments),
        Command::Diff(arguments) => commands::diff::run(arguments)?,
        Command::Hints(arguments) => return edit::hints::run(arguments),
        Command::Audit(arguments) => return commands::audit::run(arguments),
        Command::Doctor(arguments) => return commands::doctor::run(arguments),
        Command::Cache(arguments) => commands::cache::run(arguments)?,
        Command::Completions(arguments) => commands::generate::completions(arguments)?,
        Command::Man(arguments) => commands::generate::man(arguments)?,
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// Calls `visit` with each Rust file in `folder`, and its text without unit tests.
    fn visit_sources(folder: &Path, visit: &mut impl FnMut(&Path, &str)) {
        for entry in folder.read_dir().expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                visit_sources(&path, visit);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("a source file");
                visit(&path, text.split("#[cfg(test)]").next().unwrap_or_default());
            }
        }
    }

    #[test]
    fn modules_import_only_from_the_modules_declared_above_them() {
        let root = include_str!("lib.rs").split("#[cfg(test)]").next().unwrap_or_default();
        let order: Vec<&str> =
            root.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';')).collect();
        let rank = |name: &str| order.iter().position(|module| *module == name);
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut imports = 0;
        for (own, module) in order.iter().enumerate() {
            visit_sources(&source.join(module), &mut |path, text| {
                for import in text.split("crate::").skip(1) {
                    let name = import.split(|c: char| !c.is_alphanumeric() && c != '_').next();
                    let Some(imported) = name.and_then(rank) else {
                        panic!(
                            "{}: import each module of the crate by its own path: {import:.20}",
                            path.display()
                        )
                    };
                    imports += 1;
                    assert!(imported <= own, "{} imports from {}", path.display(), order[imported]);
                }
            });
        }
        assert!(order.len() > 5 && imports > 100, "{imports} imports of {order:?}");
    }
}
