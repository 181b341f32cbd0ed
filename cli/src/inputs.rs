//! What is given: files by their languages, and the commands of a compilation database.

use std::path::{Path, PathBuf};

use crate::compile_commands;
use crate::error::{Error, Result};

/// What becomes one module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    pub path: PathBuf,
    pub language: Language,
    /// How a build compiles it, where a compilation database says so.
    pub command: Option<BuildCommand>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Cxx,
    Rust,
    /// Taken as it is.
    Ir,
}

/// How a build compiles a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildCommand {
    pub directory: PathBuf,
    /// The compiler's arguments, without the names of the compiler, its input and its output.
    pub arguments: Vec<String>,
}

impl Language {
    /// By the ending of a file's name.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "c" => Some(Language::C),
            "cc" | "cpp" | "cxx" | "c++" | "C" => Some(Language::Cxx),
            "rs" => Some(Language::Rust),
            "ll" | "bc" => Some(Language::Ir),
            _ => None,
        }
    }

    pub fn takes_clang(self) -> bool {
        matches!(self, Language::C | Language::Cxx)
    }
}

/// The inputs that `files` come to.
pub fn read(files: &[PathBuf]) -> Result<Vec<Input>> {
    let mut inputs = Vec::new();
    for file in files {
        if file.extension().is_some_and(|extension| extension == "json") {
            inputs.extend(compile_commands::read(file)?);
        } else {
            inputs.push(one(file)?);
        }
    }
    Ok(inputs)
}

fn one(file: &Path) -> Result<Input> {
    let language = Language::of(file).ok_or_else(|| {
        Error::advice(
            format!("{} is in no language that is known", file.display()),
            "known are C (.c), C++ (.cc, .cpp, .cxx, .C), Rust (.rs), LLVM IR (.ll, .bc) and compile_commands.json",
        )
    })?;
    let metadata = std::fs::metadata(file).map_err(Error::read(file))?;
    if metadata.is_dir() {
        return Err(Error::advice(format!("{} is a folder", file.display()), "name the files in it"));
    }
    // As it is typed, for that is how debug information names it.
    Ok(Input { path: file.into(), language, command: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_go_by_endings() {
        let of = |name: &str| Language::of(Path::new(name));
        assert_eq!(of("a.c"), Some(Language::C));
        assert_eq!(of("a.C"), Some(Language::Cxx));
        assert_eq!(of("b.x.bc"), Some(Language::Ir));
        assert_eq!(of("README"), None);
        assert_eq!(of(".c"), None);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let error = |name: &str| read(&[name.into()]).expect_err("it is not there").to_string();
        assert!(error("/no/such.c").starts_with("cannot read /no/such.c"));
        assert!(error("/no/such.txt").contains("no language"));
        assert!(error("/no/compile_commands.json").starts_with("cannot read"));
    }
}
