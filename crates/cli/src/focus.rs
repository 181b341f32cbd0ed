//! The source files and lines that the user selects: `FILE`, or `FILE:LINE`.

use std::path::{Path, PathBuf};

use crate::paths::Paths;

/// A file, or one line of a file, as the user typed the argument.
#[derive(Debug, PartialEq, Eq)]
pub struct Spot {
    path: PathBuf,
    line: Option<u32>,
}

impl Spot {
    /// Parses `FILE`, `FILE:LINE` or `FILE:LINE:COLUMN`. If `typed` is the path of an existing file, `typed` is parsed
    /// as `FILE`.
    pub fn read(typed: &Path) -> Self {
        let mut spot = Spot { path: typed.into(), line: None };
        // For `FILE:LINE:COLUMN`, the first iteration removes the column, and the second iteration removes the line.
        for _ in 0..2 {
            let split = spot.path.to_str().and_then(|text| text.rsplit_once(':'));
            let split = split.and_then(|(name, number)| Some((name, number.parse().ok()?)));
            match split {
                Some((name, line)) if !spot.path.exists() => {
                    spot = Spot { path: name.into(), line: Some(line) }
                }
                _ => break,
            }
        }
        spot
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn has_line(&self) -> bool {
        self.line.is_some()
    }

    /// Creates a [`Focus`] that selects only the line in this argument. If the argument contains no line number,
    /// the focus is empty and selects everything.
    pub fn line_focus(self) -> Focus {
        let mut focus = Focus::default();
        if self.line.is_some() {
            focus.add(self);
        }
        focus
    }

    fn is_at(&self, file: &Path, line: u32) -> bool {
        self.line.is_none_or(|wanted| wanted == line) && self.path == file
    }
}

/// The selected files and lines. An empty focus selects everything.
#[derive(Debug, Default)]
pub struct Focus(Vec<Spot>);

impl Focus {
    pub fn add(&mut self, spot: Spot) {
        let path = spot.path.canonicalize().unwrap_or(spot.path);
        self.0.push(Spot { path, ..spot });
    }

    pub fn extend(&mut self, other: Focus) {
        self.0.extend(other.0);
    }

    pub fn is_everything(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if the line `line` of the file `file` is selected. `file` is an absolute path.
    pub fn has(&self, file: &Path, line: u32) -> bool {
        self.is_everything() || self.0.iter().any(|spot| spot.is_at(file, line))
    }

    /// Returns true if `file` or a line of it is selected by its name. `file` is an absolute path.
    pub fn names_file(&self, file: &Path) -> bool {
        self.0.iter().any(|spot| spot.path == file)
    }

    /// Returns true if the user selects the line `line` of the file `file` by its number. `file` is an absolute path.
    pub fn has_line(&self, file: &Path, line: u32) -> bool {
        self.0.iter().any(|spot| spot.line.is_some() && spot.is_at(file, line))
    }

    /// The text that describes the selection in messages.
    pub fn in_words(&self, paths: &Paths) -> String {
        let word = |spot: &Spot| {
            let line = spot.line.map(|line| format!(":{line}")).unwrap_or_default();
            paths.shown(None, &spot.path.to_string_lossy()) + &line
        };
        self.0.iter().map(word).collect::<Vec<_>>().join(" or ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_belongs_to_a_file() {
        let read = |text: &str| Spot::read(Path::new(text));
        assert_eq!(read("/no/a.c:12"), Spot { path: "/no/a.c".into(), line: Some(12) });
        assert_eq!(read("/no/a.c:12:7"), read("/no/a.c:12"));
        assert_eq!(read("/no/a.c:x").line, None);
        let mut focus = Focus::default();
        assert!(focus.has(Path::new("/b.c"), 1));
        focus.add(read("/no/a.c:12"));
        assert!(focus.has(Path::new("/no/a.c"), 12) && !focus.has(Path::new("/no/a.c"), 13));
        assert!(!focus.has(Path::new("/b.c"), 12));
    }
}
