//! Separates the user's own files from files of the system.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use crate::base::input::{Input, Language};
use crate::base::paths::without_dots;
use crate::base::process;
use crate::toolchain::find::{self, Toolchain};

/// The folders of system files. For C and C++: the folders of clang's default search path for system headers, and the
/// folders in `-isystem` flags of builds. For Rust: the source folders of the standard library and of registry crates.
#[derive(Debug, Default)]
pub struct SystemFolders {
    folders: Vec<PathBuf>,
    /// The results of earlier queries.
    known: Mutex<HashMap<PathBuf, bool>>,
}

impl SystemFolders {
    /// The folders of system files that the builds of `inputs` use.
    pub fn of(toolchain: &Toolchain, inputs: &[Input]) -> Self {
        let mut folders = Vec::new();
        for language in [Language::C, Language::Cxx] {
            if let Some(clang) =
                toolchain.clang.as_ref().filter(|_| inputs.iter().any(|one| one.language == language))
            {
                folders.extend(searched_by(clang, language));
            }
        }
        for input in inputs {
            let directory = input.command.as_ref().map_or(Path::new("."), |command| &command.directory);
            folders.extend(named_by(input.flags()).map(|name| directory.join(name)));
        }
        if inputs.iter().any(|input| input.language == Language::Rust) {
            folders.extend(of_rust());
        }
        SystemFolders::new(folders)
    }

    fn new(folders: Vec<PathBuf>) -> Self {
        let mut folders: Vec<PathBuf> = folders
            .iter()
            .flat_map(|folder| {
                [without_dots(folder), folder.canonicalize().unwrap_or_else(|_| folder.clone())]
            })
            // The root folder is left out, because every file is inside it.
            .filter(|folder| folder.components().count() > 1)
            .collect();
        folders.sort();
        folders.dedup();
        SystemFolders { folders, known: Mutex::default() }
    }

    /// Returns true if the absolute path `file` is in a system folder.
    pub fn has(&self, file: &Path) -> bool {
        let mut known = self.known.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(&is_system) = known.get(file) {
            return is_system;
        }
        let is_below = |path: &Path| self.folders.iter().any(|folder| path.starts_with(folder));
        let is_system = is_below(file) || file.canonicalize().is_ok_and(|real| is_below(&real));
        known.insert(file.into(), is_system);
        is_system
    }
}

/// Clang's search path for system headers of a language, from the command line that `clang -###` prints.
fn searched_by(clang: &Path, language: Language) -> Vec<PathBuf> {
    let name = if language == Language::Cxx { "c++" } else { "c" };
    let Ok(done) = process::output(Command::new(clang).args(["-###", "-x", name, "-c", "/dev/null"])) else {
        return Vec::new();
    };
    let text = String::from_utf8_lossy(&done.stderr);
    let line = text.lines().find(|line| line.contains("-internal-isystem")).unwrap_or_default();
    let words = shlex::split(line).unwrap_or_default();
    let pairs = words.iter().zip(words.iter().skip(1));
    let is_search = |word: &str| word == "-internal-isystem" || word == "-internal-externc-isystem";
    pairs.filter(|(flag, _)| is_search(flag)).map(|(_, folder)| PathBuf::from(folder)).collect()
}

/// The system header folders that the compiler's flags contain.
fn named_by(flags: &[String]) -> impl Iterator<Item = &str> {
    let next = flags.iter().map(String::as_str).skip(1).chain([""]);
    flags.iter().zip(next).filter_map(|(flag, next)| match flag.as_str() {
        "-isystem" | "-idirafter" | "-isystem-after" => Some(next),
        other => ["-isystem", "-idirafter"].iter().find_map(|name| other.strip_prefix(name)),
    })
}

/// The folders of Rust's standard library and of crates from registries. In debug information, the files of the
/// standard library are in the folder `/rustc` or in the sysroot.
fn of_rust() -> Vec<PathBuf> {
    // `/rust/deps` contains the crates that the standard library depends on.
    let mut folders = vec![PathBuf::from("/rustc"), PathBuf::from("/rust/deps")];
    if let Some((rustc, _)) = find::rustc() {
        folders.extend(find::output(rustc, &["--print=sysroot"]).map(|text| PathBuf::from(text.trim())));
    }
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    folders.extend(home.iter().flat_map(|home| ["registry", "git"].map(|name| home.join(name))));
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_name_system_folders() {
        let flags = ["-Iinc", "-isystem", "/s/one", "-isystem/s/two", "-idirafter", "/s/three"];
        let flags: Vec<String> = flags.iter().map(|flag| flag.to_string()).collect();
        assert_eq!(named_by(&flags).collect::<Vec<_>>(), ["/s/one", "/s/two", "/s/three"]);
        let folders = SystemFolders::new(vec!["/s/one/".into(), "/".into(), "/u/../s/two".into()]);
        assert!(folders.has(Path::new("/s/one/x.h")) && folders.has(Path::new("/s/two/x.h")));
        assert!(!folders.has(Path::new("/s/onex.h")) && !folders.has(Path::new("/own.h")));
    }
}
