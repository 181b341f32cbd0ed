//! Counts the user's functions in a program, and how many of these functions have a profile.

use std::collections::HashMap;
use std::path::PathBuf;

use bpa_schema::Function;

use crate::counts;
use crate::program::Program;

/// The user's own functions of a program: functions with a body in a file that is not a system header. A function that
/// several modules contain, such as an inline function of a header, is counted once.
#[derive(Debug, Default)]
pub struct OwnFunctions {
    /// Maps each function to true if a profile covers the function.
    profiled: HashMap<Identity, bool>,
}

/// Functions with the same symbol and source position are the same function.
type Identity = (String, PathBuf, Option<u32>);

/// The number of all functions, and the number of profiled functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FunctionCounts {
    pub all: usize,
    /// The number of functions that a profile covers.
    pub profiled: usize,
}

impl OwnFunctions {
    /// Collects the functions that are defined outside of system headers.
    pub fn of<'a>(program: &Program, functions: impl IntoIterator<Item = &'a Function<'a>>) -> Self {
        let mut own = OwnFunctions::default();
        for function in functions {
            let Some(source) = &function.source else { continue };
            let file =
                program.paths.absolute(&program.paths.shown(source.directory.as_deref(), &source.file));
            if !program.system.has(&file) {
                own.add((function.function.to_string(), file, source.line), counts::is_measured(function));
            }
        }
        own
    }

    fn add(&mut self, identity: Identity, is_profiled: bool) {
        *self.profiled.entry(identity).or_default() |= is_profiled;
    }

    /// Adds the functions of another module.
    pub fn extend(&mut self, other: Self) {
        other.profiled.into_iter().for_each(|(identity, is_profiled)| self.add(identity, is_profiled));
    }

    pub fn counts(&self) -> FunctionCounts {
        let profiled = self.profiled.values().filter(|is_profiled| **is_profiled).count();
        FunctionCounts { all: self.profiled.len(), profiled }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_several_modules_count_once() {
        let of = |functions: &[(&str, &str, bool)]| {
            let mut own = OwnFunctions::default();
            for (symbol, file, is_profiled) in functions {
                own.add((symbol.to_string(), file.into(), Some(1)), *is_profiled);
            }
            own
        };
        let mut own = of(&[("inline", "/a.h", false), ("main", "/a.c", true), ("local", "/a.c", true)]);
        own.extend(of(&[("inline", "/a.h", true), ("local", "/b.c", false)]));
        assert_eq!(own.counts(), FunctionCounts { all: 4, profiled: 3 });
    }
}
