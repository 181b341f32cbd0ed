//! Parses the command line of `cargo bpa`. This command accepts the options of `bpa` and options of cargo.

use std::ffi::OsString;

use clap::{Args, CommandFactory, FromArgMatches};

use super::options::BuildOptions;
use crate::args::{Arguments, Command, Program};

/// The subcommands that analyse a program.
const SUBCOMMANDS: [&str; 5] = ["explain", "report", "score", "diff", "hints"];

/// Parses `arguments`. If cargo has started this process, the first two arguments are `cargo-bpa bpa`.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Arguments, clap::Error> {
    let mut words: Vec<OsString> = arguments.into_iter().collect();
    if words.get(1).is_some_and(|word| word == "bpa") {
        words.remove(1);
    }
    let (mut arguments, matches) = Arguments::parse_with(command(), words)?;
    if let Command::Man(man) = &mut arguments.command {
        man.of_cargo_bpa = true;
    }
    if let Some((_, of_subcommand)) = matches.subcommand() {
        if let Some(program) = program_of(&mut arguments.command) {
            let options = BuildOptions::from_arg_matches(of_subcommand)?;
            program.cargo = Some(options);
        }
    }
    Ok(arguments)
}

/// The command `bpa` with cargo's options added.
pub fn command() -> clap::Command {
    let with_cargo = |command: clap::Command| {
        // In `cargo bpa`, `-p` is cargo's option `--package`. The option of `bpa` for the build directory is hidden.
        let command = command.mut_arg("build", |build| build.short(None).long("build-dir").hide(true));
        let command = command.mut_arg("files", |files| {
            files.help(
                "Source files or positions (FILE:LINE or FILE:LINE:COLUMN) to print [default: the whole project]",
            )
        });
        // `mut_arg` moves an argument to the end. The flags must stay behind the files.
        let command = command.mut_arg("flags", |flags| flags);
        BuildOptions::augment_args(command)
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
    fn files_need_no_flags() {
        let words = ["cargo-bpa", "bpa", "explain", "--bin", "x", "a.rs:20", "b.rs"];
        let Command::Explain(explain) = parse(words.map(Into::into)).expect("valid arguments").command else {
            panic!("it is explain")
        };
        assert_eq!(explain.program.files, ["a.rs:20", "b.rs"].map(std::path::PathBuf::from));
    }

    #[test]
    fn options_of_bpa_and_cargo_are_parsed() {
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
        let Command::Score(score) = parsed.expect("the arguments are valid").command else {
            panic!("it is score")
        };
        assert_eq!(
            (&score.program.files[..], &score.program.flags[..]),
            (&["a.rs".into()][..], &["-g".to_string()][..])
        );
        let words = score.program.cargo.expect("cargo's options are parsed");
        assert_eq!((words.packages, words.bins), (vec!["b".to_string()], vec!["x".to_string()]));
        assert_eq!(score.program.profile, [std::path::PathBuf::from("p.profdata")]);
        assert_eq!(words.build_profile, "release");
    }
}
