//! Removes unknown flags from the commands of a compilation database. If a build uses another compiler than clang, its
//! commands can contain flags that clang does not know.
//!
//! bpa does not contain a list of unknown flags. Clang's error message contains the refused flag, and bpa runs clang
//! again without this flag.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::base::messages;

/// The flags that clang has refused so far.
#[derive(Default)]
pub struct Refused(Mutex<BTreeMap<String, Option<String>>>);

impl Refused {
    fn flags(&self) -> MutexGuard<'_, BTreeMap<String, Option<String>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes or replaces the refused flags in `flags`.
    pub fn known(&self, flags: &[String]) -> Vec<String> {
        let refused = self.flags();
        let known = |flag: &String| match refused.get(flag) {
            Some(replacement) => replacement.clone(),
            None => Some(flag.clone()),
        };
        flags.iter().filter_map(known).collect()
    }

    /// Finds the flags in `flags` that clang refuses. `output` is the output of clang. Adds these flags to `self`, and
    /// returns these flags. The result is empty if no error in `output` is about an unknown flag.
    pub fn add(&self, flags: &[String], output: &str) -> Flags {
        let mut found = Flags::new();
        let errors = output.lines().filter_map(|line| line.split_once("error: ").map(|(_, text)| text));
        for error in errors {
            let standard = unknown_standard(error, output).map(|(flag, known)| (flag, Some(known)));
            let one = standard.or_else(|| refused(error).map(|flag| (flag, None)));
            let known = one.into_iter().chain(unknown_machine(error));
            found.extend(known.filter(|(flag, _)| flags.contains(flag)));
        }
        self.extend(&found);
        found
    }

    pub fn extend(&self, flags: &Flags) {
        self.flags().extend(flags.clone());
    }

    /// Prints a note that lists the refused flags.
    pub fn note(&self, version: u32) {
        let word = |(flag, replacement): (&String, &Option<String>)| match replacement {
            Some(replacement) => format!("{flag} (replaced by {replacement})"),
            None => flag.clone(),
        };
        let words: Vec<String> = self.flags().iter().map(word).collect();
        if !words.is_empty() {
            messages::note(&format!(
                "bpa ignores these flags of the build, because clang {version} does not know them: {}",
                words.join(" ")
            ));
        }
    }
}

/// The refused flags. The value is the flag that replaces the refused flag, or `None` if the flag is only removed.
pub type Flags = BTreeMap<String, Option<String>>;

/// The flag that clang refuses with the message `error`.
fn refused(error: &str) -> Option<String> {
    let quoted = |place: usize| error.split('\'').nth(2 * place + 1).map(str::to_string);
    let starts = |beginning: &str| error.starts_with(beginning);
    if starts("unknown argument") || starts("unsupported option") || starts("unknown warning option") {
        return quoted(0);
    }
    // "unsupported argument 'x' to option '-fy='"
    if starts("unsupported argument") {
        return Some(quoted(1)? + &quoted(0)?);
    }
    // "invalid value 'x' in '-fy=x'"
    if starts("invalid value") || starts("invalid integral value") {
        return quoted(1);
    }
    // "unable to load plugin 'x.so': ...", for a plugin of GCC
    if starts("unable to load plugin") {
        return Some(format!("-fplugin={}", quoted(0)?));
    }
    // "the clang compiler does not support '-fx'"
    if error.contains("does not support '") {
        return quoted(0);
    }
    None
}

/// Returns two `-std=` flags. The first flag names the standard that clang does not know. The second flag names the
/// newest standard that clang's message suggests.
fn unknown_standard(error: &str, output: &str) -> Option<(String, String)> {
    let rest = error.strip_prefix("invalid value '")?;
    let (wanted, rest) = rest.split_once('\'')?;
    let flag = rest.split('\'').nth(1).filter(|flag| flag.starts_with("-std="))?;
    let is_gnu = wanted.starts_with("gnu");
    let mut notes = output.lines().filter_map(|line| line.split_once("note: use '").map(|(_, note)| note));
    let newest = notes.next_back()?;
    let names: Vec<&str> = newest.split('\'').step_by(2).collect();
    let known = names.iter().find(|name| name.starts_with("gnu") == is_gnu).or(names.first())?;
    Some((flag.into(), format!("-std={known}")))
}

