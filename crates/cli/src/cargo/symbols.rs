//! Compares the symbols in a measured profile with the symbols in a build.

use std::collections::HashSet;
use std::path::Path;

use super::build::Build;
use crate::find;

/// If the profile contains functions of the workspace members, but `build` contains none of these functions, returns
/// the target triple of the host. The caller then builds with `--target`.
pub fn other_target(profile: &Path, build: &Build) -> Option<String> {
    let functions = functions(profile, build);
    if functions.is_empty() || has_any(build, &functions) {
        return None;
    }
    let text = find::output(find::rustc()?.0, &["-vV"])?;
    text.lines().find_map(|line| line.strip_prefix("host: ")).map(String::from)
}

/// Returns true if the build contains a function of the profile.
pub fn has_functions_of(profile: &Path, build: &Build) -> bool {
    has_any(build, &functions(profile, build))
}

/// The symbols in the profile that belong to functions of workspace members.
fn functions(profile: &Path, build: &Build) -> HashSet<String> {
    let Some(profdata) = find::newest_tool("llvm-profdata") else { return HashSet::new() };
    let arguments = ["show", "--all-functions", &profile.display().to_string()];
    let text = find::output(profdata, &arguments).unwrap_or_default();
    let crates: Vec<String> = build.units.iter().map(|unit| format!("{}::", unit.crate_name())).collect();
    let is_of_member = |symbol: &&str| {
        let Ok(name) = rustc_demangle::try_demangle(symbol) else { return false };
        let name = format!("{name:#}");
        crates.iter().any(|start| name.starts_with(start) || name.contains(&format!("<{start}")))
    };
    let lines = text.lines().filter_map(|line| line.strip_suffix(':')?.strip_prefix("  "));
    // The tool llvm-profdata prints a module-local function as `MODULE;SYMBOL`.
    let symbols = lines.map(|line| line.rsplit(';').next().unwrap_or(line));
    symbols.filter(is_of_member).map(String::from).collect()
}

fn has_any(build: &Build, symbols: &HashSet<String>) -> bool {
    let files = build.artifacts.iter().filter_map(|path| std::fs::read(path).ok());
    files.into_iter().any(|bytes| symbols_in(&bytes).any(|symbol| symbols.contains(symbol)))
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
