//! The input of one module: a file, its language, and how it is compiled.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The input of one module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Input {
    pub path: PathBuf,
    pub language: Language,
    /// How its build compiles it, if a compilation database has it.
    pub command: Option<BuildCommand>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    C,
    Cxx,
    Rust,
    /// LLVM IR, which is not compiled.
    Ir,
}

/// How a build compiles a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BuildCommand {
    pub directory: PathBuf,
    /// The compiler's arguments, without the names of the compiler, its input and its output.
    pub arguments: Vec<String>,
    /// The compiler, if it must be this one.
    pub compiler: Option<PathBuf>,
    /// Environment variables that the build sets.
    pub environment: BTreeMap<String, String>,
}

impl Input {
    /// The flags of its build; none if no build is known.
    pub fn flags(&self) -> &[String] {
        self.command.as_ref().map(|command| command.arguments.as_slice()).unwrap_or_default()
    }

    /// Its path, as it is on the disk.
    pub fn absolute(&self) -> PathBuf {
        let directory = self.command.as_ref().map_or(Path::new("."), |command| &command.directory);
        let path = directory.join(&self.path);
        path.canonicalize().unwrap_or(path)
    }

    pub fn is_header(&self) -> bool {
        is_header(&self.path)
    }
}

/// Whether a file is included by others rather than compiled, by the ending of its name.
pub fn is_header(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ["h", "hh", "hpp", "hxx", "h++", "H", "ipp", "tpp", "inl"].contains(&ending)
}

impl Language {
    /// By the ending of a file's name. `.h` is C, though headers of C++ have it, too.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "c" | "h" => Some(Language::C),
            "cc" | "cpp" | "cxx" | "c++" | "C" | "cppm" | "ixx" => Some(Language::Cxx),
            "hh" | "hpp" | "hxx" | "h++" | "H" | "ipp" | "tpp" | "inl" => Some(Language::Cxx),
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
        assert_eq!((of("a.h"), of("a.hpp")), (Some(Language::C), Some(Language::Cxx)));
        assert!(is_header(Path::new("a.hpp")) && !is_header(Path::new("a.cpp")));
        assert_eq!(of("README"), None);
        assert_eq!(of(".c"), None);
    }
}
