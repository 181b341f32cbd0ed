//! Compares the symbols in a measured profile with the symbols in a build.

use std::collections::HashSet;
use std::path::Path;

use super::build::Build;
use crate::base::demangle;
use crate::toolchain::find;

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
        let named = symbols.filter_map(|symbol| Some((symbol.to_string(), demangle::of_rust(symbol)?)));
        let (symbols, names) = named.filter(|(_, name)| is_of_member(name)).unzip();
        Profiled { symbols, names }
    }

    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }

    /// Compares the symbols of the profile with the symbols of `build`.
    pub fn shared(&self, build: &Build) -> Shared {
        let (mut names, mut same) = (HashSet::new(), HashSet::new());
        for bytes in build.artifacts.iter().filter_map(|path| std::fs::read(path).ok()) {
            for symbol in symbols_in(&bytes) {
                let Some(name) = demangle::of_rust(symbol).filter(|name| self.names.contains(name)) else {
                    continue;
                };
                if self.symbols.contains(symbol) {
                    same.insert(name.clone());
                }
                names.insert(name);
            }
        }
        Shared { names: names.len(), same: same.len() }
    }
}

/// The functions that a profile and a build share.
pub struct Shared {
    /// The number of functions with equal names.
    pub names: usize,
    /// The number of these functions whose symbols have the same hash in both.
    pub same: usize,
}

/// The target triple of the host.
pub fn host() -> Option<String> {
    let text = find::rustc_version()?;
    text.lines().find_map(|line| line.strip_prefix("host: ")).map(String::from)
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
