//! Finds the installed tools: clang and `opt` of each LLVM version, and rustc.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use crate::base::error::{Error, Result};
use crate::base::process;

pub use bpa_schema::LLVM_VERSIONS as SUPPORTED;

/// The tools of one LLVM version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toolchain {
    pub version: u32,
    pub opt: PathBuf,
    pub clang: Option<PathBuf>,
}

impl Toolchain {
    /// The tools of LLVM `version`, if its `opt` is installed.
    pub fn of(version: u32) -> Option<Self> {
        let opt = tool(version, "opt")?;
        Some(Toolchain { version, opt, clang: tool(version, "clang") })
    }

    /// All installed versions, the newest first.
    pub fn installed() -> Vec<Self> {
        SUPPORTED.rev().filter_map(Self::of).collect()
    }

    pub fn clang(&self) -> Result<&Path> {
        self.clang.as_deref().ok_or_else(|| {
            let version = self.version;
            Error::advice(
                format!("opt of LLVM {version} is installed, but clang-{version} is not"),
                format!("install it: apt-get install clang-{version}; or select another version with --llvm"),
            )
        })
    }
}

/// Finds a tool of LLVM `version`. Searches these places in this order:
///
/// 1. the prefix in an environment variable, for example `LLVM_SYS_191_PREFIX`;
/// 2. the folder in which Linux distributions install LLVM;
/// 3. the folders in `PATH`: the file name contains the version, for example `opt-19`;
/// 4. the folder that llvm-config prints;
/// 5. the folders in `PATH`: the file name contains no version, for example `opt`.
pub fn tool(version: u32, name: &str) -> Option<PathBuf> {
    let versioned = format!("{name}-{version}");
    let prefixes = [prefix(version), Some(PathBuf::from(format!("/usr/lib/llvm-{version}")))];
    let under_prefixes = prefixes.into_iter().flatten().map(|prefix| prefix.join("bin").join(name));
    let first = under_prefixes.chain(on_path(&versioned)).find(|path| path.is_file());
    first.or_else(|| {
        let config = on_path(&format!("llvm-config-{version}")).or_else(|| on_path("llvm-config"));
        let beside = config
            .filter(|config| version_of(config) == Some(version))
            .and_then(|config| output(&config, &["--bindir"]))
            .map(|folder| Path::new(folder.trim()).join(name))
            .filter(|path| path.is_file());
        beside.or_else(|| on_path(name).filter(|path| version_of(path) == Some(version)))
    })
}

/// A tool of the newest installed LLVM version.
pub fn newest_tool(name: &str) -> Option<PathBuf> {
    SUPPORTED.rev().find_map(|version| tool(version, name))
}

/// The prefix in an environment variable such as `LLVM_SYS_191_PREFIX`. This variable also selects the LLVM
/// installation for builds of the plugin.
fn prefix(version: u32) -> Option<PathBuf> {
    (0..=1).find_map(|minor| std::env::var_os(format!("LLVM_SYS_{version}{minor}_PREFIX"))).map(PathBuf::from)
}

/// The path of a program on the search path.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// The major LLVM version in the output of `--version`.
fn version_of(tool: &Path) -> Option<u32> {
    version_in(&output(tool, &["--version"])?)
}

/// The first version number in the output of `--version`. The tool llvm-config prints only the version number. Other
/// tools print the version number after the word `version`.
fn version_in(text: &str) -> Option<u32> {
    let after = text.split_once("version ").map_or(text, |(_, after)| after);
    after.trim_start().split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// The standard output of a program, if the program succeeds.
pub fn output(program: impl AsRef<OsStr>, arguments: &[&str]) -> Option<String> {
    let done = process::output(Command::new(program).args(arguments)).ok()?;
    done.status.success().then(|| String::from_utf8_lossy(&done.stdout).into_owned())
}

/// The LLVM version of the first rustc that bpa supports. rustc 1.73 is the first version on LLVM 17. Earlier versions
/// of LLVM do not have the option `-ir-dump-directory`, with which bpa gets the IR of each codegen unit.
pub const FIRST_OF_RUSTC: u32 = 17;

/// The path of rustc, and the output of `rustc -vV`.
static RUSTC: LazyLock<Option<(PathBuf, String)>> = LazyLock::new(|| {
    let rustc = std::env::var_os("RUSTC").map(PathBuf::from).or_else(|| on_path("rustc"))?;
    let text = output(&rustc, &["-vV"])?;
    Some((rustc, text))
});

/// The path of rustc, and its LLVM version.
pub fn rustc() -> Option<(PathBuf, u32)> {
    let (rustc, text) = RUSTC.as_ref()?;
    let version = version_in(text.split_once("LLVM version: ")?.1)?;
    Some((rustc.clone(), version))
}

/// The output of `rustc -vV`.
pub fn rustc_version() -> Option<&'static str> {
    RUSTC.as_ref().map(|(_, text)| text.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_parsed_from_tool_output() {
        assert_eq!(version_in("16.0.6\n"), Some(16));
        assert_eq!(version_in("Debian LLVM version 19.1.7\n  Optimized build."), Some(19));
        assert_eq!(version_in("Debian clang version 14.0.6\nTarget: x86_64"), Some(14));
        assert_eq!(version_in("GNU ld"), None);
    }
}
