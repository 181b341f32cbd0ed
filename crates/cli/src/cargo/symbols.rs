//! Compares the symbols in a measured profile with the symbols in a build.

use std::collections::HashSet;
use std::path::Path;

use super::build::Build;
use crate::find;

/// The functions of workspace members in a profile.
pub struct Profiled {
    symbols: HashSet<String>,
    /// The demangled names of the symbols, without hashes.
    names: HashSet<String>,
}

impl Profiled {
    pub fn read(profile: &Path, build: &Build) -> Self {
        let text = find::newest_tool("llvm-profdata").and_then(|profdata| {
            find::output(profdata, &["show", "--all-functions", &profile.display().to_string()])
        });
        let crates: Vec<String> = build.units.iter().map(|unit| format!("{}::", unit.crate_name())).collect();
        let is_of_member = |name: &String| {
            crates.iter().any(|start| name.starts_with(start) || name.contains(&format!("<{start}")))
        };
        let text = text.unwrap_or_default();
        let lines = text.lines().filter_map(|line| line.strip_suffix(':')?.strip_prefix("  "));
        // The tool llvm-profdata prints a module-local function as `MODULE;SYMBOL`.
        let symbols = lines.map(|line| line.rsplit(';').next().unwrap_or(line));
        let named = symbols.filter_map(|symbol| Some((symbol.to_string(), name_of(symbol)?)));
        let (symbols, names) = named.filter(|(_, name)| is_of_member(name)).unzip();
        Profiled { symbols, names }
    }

    /// If the profile contains functions of the workspace members, but `build` contains none of these functions,
    /// returns the target triple of the host. The caller then builds with `--target`.
    pub fn other_target(&self, build: &Build) -> Option<String> {
        if self.symbols.is_empty() || self.is_in(build) {
            return None;
        }
        let text = find::output(find::rustc()?.0, &["-vV"])?;
        text.lines().find_map(|line| line.strip_prefix("host: ")).map(String::from)
    }

    /// Returns true if the build contains a function of the profile.
    pub fn is_in(&self, build: &Build) -> bool {
        files(build).any(|bytes| symbols_in(&bytes).any(|symbol| self.symbols.contains(symbol)))
    }

    /// The number of names that the profile and `build` share, and the number of these names that have the same hash
    /// in both.
    pub fn shared(&self, build: &Build) -> (usize, usize) {
        let (mut shared, mut same) = (HashSet::new(), HashSet::new());
        for bytes in files(build) {
            for symbol in symbols_in(&bytes) {
                let Some(name) = name_of(symbol).filter(|name| self.names.contains(name)) else { continue };
                if self.symbols.contains(symbol) {
                    same.insert(name.clone());
                }
                shared.insert(name);
            }
        }
        (shared.len(), same.len())
    }
}

/// The demangled name of a Rust symbol, without the hash.
fn name_of(symbol: &str) -> Option<String> {
    rustc_demangle::try_demangle(symbol).ok().map(|name| format!("{name:#}"))
}

fn files(build: &Build) -> impl Iterator<Item = Vec<u8>> {
    build.artifacts.iter().filter_map(|path| std::fs::read(path).ok())
}

/// All byte sequences in a file that begin like mangled Rust names.
fn symbols_in(bytes: &[u8]) -> impl Iterator<Item = &str> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$.".contains(byte);
    let words = bytes.split(move |byte| !is_part(byte)).filter_map(|word| std::str::from_utf8(word).ok());
    words.filter(|word| word.starts_with("_ZN") || word.starts_with("_R"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_found_between_other_bytes() {
        let bytes = b"\0\x7fELF\0_ZN1a3sum17h34cb16e50f71845bE\0main\0_RNvCs1_1a3add\0";
        let found: Vec<&str> = symbols_in(bytes).collect();
        assert_eq!(found, ["_ZN1a3sum17h34cb16e50f71845bE", "_RNvCs1_1a3add"]);
    }
}