/// The flags that can select the machine that clang does not know. If clang does not know an extension of RISC-V, the
/// flag keeps the standard part.
fn unknown_machine(error: &str) -> Vec<(String, Option<String>)> {
    let is_about = |beginning: &str| error.starts_with(beginning);
    let names: &[&str] = match () {
        () if is_about("invalid arch name '") => &["-march="],
        () if is_about("unknown target CPU '") => &["-march=", "-mcpu=", "-mmcu="],
        () if is_about("unknown target ABI '") => &["-mabi="],
        () => &[],
    };
    let value = error.split('\'').nth(1).unwrap_or_default();
    let known = value.split_once('_').filter(|_| value.starts_with("rv")).map(|(known, _)| known);
    names.iter().map(|name| (format!("{name}{value}"), known.map(|known| format!("{name}{known}")))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(flags: &[&str], output: &str) -> (Vec<String>, usize) {
        let flags: Vec<String> = flags.iter().map(|flag| flag.to_string()).collect();
        let refused = Refused::default();
        let count = refused.add(&flags, output).len();
        (refused.known(&flags), count)
    }

    #[test]
    fn flags_that_clang_refuses_are_removed() {
        let output = "clang: error: unknown argument: '-fconcepts-ts'\n\
                    clang: error: unknown argument '-fmodule-mapper=x'; did you mean '-fmodule-name=x'?\n\
                    clang: error: unsupported argument 'fast-x' to option '-ffp='\n\
                    clang: error: unsupported option '-mabi=ms' for target 'x86_64'\n";
        let flags = ["-O2", "-fconcepts-ts", "-fmodule-mapper=x", "-ffp=fast-x", "-mabi=ms", "-DX"];
        let (kept, count) = without(&flags, output);
        assert_eq!(kept, ["-O2", "-DX"]);
        assert_eq!(count, 4);
    }

    #[test]
    fn an_unknown_standard_becomes_the_newest_known_one() {
        let output = "error: invalid value 'gnu++26' in '-std=gnu++26'\n\
                    note: use 'c++20' or 'gnu++20' for 'ISO C++ 2020 DIS' standard\n\
                    note: use 'c++2b' or 'gnu++2b' for 'Working draft for ISO C++ 2023 DIS' standard\n";
        let (kept, _) = without(&["-std=gnu++26"], output);
        assert_eq!(kept, ["-std=gnu++2b"]);
    }

    #[test]
    fn unknown_machines_are_removed_and_extensions_of_risc_v_shortened() {
        let output = "error: unknown target CPU 'foo'\nerror: unknown target ABI 'lp64'\n";
        assert_eq!(without(&["-mcpu=foo", "-mabi=lp64", "-march=bar"], output).0, ["-march=bar"]);
        let error = |name: &str| format!("clang: error: invalid arch name '{name}', unsupported extension\n");
        let shortened = without(&["-march=rv32imc_zicsr_zifencei"], &error("rv32imc_zicsr_zifencei")).0;
        assert_eq!(shortened, ["-march=rv32imc"]);
        assert!(without(&["-march=rv32imcq"], &error("rv32imcq")).0.is_empty());
    }

    #[test]
    fn plugins_of_gcc_are_removed() {
        let (kept, _) =
            without(&["-fplugin=x.so", "-O2"], "error: unable to load plugin 'x.so': 'x.so: no file'\n");
        assert_eq!(kept, ["-O2"]);
    }

    #[test]
    fn errors_without_a_refused_flag_remove_no_flag() {
        let (kept, count) = without(&["-DX"], "a.c:1:1: error: unknown type name 'X'\n");
        assert_eq!((kept.len(), count), (1, 0));
    }
}
