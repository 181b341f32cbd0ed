//! `cargo bpa`: projects of cargo's as programs to look at.
//!
//! > options of cargo -> `cargo build` with a wrapper -> command lines of the members -> inputs like those of a
//! > compilation database

mod build;
mod command;
pub mod record;
mod symbols;
mod words;

use std::path::Path;

use crate::error::Result;
use crate::input::{BuildCommand, Input, Language};
use crate::messages;

pub use build::manifest_of;
pub use command::{command, parse};
pub use words::Words;

use build::{Unit, Workspace};

/// The targets of a project, each of which becomes an input. With a measured profile, they are built so that its functions
/// are found.
pub fn inputs(words: &Words, profile: Option<&Path>) -> Result<Vec<Input>> {
    let workspace = Workspace::read(words)?;
    let mut build = workspace.build(words)?;
    if let (Some(profile), None) = (profile, &words.target) {
        // `cargo pgo` names the target, and symbols depend on whether it is named.
        if let Some(host) = symbols::other_target(profile, &build) {
            let with_target = Words { target: Some(host.clone()), ..words.clone() };
            let other = workspace.build(&with_target)?;
            if symbols::has_functions_of(profile, &other) {
                messages::note(&format!(
                    "the profile is of a build with --target {host}, which is taken here, too"
                ));
                build = other;
            }
        }
    }
    Ok(build.units.into_iter().map(input).collect())
}

fn input(unit: Unit) -> Input {
    let Unit { record, root } = unit;
    let arguments = crate::rust::flags::of_build(&record.arguments);
    let compiler = Some(record.rustc);
    let command =
        BuildCommand { directory: record.directory, arguments, compiler, environment: record.environment };
    Input { path: root, language: Language::Rust, command: Some(command) }
}
