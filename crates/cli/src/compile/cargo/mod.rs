//! `cargo bpa`: analyses cargo projects.
//!
//! > options of cargo -> `cargo build` with a wrapper -> command lines of the members -> one input per target

mod build;
pub mod record;
mod symbols;

use std::path::Path;

use crate::args::BuildOptions;
use crate::base::error::{Error, Result};
use crate::base::input::{BuildCommand, Input, Language};
use crate::base::messages;
use crate::base::shares;

pub use build::manifest_of;

use build::{Unit, Workspace};
use symbols::{Profiled, Shared};

/// Builds a cargo project, and returns an input for each target. The build uses `--target` if the symbols in `profile`
/// come from a build with `--target`.
pub fn inputs(options: &BuildOptions, profile: Option<&Path>) -> Result<Vec<Input>> {
    let workspace = Workspace::read(options)?;
    let mut build = workspace.build(options)?;
    if let Some(profile) = profile {
        let profiled = Profiled::read(profile, &build);
        let mut shared = profiled.shared(&build);
        // `cargo pgo` builds with `--target`. This option changes the names of symbols.
        let is_other = options.target.is_none() && shared.same == 0 && !profiled.is_empty();
        if let Some(host) = is_other.then(symbols::host).flatten() {
            let with_target = BuildOptions { target: Some(host.clone()), ..options.clone() };
            let other = workspace.build(&with_target)?;
            let in_other = profiled.shared(&other);
            if in_other.same > 0 {
                messages::note(&format!(
                    "the profile comes from a build with --target {host}, so bpa builds with the same option"
                ));
                (build, shared) = (other, in_other);
            }
        }
        note_other_hashes(&shared);
    }
    if let Some(spec) = options.packages.iter().find(|spec| !build.has_package(spec)) {
        return Err(Error::advice(
            format!("the workspace has no library and no program of {spec}"),
            "bpa analyses the members of the workspace and path dependencies, but no procedural macros. If a member \
             contains inlined code of another dependency, --system shows the branches of this code",
        ));
    }
    if build.units.is_empty() {
        return Err(Error::advice(
            "the project has no library and no program whose code bpa can analyse",
            "procedural macros and build scripts run in the compiler, and build scripts compile C code without \
             cargo: for C code, use a compile_commands.json (bear -- cargo build)",
        ));
    }
    Ok(build.units.into_iter().map(input).collect())
}

/// Prints a note if most symbols that a profile shares with the build have another hash in the build. The hash depends
/// on the options of cargo.
fn note_other_hashes(shared: &Shared) {
    let others = shared.names - shared.same;
    if shared.same < others {
        messages::note(&format!(
            "{} of {} functions in the profile have another hash in their symbols than in this build: repeat the \
             options of the profiled build, such as --features, -p and --target, and its variables CARGO_PROFILE_*",
            shares::grouped(others),
            shares::grouped(shared.names)
        ));
    }
}

fn input(unit: Unit) -> Input {
    let Unit { record, root } = unit;
    let arguments = crate::compile::rustc_flags::of_build(&record.arguments);
    let compiler = Some(record.rustc);
    let command = BuildCommand {
        directory: record.directory,
        arguments,
        compiler,
        environment: record.environment,
        remark: None,
    };
    Input { path: root, language: Language::Rust, command: Some(command) }
}
