//! The input of one module: a file, its language, and its build command.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::base::paths::Paths;
use bpa_schema::Frame;

/// A source file, or another file from which one module is compiled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Input {
    pub path: PathBuf,
    pub language: Language,
    /// The command with which the build compiles the file, if a compilation database contains the file.
    pub command: Option<BuildCommand>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    C,
    Cxx,
    Rust,
    /// LLVM IR. `bpa` analyses the file without a compiler.
    Ir,
}

/// The command with which a build compiles a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BuildCommand {
    pub directory: PathBuf,
    /// The arguments of the compiler, without the compiler's name, the input file and the output file.
    pub arguments: Vec<String>,
    /// The compiler, if bpa must run the same compiler as the build.
    pub compiler: Option<PathBuf>,
    /// Environment variables that the build sets.
    pub environment: BTreeMap<String, String>,
    /// What users must know about the way in which bpa uses this command.
    pub remark: Option<String>,
}

impl Input {
    /// The arguments with which the build compiles the file, or an empty slice if no build command is known.
    pub fn flags(&self) -> &[String] {
        self.command.as_ref().map(|command| command.arguments.as_slice()).unwrap_or_default()
    }

    /// The real path of the file.
    pub fn absolute(&self) -> PathBuf {
        let directory = self.command.as_ref().map_or(Path::new("."), |command| &command.directory);
        let path = directory.join(&self.path);
        path.canonicalize().unwrap_or(path)
    }

    /// The path that is printed for the file, relative to the current directory.
    pub fn shown(&self) -> String {
        self.shown_name(&self.path.display().to_string())
    }

    /// The path that bpa prints for the file `name`. `name` is the file's path in the compiler's command or output.
    pub fn shown_name(&self, name: &str) -> String {
        match &self.command {
            Some(command) => Paths::new().shown(command.directory.to_str(), name),
            None => name.into(),
        }
    }

    /// The path that bpa prints for `file`. `file` and `directory` come from debug information of the compilation. If a
    /// generator writes code to its standard output, the code contains lines such as `#line 7 "<stdout>"`. The number
    /// in such a `#line` line is a line number of the compiled file.
    pub fn shown_file(&self, paths: &Paths, directory: Option<&str>, file: &str) -> String {
        match file {
            "<stdout>" => self.shown(),
            _ => paths.shown(directory, file),
        }
    }

    /// Replaces the file name of debug information by the path to print.
    pub fn name_file(&self, paths: &Paths, frame: &mut Frame) {
        frame.file = self.shown_file(paths, frame.directory.take().as_deref(), &frame.file).into();
    }

    pub fn is_header(&self) -> bool {
        is_header(&self.path)
    }
}

/// Returns true if the file name has the extension of a header. Builds do not compile headers.
pub fn is_header(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ["h", "hh", "hpp", "hxx", "h++", "H", "ipp", "tpp", "inl"].contains(&ending)
}

impl Language {
    /// The language for the extension of a file name. The result for `.h` is C, although C++ headers also use `.h`.
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
    fn lines_of_a_generated_file_are_in_the_compiled_file() {
        let paths = Paths::new();
        let input = Input { path: "lexer.c".into(), language: Language::C, command: None };
        assert_eq!(input.shown_file(&paths, None, "<stdout>"), "lexer.c");
        assert_eq!(input.shown_file(&paths, None, "lexer.l"), "lexer.l");
    }

    #[test]
    fn extensions_determine_the_language() {
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
