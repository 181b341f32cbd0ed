//! Converts the paths of debug information to paths for the user.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Converts paths for output. A path is relative to the current directory if the relative path is short, and otherwise
/// absolute. Editors and terminals can open relative and absolute paths.
pub struct Paths {
    current: PathBuf,
    known: Mutex<HashMap<PathBuf, String>>,
}

impl Paths {
    /// Paths relative to the current directory.
    pub fn new() -> Self {
        Paths::relative_to(std::env::current_dir().unwrap_or_else(|_| "/".into()))
    }

    pub fn relative_to(current: PathBuf) -> Self {
        Paths { current, known: Mutex::default() }
    }

    /// The path that bpa prints for `file`. `file` and `directory` come from debug information, and `file` is relative
    /// to `directory`.
    pub fn shown(&self, directory: Option<&str>, file: &str) -> String {
        let path = Path::new(directory.unwrap_or_default()).join(file);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(path).or_insert_with_key(|path| self.relative(path)).clone()
    }

    /// Converts a printed path to an absolute path.
    pub fn absolute(&self, shown: &str) -> PathBuf {
        without_dots(&self.current.join(shown))
    }

    fn relative(&self, path: &Path) -> String {
        let absolute = without_dots(&self.current.join(path));
        // If `LINK` is a symbolic link, removing `LINK/..` from the path can give a different file. In this case, the
        // real path is used.
        let absolute = match self.current.join(path).canonicalize() {
            Ok(real) if absolute.canonicalize().ok().as_ref() != Some(&real) => real,
            _ => absolute,
        };
        let steps = |path: &Path| path.components().count();
        match pathdiff::diff_paths(&absolute, &self.current) {
            Some(relative)
                if steps(&relative) <= steps(&absolute) && shares_folder(&absolute, &self.current) =>
            {
                relative.display().to_string()
            }
            _ => absolute.display().to_string(),
        }
    }
}

/// Returns true if two absolute paths begin with the same folder below the root.
fn shares_folder(one: &Path, other: &Path) -> bool {
    one.components().nth(1).is_some_and(|folder| other.components().nth(1) == Some(folder))
}

/// `path` without `.` and `..`. Symbolic links are not resolved.
pub fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_paths_are_relative_to_the_current_directory() {
        let paths = Paths::relative_to("/no/project/build".into());
        let shown = |directory: Option<&str>, file: &str| paths.shown(directory, file);
        assert_eq!(shown(Some("/no/project/build"), "../src/a.cc"), "../src/a.cc");
        assert_eq!(shown(Some("/no/project"), "src/a.cc"), "../src/a.cc");
        assert_eq!(shown(Some("/no/project/build/sub"), "./../x.h"), "x.h");
        assert_eq!(shown(None, "/usr/include/c++/12/vector"), "/usr/include/c++/12/vector");
        assert_eq!(paths.absolute("../src/a.cc"), Path::new("/no/project/src/a.cc"));
    }
}
