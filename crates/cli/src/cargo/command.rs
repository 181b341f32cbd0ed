//! What can be typed behind `cargo bpa`: the options of `bpa`, and those of cargo.

use std::ffi::OsString;

use clap::{Args, CommandFactory, FromArgMatches};

use super::words::Words;
use crate::args::{Arguments, Command, Program};

/// The subcommands that look at a program.
const SUBCOMMANDS: [&str; 5] = ["explain", "report", "score", "diff", "hints"];

/// What `arguments` say, the first two of which are `cargo-bpa bpa` if cargo has started it.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Arguments, clap::Error> {
    let mut words: Vec<OsString> = arguments.into_iter().collect();
    if words.get(1).is_some_and(|word| word == "bpa") {
        words.remove(1);
    }
    let matches = command().try_get_matches_from(words)?;
    let mut arguments = Arguments::from_arg_matches(&matches)?;
    if let Command::Man(man) = &mut arguments.command {
        man.of_cargo_bpa = true;
    }
    if let Some((_, of_subcommand)) = matches.subcommand() {
        if let Some(program) = program_of(&mut arguments.command) {
            let words = Words::from_arg_matches(of_subcommand)?;
            program.cargo = Some(words);
        }
    }
    Ok(arguments)
}

/// `bpa` with cargo's options.
pub fn command() -> clap::Command {
    let with_cargo = |command: clap::Command| {
        // `-p` is cargo's here: there is no other build.
        let command = command.mut_arg("build", |build| build.short(None).long("build-dir").hide(true));
        let command = command.mut_arg("flags", |flags| flags.index(2)).mut_arg("files", |files| {
            files.index(1).help(
                "Source files, or lines of them (FILE:LINE), to answer about [default: all of the project]",
            )
        });
        Words::augment_args(command)
    };
    let whole = Arguments::command().name("cargo-bpa").bin_name("cargo bpa");
    SUBCOMMANDS.into_iter().fold(whole, |whole, name| whole.mut_subcommand(name, with_cargo))
}

fn program_of(command: &mut Command) -> Option<&mut Program> {
    match command {
        Command::Explain(arguments) => Some(&mut arguments.program),
        Command::Report(arguments) => Some(&mut arguments.program),
        Command::Score(arguments) => Some(&mut arguments.program),
        Command::Diff(arguments) => Some(&mut arguments.program),
        Command::Hints(arguments) => Some(&mut arguments.program),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_consistent() {
        command().debug_assert();
    }

    #[test]
    fn options_of_both_are_taken() {
        let parsed = parse(
            [
                "cargo-bpa",
                "bpa",
                "score",
                "-p",
                "b",
                "--bin",
                "x",
                "--profile",
                "p.profdata",
                "-F",
                "f",
                "a.rs",
                "--",
                "-g",
            ]
            .map(Into::into),
        );
        let Command::Score(score) = parsed.expect("it is right").command else { panic!("it is score") };
        assert_eq!(
            (&score.program.files[..], &score.program.flags[..]),
            (&["a.rs".into()][..], &["-g".to_string()][..])
        );
        let words = score.program.cargo.expect("they are read");
        assert_eq!((words.packages, words.bins), (vec!["b".to_string()], vec!["x".to_string()]));
        assert_eq!(score.program.profile, [std::path::PathBuf::from("p.profdata")]);
        assert_eq!(words.build_profile, "release");
    }
}
