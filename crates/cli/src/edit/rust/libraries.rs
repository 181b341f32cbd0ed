//! Compiles the edited libraries of a copied project. A generic function of a library is compiled in the crates that
//! call the function. To compile such a function, rustc reads the function from the compiled library.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::base::error::{Error, Result};
use crate::base::input::{BuildCommand, Input};
use crate::base::process;
use crate::compile::{crates, rustc_flags};

/// A library that must be recompiled.
pub struct Library {
    /// The index of the library in the inputs.
    input: usize,
    file_name: OsString,
}

/// The libraries in `inputs` that must be recompiled: edited libraries, and libraries that use a recompiled library.
/// A library is left out if no input uses it. In the result, each library comes after the libraries that it uses.
pub fn changed(inputs: &[&Input], is_edited: impl Fn(&Input) -> bool) -> Vec<Library> {
    let builds = inputs.iter().filter_map(|input| input.command.as_ref());
    let used: BTreeSet<OsString> =
        builds.flat_map(|build| rustc_flags::libraries(&build.arguments)).filter_map(file_name).collect();
    let mut changed: Vec<Library> = Vec::new();
    loop {
        let before = changed.len();
        for (number, input) in inputs.iter().enumerate() {
            let Some(build) = input.command.as_ref().filter(|build| is_library(build)) else { continue };
            let is_new = changed.iter().all(|library| library.input != number);
            let file_name = output(build).filter(|name| used.contains(name));
            if let (true, Some(file_name)) =
                (is_new && (is_edited(input) || uses_any(build, &changed)), file_name)
            {
                changed.push(Library { input: number, file_name });
            }
        }
        if changed.len() == before {
            return changed;
        }
    }
}

/// Returns true if `build` uses one of `libraries`.
pub fn uses_any(build: &BuildCommand, libraries: &[Library]) -> bool {
    let used = || rustc_flags::libraries(&build.arguments).filter_map(file_name);
    libraries.iter().any(|library| used().any(|name| name == library.file_name))
}

/// Compiles the libraries that [`changed`] returns, and writes the results to `folder`. `in_copy` converts the build
/// command of an input to the command for the copied project.
pub fn build(
    inputs: &[&Input],
    is_edited: impl Fn(&Input) -> bool,
    in_copy: impl Fn(&BuildCommand) -> BuildCommand,
    folder: &Path,
) -> Result<()> {
    let builds = changed(inputs, is_edited).into_iter().filter_map(|one| inputs[one.input].command.as_ref());
    for build in builds {
        compile(&with(&in_copy(build), folder), folder)?;
    }
    Ok(())
}

/// Changes `build` to use the recompiled libraries in `folder`.
pub fn with(build: &BuildCommand, folder: &Path) -> BuildCommand {
    let moved = |word: &String| match word.split_once('=') {
        Some((name, path)) if in_folder(path, folder).is_file() => {
            format!("{name}={}", in_folder(path, folder).display())
        }
        _ => word.clone(),
    };
    let mut arguments: Vec<String> = build.arguments.iter().map(moved).collect();
    arguments.push(format!("-Ldependency={}", folder.display()));
    BuildCommand { arguments, ..build.clone() }
}

/// The file name of the library that `build` writes.
fn output(build: &BuildCommand) -> Option<OsString> {
    let value = |name: &str| {
        let place = build.arguments.iter().position(|word| word == name)?;
        build.arguments.get(place + 1)
    };
    let suffix = build.arguments.iter().find_map(|word| word.strip_prefix("-Cextra-filename="));
    Some(format!("lib{}{}.rlib", value("--crate-name")?, suffix.unwrap_or_default()).into())
}

/// The file name of a library. `path` is the path of the library (`.rlib`) or of its metadata (`.rmeta`).
fn file_name(path: &str) -> Option<OsString> {
    Path::new(path).with_extension("rlib").file_name().map(OsString::from)
}

fn in_folder(path: &str, folder: &Path) -> PathBuf {
    folder.join(file_name(path).unwrap_or_default())
}

fn is_library(build: &BuildCommand) -> bool {
    let words = build.arguments.iter();
    words
        .clone()
        .zip(words.skip(1))
        .any(|(word, kind)| word == "--crate-type" && (kind == "lib" || kind == "rlib"))
}

fn compile(build: &BuildCommand, folder: &Path) -> Result<()> {
    let mut command = crates::rustc(build)?;
    // Other crates read only the metadata and MIR of the library, so no code is generated.
    command.args([crates::NO_CODE, "-Cno-prepopulate-passes", "--emit=link", "--out-dir"]).arg(folder);
    let program = PathBuf::from(command.get_program());
    let done = process::output(&mut command).map_err(|source| Error::Run { program, source })?;
    match done.status.success() {
        true => Ok(()),
        false => Err(Error::advice(String::from_utf8_lossy(&done.stderr), "")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_in_the_folder_replace_others() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("liba-1.rlib"), "").expect("a file");
        let words = ["--extern", "a=/t/liba-1.rmeta", "--extern", "b=/t/libb-2.rlib", "--crate-type", "lib"];
        let build = BuildCommand { arguments: words.map(String::from).into(), ..BuildCommand::default() };
        assert!(is_library(&build));
        let there = folder.path().display();
        let wanted = [format!("a={there}/liba-1.rlib"), format!("-Ldependency={there}")];
        let moved = with(&build, folder.path()).arguments;
        assert_eq!([&moved[1], &moved[6]], [&wanted[0], &wanted[1]]);
        assert_eq!(moved[3], "b=/t/libb-2.rlib");
    }
}
