//! Finds and runs LLVM's tools for profiles.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::base::error::{Error, Result};
use crate::base::process;
use crate::toolchain::find::{self, Toolchain};

/// The path of llvm-profdata of LLVM `version`.
pub fn profdata(version: u32) -> Option<PathBuf> {
    find::tool(version, "llvm-profdata")
}

/// The path of the library that `clang` links into instrumented programs, if it is installed.
pub fn runtime(clang: &Path) -> Option<PathBuf> {
    let printed = |name: &str| {
        let argument = format!("-print-file-name={name}");
        let path = PathBuf::from(find::output(clang, &[&argument])?.trim());
        path.is_file().then_some(path)
    };
    let folder = || Some(PathBuf::from(find::output(clang, &["-print-runtime-dir"])?.trim()));
    let beside = |name: &str| folder().map(|folder| folder.join(name)).filter(|path| path.is_file());
    let resources = || {
        let root = PathBuf::from(find::output(clang, &["-print-resource-dir"])?.trim()).join("lib/linux");
        let files = std::fs::read_dir(root).ok()?;
        files.flatten().map(|file| file.path()).find(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("libclang_rt.profile") && name.contains(std::env::consts::ARCH)
        })
    };
    printed("libclang_rt.profile.a").or_else(|| beside("libclang_rt.profile.a")).or_else(resources)
}

/// Runs llvm-profdata of `toolchain`. Returns the standard output on success, and the standard error as an `Err` on
/// failure.
pub fn run_profdata(
    toolchain: &Toolchain,
    arguments: impl FnOnce(&mut Command) -> &mut Command,
) -> Result<std::result::Result<String, String>> {
    let version = toolchain.version;
    let tool = profdata(version).ok_or_else(|| {
        Error::advice(
            format!("llvm-profdata of LLVM {version} is not installed"),
            format!("install it: apt-get install llvm-{version}; it reads and merges profiles"),
        )
    })?;
    run(&tool, arguments)
}

/// Runs `tool`. Returns the output on success, and the standard error as an `Err` on failure.
pub fn run(
    tool: &Path,
    arguments: impl FnOnce(&mut Command) -> &mut Command,
) -> Result<std::result::Result<String, String>> {
    let mut command = Command::new(tool);
    arguments(&mut command);
    let done = process::output(&mut command).map_err(|source| Error::Run { program: tool.into(), source })?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_string();
    Ok(match done.status.success() {
        true => Ok(text(&done.stdout)),
        false => Err(text(&done.stderr)),
    })
}
