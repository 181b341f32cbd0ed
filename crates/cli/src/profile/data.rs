//! Whether a profile has the data that a command needs.

use super::{Kind, Profile};
use crate::error::{Error, Result};
use crate::input::Language;
use crate::program::Program;
use bpa_schema::Function;

/// How a C program is measured.
pub const HOW_TO_MEASURE: &str =
    "clang -O2 -fprofile-instr-generate my.c -o my && ./my && llvm-profdata merge \
                                  default.profraw -o my.profdata, then name it: --profile my.profdata";

/// Whether a profile has data about `function`.
pub fn is_measured(function: &Function) -> bool {
    function.entry_count.as_ref().is_some_and(|entries| !entries.synthetic)
}

/// Succeeds if measured data of some of `functions` are there: of `profile`, or of a module that is read as it is.
pub fn require_data<'a>(
    profile: Option<&Profile>,
    functions: impl IntoIterator<Item = &'a Function<'a>>,
) -> Result<()> {
    if functions.into_iter().any(is_measured) {
        return Ok(());
    }
    Err(no_data(profile))
}

/// There is no profile, or none of these functions.
pub fn no_data(profile: Option<&Profile>) -> Error {
    let Some(profile) = profile else {
        return Error::advice("there is no profile", HOW_TO_MEASURE);
    };
    Error::advice(
        format!("{} has no data about the functions of these files", profile.name),
        "the profile is of another program or of another version of the source, or the files were compiled with other flags: \
         add the flags of the build, the optimisation level among them, after --",
    )
}

/// Succeeds if the profile of `program` is one that clang's front end reads, before hints of the source are gone. Modules
/// that are read as they are may have their own.
pub fn require_source_counts(program: &Program) -> Result<()> {
    if program.units.iter().all(|unit| unit.input.language == Language::Ir) {
        return Ok(());
    }
    match &program.profile {
        None => Err(Error::advice("there is no profile", HOW_TO_MEASURE)),
        Some(Profile { kind: Kind::Source, .. }) => Ok(()),
        Some(Profile { kind, name, .. }) => Err(Error::advice(
            format!(
                "a hint needs a front-end profile, and {name} is {} {}",
                article(kind.name()),
                kind.name()
            ),
            HOW_TO_MEASURE,
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
