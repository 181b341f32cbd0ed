//! `cargo bpa`: analyses cargo projects.
//!
//! > options of cargo -> `cargo build` with a wrapper -> command lines of the members -> one input per target

mod build;
mod command;
mod options;
pub mod record;
mod symbols;

use std::path::Path;

use crate::error::{Error, Result};
use crate::input::{BuildCommand, Input, Language};
use crate::messages;

pub use build::manifest_of;
pub use command::{command, parse};
pub use options::BuildOptions;

use build::{Unit, Workspace};

/// Builds a cargo project, and returns an input for each target. The build uses `--target` if the symbols in `profile`
/// come from a build with `--target`.
pub fn inputs(options: &BuildOptions, profile: Option<&Path>) -> Result<Vec<Input>> {
    let workspace = Workspace::read(options)?;
    let mut build = workspace.build(options)?;
    if let (Some(profile), None) = (profile, &options.target) {
        // `cargo pgo` builds with `--target`. This option changes the names of symbols.
        if let Some(host) = symbols::other_target(profile, &build) {
            let with_target = BuildOptions { target: Some(host.clone()), ..options.clone() };
            let other = workspace.build(&with_target)?;
            if symbols::has_functions_of(profile, &other) {
                messages::note(&format!(
                    "the profile comes from a build with --target {host}, so bpa builds with the same option"
                ));
                build = other;
            }
        }
    }
    if let Some(spec) = options.packages.iter().find(|spec| !build.has_package(spec)) {
        return Err(Error::advice(
            format!("the workspace has no library and no program of {spec}"),
            "bpa analyses the members of the workspace and path dependencies. If a member contains inlined code of \
             another dependency, --system shows the branches of this code",
        ));
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
