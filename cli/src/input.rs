//! What becomes one module: a file of some language, and how it is compiled.

use std::path::{Path, PathBuf};

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
}
