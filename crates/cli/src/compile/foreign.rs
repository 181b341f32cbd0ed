//! Flags that a compilation database has for another compiler, and which clang does not know.
//!
//! There is no list of them: clang names the flag that it refuses, and is asked again without.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::messages;

/// The flags that clang has refused so far, each with what is taken in its place, if there is something.
#[derive(Default)]
pub struct Refused(Mutex<BTreeMap<String, Option<String>>>);

impl Refused {
    fn flags(&self) -> MutexGuard<'_, BTreeMap<String, Option<String>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `flags` without those that were refused.
    pub fn known(&self, flags: &[String]) -> Vec<String> {
        let refused = self.flags();
        let known = |flag: &String| match refused.get(flag) {
            Some(replacement) => replacement.clone(),
            None => Some(flag.clone()),
        };
        flags.iter().filter_map(known).collect()
    }

    /// Adds those of `flags` that the errors in `said` are about. Nothing if the errors are about something else.
    pub fn add(&self, flags: &[String], said: &str) -> Flags {
        let mut found = Flags::new();
        let errors = said.lines().filter_map(|line| line.split_once("error: ").map(|(_, text)| text));
        for error in errors {
            let standard = unknown_standard(error, said).map(|(flag, known)| (flag, Some(known)));
            let one = standard.or_else(|| refused(error).map(|flag| (flag, None)));
            found.extend(one.filter(|(flag, _)| flags.contains(flag)));
        }
        self.extend(&found);
        found
    }

    pub fn extend(&self, flags: &Flags) {
        self.flags().extend(flags.clone());
    }

    /// Says which flags were left out.
    pub fn note(&self, version: u32) {
        let word = |(flag, replacement): (&String, &Option<String>)| match replacement {
            Some(replacement) => format!("{flag} (taken as {replacement})"),
            None => flag.clone(),
        };
        let words: Vec<String> = self.flags().iter().map(word).collect();
        if !words.is_empty() {
            messages::note(&format!(
                "clang {version} does not know these flags, left out: {}",
                words.join(" ")
            ));
        }
    }
}

/// Refused flags, each with what is taken in its place.
pub type Flags = BTreeMap<String, Option<String>>;

/// The flag that an error is about.
fn refused(error: &str) -> Option<String> {
    let quoted = |place: usize| error.split('\'').nth(2 * place + 1).map(str::to_string);
    let starts = |beginning: &str| error.starts_with(beginning);
    if starts("unknown argument") || starts("unsupported option") || starts("unknown warning option") {
        return quoted(0);
    }
    // unsupported argument 'x' to option '-fy='
    if starts("unsupported argument") {
        return Some(quoted(1)? + &quoted(0)?);
    }
    // invalid value 'x' in '-fy=x'
    if starts("invalid value") || starts("invalid integral value") {
        return quoted(1);
    }
    // the clang compiler does not support '-fx'
    if error.contains("does not support '") {
        return quoted(0);
    }
    None
}

/// The flag of a standard that clang does not know yet, and the newest one that it names.
fn unknown_standard(error: &str, said: &str) -> Option<(String, String)> {
    let rest = error.strip_prefix("invalid value '")?;
    let (wanted, rest) = rest.split_once('\'')?;
    let flag = rest.split('\'').nth(1).filter(|flag| flag.starts_with("-std="))?;
    let is_gnu = wanted.starts_with("gnu");
    let mut notes = said.lines().filter_map(|line| line.split_once("note: use '").map(|(_, note)| note));
    let newest = notes.next_back()?;
    let names: Vec<&str> = newest.split('\'').step_by(2).collect();
    let known = names.iter().find(|name| name.starts_with("gnu") == is_gnu).or(names.first())?;
    Some((flag.into(), format!("-std={known}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(flags: &[&str], said: &str) -> (Vec<String>, usize) {
        let flags: Vec<String> = flags.iter().map(|flag| flag.to_string()).collect();
        let refused = Refused::default();
        let count = refused.add(&flags, said).len();
        (refused.known(&flags), count)
    }

    #[test]
    fn the_flags_that_clang_names_go() {
        let said = "clang: error: unknown argument: '-fconcepts-ts'\n\
                    clang: error: unknown argument '-fmodule-mapper=x'; did you mean '-fmodule-name=x'?\n\
                    clang: error: unsupported argument 'fast-x' to option '-ffp='\n\
                    clang: error: unsupported option '-mabi=ms' for target 'x86_64'\n";
        let flags = ["-O2", "-fconcepts-ts", "-fmodule-mapper=x", "-ffp=fast-x", "-mabi=ms", "-DX"];
        let (kept, count) = without(&flags, said);
        assert_eq!(kept, ["-O2", "-DX"]);
        assert_eq!(count, 4);
    }

    #[test]
    fn a_standard_that_is_too_new_becomes_the_newest() {
        let said = "error: invalid value 'gnu++26' in '-std=gnu++26'\n\
                    note: use 'c++20' or 'gnu++20' for 'ISO C++ 2020 DIS' standard\n\
                    note: use 'c++2b' or 'gnu++2b' for 'Working draft for ISO C++ 2023 DIS' standard\n";
        let (kept, _) = without(&["-std=gnu++26"], said);
        assert_eq!(kept, ["-std=gnu++2b"]);
    }

    #[test]
    fn other_errors_change_nothing() {
        let (kept, count) = without(&["-DX"], "a.c:1:1: error: unknown type name 'X'\n");
        assert_eq!((kept.len(), count), (1, 0));
    }
}
