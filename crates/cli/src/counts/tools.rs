//! Finds and runs LLVM's tools for profiles, and parses the totals of a profile.

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

/// The totals of an indexed profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProfileTotals {
    pub functions: u64,
    /// The largest value among the first counters of all functions. In a front-end profile, the first counter of a
    /// function is its entry count.
    pub largest_function_count: u64,
    /// The largest counter that is not the first counter of its function.
    pub largest_block_count: u64,
    /// The sum of all counters. `None` for older versions of llvm-profdata, which do not print this sum.
    pub total_count: Option<u64>,
}

impl ProfileTotals {
    /// Parses the output of `llvm-profdata show FILE`.
    pub fn parse(text: &str) -> Option<Self> {
        let number = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name))?;
            line.trim_start_matches(':').trim().parse().ok()
        };
        Some(ProfileTotals {
            functions: number("Total functions")?,
            largest_function_count: number("Maximum function count")?,
            largest_block_count: number("Maximum internal block count")?,
            total_count: number("Total count"),
        })
    }

    /// The largest counter of the profile.
    pub fn largest_count(&self) -> u64 {
        self.largest_function_count.max(self.largest_block_count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_are_read_with_and_without_a_sum() {
        let text = "Instrumentation level: Front-end\nTotal functions: 4\nMaximum function count: 9999\n\
                    Maximum internal block count: 849637\n";
        let totals = ProfileTotals::parse(text).expect("totals");
        assert_eq!((totals.functions, totals.largest_count(), totals.total_count), (4, 849_637, None));
        let newer =
            ProfileTotals::parse(&format!("{text}Total number of blocks: 17\nTotal count: 1457328\n"));
        assert_eq!(newer.expect("totals").total_count, Some(1_457_328));
        assert_eq!(ProfileTotals::parse("error: empty"), None);
    }
}
