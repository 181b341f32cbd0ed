//! Determines the syntax of hints. The syntax depends on the language of a file, and on the version of the language.

use super::branches::MeasuredBranch;
use super::places::Place;
use crate::base::input::{Input, Language};
use crate::program::Program;

/// The syntax of hints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dialect {
    /// C, and C++ before C++20. In C, clang ignores `[[likely]]`.
    BuiltinExpect,
    /// C++20 and later.
    Attributes,
    Rust,
    /// IR from an unknown source language.
    Unknown,
}

/// The hint syntax for the source position `place`. The syntax must be valid in every module that has a branch at this
/// position.
pub fn of(place: &Place, branches: &[MeasuredBranch], program: &Program, flags: &[String]) -> Dialect {
    let modules = place.branches.iter().map(|&index| branches[index].module);
    let dialects = modules.map(|module| of_input(&program.units[module].input, flags));
    let least = dialects.min().unwrap_or(Dialect::Unknown);
    let file = branches[place.branches[0]].frame().map_or("", |frame| &*frame.file);
    match least {
        // IR contains the file name of the source in its debug information.
        Dialect::Unknown if file.ends_with(".rs") => Dialect::Rust,
        Dialect::Unknown if !file.is_empty() => Dialect::BuiltinExpect,
        known => known,
    }
}

fn of_input(input: &Input, flags: &[String]) -> Dialect {
    match input.language {
        Language::Rust => Dialect::Rust,
        Language::Ir => Dialect::Unknown,
        Language::C => Dialect::BuiltinExpect,
        Language::Cxx if is_cxx20(input.flags().iter().chain(flags)) => Dialect::Attributes,
        Language::Cxx => Dialect::BuiltinExpect,
    }
}

/// Returns true if the last `-std=` flag selects C++20 or later. Without a `-std=` flag, clang uses a
/// standard before C++20.
fn is_cxx20<'f>(flags: impl DoubleEndedIterator<Item = &'f String>) -> bool {
    let standard = |flag: &'f String| flag.strip_prefix("-std=").or_else(|| flag.strip_prefix("--std="));
    let last = flags.rev().find_map(standard);
    let version = last.and_then(|name| name.strip_prefix("c++").or_else(|| name.strip_prefix("gnu++")));
    version.is_some_and(|version| !["98", "03", "0x", "11", "1y", "14", "1z", "17"].contains(&version))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_need_cxx20() {
        let is_later =
            |flags: &[&str]| is_cxx20(flags.iter().map(|flag| flag.to_string()).collect::<Vec<_>>().iter());
        assert!(is_later(&["-std=c++17", "-std=gnu++20"]));
        assert!(is_later(&["-std=c++2b"]));
        for flags in [&["-std=c++20", "-std=c++17"] as &[_], &["-std=c2x"], &["-std=gnu++1z"], &[]] {
            assert!(!is_later(flags), "{flags:?}");
        }
    }
}
