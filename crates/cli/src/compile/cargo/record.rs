//! Records the command lines with which cargo compiles the members of a workspace.
//!
//! `cargo bpa` sets itself as cargo's RUSTC_WRAPPER. After each compilation of a workspace member, the wrapper prints
//! the command line as a compiler message. If a member is up to date, cargo does not compile the member, but prints the
//! compiler messages of the previous compilation again. Therefore bpa always gets the command line for the requested
//! features, build profile and target.
//!
//! RUSTC_WORKSPACE_WRAPPER is not used because it changes `-Cmetadata`. The flag `-Cmetadata` changes the symbols by
//! which a profile identifies functions.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use serde::{Deserialize, Serialize};

use crate::toolchain::cache::KeyBuilder;

/// If this environment variable is set, this process is the wrapper.
pub const IS_WRAPPER: &str = "BPA_CARGO_WRAPPER";
/// In this environment variable, `cargo bpa` passes a list to the wrapper: a [hash](hash) for each environment variable
/// of `cargo bpa`, one per line.
pub const INHERITED: &str = "BPA_CARGO_INHERITED";
/// The environment variable in which the wrapper finds the user's value of RUSTC_WRAPPER.
pub const INNER: &str = "BPA_CARGO_INNER_WRAPPER";
/// The text of the compiler message that contains a [`Record`].
pub const MESSAGE: &str = "bpa: the command line of this compilation";

/// The command line and environment of one compilation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    pub rustc: PathBuf,
    pub directory: PathBuf,
    pub arguments: Vec<String>,
    /// The environment variables that cargo and build scripts set.
    pub environment: BTreeMap<String, String>,
}

impl Record {
    /// The name of the package.
    pub fn package(&self) -> &str {
        self.environment.get("CARGO_PKG_NAME").map_or("", String::as_str)
    }

    /// Sets the `rust-version` of the package. If only the `rust-version` changes, cargo compiles nothing, and the
    /// recorded environment contains the old version. A crate that reads the variable is compiled again.
    pub fn set_rust_version(&mut self, version: &str) {
        let name = "CARGO_PKG_RUST_VERSION";
        let recorded = self.environment.get(name).map_or("", String::as_str);
        // If the file Cargo.toml contains `1.85`, cargo's metadata contains `1.85.0`.
        if recorded != version && !version.starts_with(&format!("{recorded}.")) {
            self.environment.insert(name.into(), version.into());
        }
    }
}

/// A compiler message in rustc's JSON format. The message contains a record.
#[derive(Serialize)]
struct Message<'a> {
    #[serde(rename = "$message_type")]
    message_type: &'static str,
    message: &'static str,
    code: Option<()>,
    level: &'static str,
    spans: [(); 0],
    children: [(); 0],
    rendered: &'static str,
    bpa: &'a Record,
}

/// If this environment variable is set, rustc has started this process as the linker, and the process must not link.
pub const NO_LINKER: &str = "BPA_NO_LINKER";

/// If cargo has started this process as the wrapper, runs the compilation. If rustc has started this process as the
/// linker, does nothing. Otherwise returns `None`.
pub fn as_child(arguments: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    if std::env::var_os(NO_LINKER).is_some() {
        return Some(ExitCode::SUCCESS);
    }
    std::env::var_os(IS_WRAPPER).map(|_| compile(arguments))
}

/// Runs the compilation. `arguments` contains the name of the wrapper, the name of rustc, and the arguments of rustc.
fn compile(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let words: Vec<OsString> = arguments.into_iter().skip(1).collect();
    let Some((rustc, given)) = words.split_first() else { return ExitCode::FAILURE };
    let given: Vec<OsString> = without_lto(given);
    let mut command = match std::env::var_os(INNER) {
        Some(inner) => {
            let mut command = Command::new(inner);
            command.arg(rustc);
            command
        }
        None => Command::new(rustc),
    };
    match command.args(&given).status() {
        Ok(status) if status.success() => {
            if let Some(record) = record(rustc, &given) {
                let message = Message {
                    message_type: "diagnostic",
                    message: MESSAGE,
                    code: None,
                    level: "note",
                    spans: [],
                    children: [],
                    rendered: "",
                    bpa: &record,
                };
                eprintln!("{}", serde_json::to_string(&message).expect("strings are JSON"));
            }
            ExitCode::SUCCESS
        }
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => {
            eprintln!("error: cannot run {}: {error}", rustc.to_string_lossy());
            ExitCode::FAILURE
        }
    }
}

/// Removes `-Cstrip` and the flags for link-time optimisation from `arguments`. The program is never run, and bpa
/// reads only its symbols.
fn without_lto(arguments: &[OsString]) -> Vec<OsString> {
    let mut kept: Vec<OsString> = Vec::new();
    for argument in arguments {
        let text = argument.to_string_lossy();
        let is_behind_c = kept.last().is_some_and(|before| before == "-C");
        let option = text.strip_prefix("-C").or(is_behind_c.then_some(&*text));
        let is_dropped = option.is_some_and(|option| {
            let name = option.split('=').next().unwrap_or_default();
            ["lto", "linker-plugin-lto", "strip"].contains(&name)
        });
        match is_dropped {
            true if is_behind_c => drop(kept.pop()),
            true => {}
            false => kept.push(argument.clone()),
        }
    }
    kept
}

/// The record of a compilation. Returns `None` if rustc does not compile, but prints information.
fn record(rustc: &OsString, arguments: &[OsString]) -> Option<Record> {
    let arguments: Vec<String> =
        arguments.iter().map(|word| word.to_str().map(String::from)).collect::<Option<_>>()?;
    if !arguments.iter().any(|word| word == "--out-dir") {
        return None;
    }
    let inherited = std::env::var(INHERITED).unwrap_or_default();
    let inherited: HashSet<&str> = inherited.lines().collect();
    let is_ours = |name: &str, value: &str| {
        // MAKEFLAGS refers to cargo's job server. The job server ends before bpa runs the recorded command.
        let is_over = name == "MAKEFLAGS" || name == "CARGO_MAKEFLAGS";
        let is_secret = name.starts_with("CARGO_REGISTR") && name.ends_with("_TOKEN");
        // Rustup adds folders to PATH.
        if is_over || is_secret || name.starts_with("BPA_CARGO_") || name == "RUSTC_WRAPPER" || name == "PATH"
        {
            return false;
        }
        let is_cargos = name == "CARGO" || name.starts_with("CARGO_");
        let is_search_path = ["LD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "OUT_DIR"].contains(&name);
        is_cargos || is_search_path || !inherited.contains(&*hash(name, value))
    };
    let environment = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, value)| is_ours(name, value))
        .collect();
    Some(Record { rustc: rustc.into(), directory: std::env::current_dir().ok()?, arguments, environment })
}

/// A hexadecimal hash of an environment variable. The list of all variables with their values could be too long for an
/// environment variable.
pub fn hash(name: &str, value: &str) -> String {
    KeyBuilder::new("variable").text(name).text(value).finish().hex()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_time_optimisation_is_removed() {
        let kept = |words: &[&str]| {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            without_lto(&words).into_iter().map(|word| word.into_string().expect("text")).collect::<Vec<_>>()
        };
        let words =
            ["-C", "lto", "-C", "opt-level=3", "-Clto=fat", "-C", "linker-plugin-lto", "-Cstrip=symbols"];
        assert_eq!(kept(&words), ["-C", "opt-level=3"]);
        assert_eq!(kept(&["--crate-name", "lto", "lto.rs"]), ["--crate-name", "lto", "lto.rs"]);
    }
}
