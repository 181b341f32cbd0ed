//! Checks that a profile contains the data that a subcommand needs.

use crate::base::error::{Error, Result};
use crate::base::input::{Input, Language};
use crate::counts::{is_measured, Kind, Profile};
use crate::program::Program;
use bpa_schema::Function;

const IN_C: &str = "clang -O2 -fprofile-instr-generate my.c -o my && ./my && llvm-profdata merge \
                    default.profraw -o my.profdata, then pass --profile my.profdata";
const IN_RUST: &str =
    "rustc -O -Cprofile-generate=DIR my.rs && ./my && llvm-profdata merge DIR -o my.profdata, then pass \
                       --profile my.profdata";
const IN_CARGO: &str =
    "RUSTFLAGS=-Cprofile-generate=DIR cargo build --release, run the program, llvm-profdata merge DIR -o \
                        my.profdata, then pass --profile my.profdata";

/// The shell commands that profile a program in the language of `inputs`.
fn how_to_measure<'a>(inputs: impl IntoIterator<Item = &'a Input>) -> &'static str {
    let mut rust = inputs.into_iter().filter(|input| input.language == Language::Rust);
    match rust.next() {
        Some(Input { command: Some(_), .. }) => IN_CARGO,
        Some(_) => IN_RUST,
        None => IN_C,
    }
}

/// Returns an error if no profile contains data about any of `functions`. The data can come from the profile of
/// `program`, or from the metadata of an IR input.
pub fn require_data<'a>(
    program: &Program,
    functions: impl IntoIterator<Item = &'a Function<'a>>,
) -> Result<()> {
    if functions.into_iter().any(is_measured) {
        return Ok(());
    }
    Err(no_data(program))
}

/// The error for a program without a profile, or with a profile that covers none of the program's functions.
pub fn no_data(program: &Program) -> Error {
    let Some(profile) = &program.profile else {
        return Error::advice("there is no profile", how_to_measure(inputs(program)));
    };
    Error::advice(
        format!("{} has no data about the functions of these files", profile.name),
        "the profile is from another program, from another version of the source, or from a build with other flags: \
         add the flags of the build, including the optimisation level, after --",
    )
}

fn inputs(program: &Program) -> impl Iterator<Item = &Input> {
    program.units.iter().map(|unit| &unit.input)
}

/// Returns an error if there is no profile, and an input is not IR. IR can contain counts.
pub fn require_profile<'a>(
    profile: Option<&Profile>,
    inputs: impl IntoIterator<Item = &'a Input> + Clone,
) -> Result<()> {
    match profile.is_none() && inputs.clone().into_iter().any(|input| input.language != Language::Ir) {
        true => Err(Error::advice("there is no profile", how_to_measure(inputs))),
        false => Ok(()),
    }
}

/// Returns an error if `profile` does not count the branches of the source. Hints need these counts.
///
/// For C and C++, only a front-end profile counts these branches. Clang reads a front-end profile before it removes
/// hints. Clang reads an IR profile only after it has removed hints. For Rust, an IR profile counts these branches. IR
/// inputs can contain counts, so they need no profile.
pub fn require_source_counts<'a>(
    profile: Option<&Profile>,
    inputs: impl IntoIterator<Item = &'a Input> + Clone,
) -> Result<()> {
    let all_are = |language| inputs.clone().into_iter().all(|input| input.language == language);
    if all_are(Language::Ir) {
        return Ok(());
    }
    require_profile(profile, inputs.clone())?;
    let is_of_rust = all_are(Language::Rust);
    match profile {
        None | Some(Profile { kind: Kind::Source, .. }) => Ok(()),
        Some(Profile { kind: Kind::Ir, .. }) if is_of_rust => Ok(()),
        Some(Profile { kind, name, .. }) => Err(Error::advice(
            format!(
                "a hint needs a front-end profile, and {name} is {} {}",
                article(kind.name()),
                kind.name()
            ),
            how_to_measure(inputs),
        )),
    }
}

fn article(noun: &str) -> &'static str {
    if noun.starts_with('I') {
        "an"
    } else {
        "a"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::input::BuildCommand;

    #[test]
    fn commands_fit_the_language() {
        let input = |language, command| Input { path: "a".into(), language, command };
        assert!(how_to_measure([&input(Language::C, None)]).starts_with("clang"));
        assert!(how_to_measure([&input(Language::Rust, None)]).starts_with("rustc"));
        let of_cargo = input(Language::Rust, Some(BuildCommand::default()));
        assert!(how_to_measure([&of_cargo]).contains("cargo build"));
    }
}
