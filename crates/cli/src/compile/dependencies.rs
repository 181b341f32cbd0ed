//! The files that a compilation has read.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::cache::{content, Key, KeyBuilder};

/// The paths of the files that a compilation has read, and a hexadecimal hash of the content of each file.
#[derive(Debug, Serialize, Deserialize)]
pub struct Dependencies(Vec<(PathBuf, String)>);

impl Dependencies {
    /// Reads the dependencies from `rules`, a makefile that the compiler has written. Returns `None` if a file changed
    /// after `started`, the start of the compilation. Also returns `None` if the compiler has read environment
    /// variables and `has_variables` is false: the cache key then does not contain these variables.
    pub fn read(rules: &Path, directory: &Path, started: SystemTime, has_variables: bool) -> Option<Self> {
        let text = std::fs::read_to_string(rules).ok()?;
        if !has_variables && text.contains("# env-dep:") {
            return None;
        }
        let files = prerequisites(&text).into_iter().map(|name| {
            let path = directory.join(name);
            let is_older = path.metadata().ok()?.modified().ok()? < started;
            let hash = content(&path).ok()?.hex();
            is_older.then_some((path, hash))
        });
        files.collect::<Option<Vec<_>>>().filter(|files| !files.is_empty()).map(Dependencies)
    }

    pub fn paths(&self) -> Vec<PathBuf> {
        self.0.iter().map(|(path, _)| path.clone()).collect()
    }

    /// Returns true if the content of every file is unchanged.
    pub fn are_unchanged(&self) -> bool {
        self.0.iter().all(|(path, hash)| content(path).is_ok_and(|now| now.hex() == *hash))
    }

    /// The cache key of the compiled bitcode. The key depends on `request`, the key of the compilation, and on the
    /// content of these files.
    pub fn result(&self, request: Key) -> Key {
        let key = KeyBuilder::new("result").key(request);
        self.0.iter().fold(key, |key, (path, hash)| key.text(path).text(hash)).finish()
    }
}

/// The prerequisites of the first rule of a makefile.
fn prerequisites(text: &str) -> Vec<String> {
    let text = text.replace("\\\r\n", " ").replace("\\\n", " ");
    let rule = text.lines().find(|line| !line.trim_start().starts_with('#')).unwrap_or_default();
    let Some((_, files)) = rule.split_once(": ") else { return Vec::new() };
    let (mut names, mut name) = (Vec::new(), String::new());
    let mut characters = files.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some(&(' ' | '#'))) | ('$', Some('$')) => name.extend(characters.next()),
            (' ' | '\t', _) => names.push(std::mem::take(&mut name)),
            _ => name.push(character),
        }
    }
    names.push(name);
    names.retain(|name| !name.is_empty());
    names
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn makefile_rules_are_parsed_like_make() {
        assert_eq!(
            prerequisites("x.o: a.c \\\n  inc/a\\ b.h $$d.h\\\n \\#e.h\n"),
            ["a.c", "inc/a b.h", "$d.h", "#e.h"]
        );
        assert_eq!(
            prerequisites("# comment\nout.bc: src/main.rs src/a.rs\n\nsrc/main.rs:\n"),
            ["src/main.rs", "src/a.rs"]
        );
        assert!(prerequisites("").is_empty());
    }

    #[test]
    fn changed_files_are_detected() {
        let folder = tempfile::tempdir().expect("a folder");
        let (rules, source) = (folder.path().join("rules"), folder.path().join("a.c"));
        std::fs::write(&rules, "a.o: a.c\n").expect("a file");
        std::fs::write(&source, "int x;\n").expect("a file");
        let later = SystemTime::now() + Duration::from_secs(1);
        let dependencies = Dependencies::read(&rules, folder.path(), later, false).expect("a file");
        assert!(dependencies.are_unchanged());
        let Dependencies(mut files) = dependencies;
        files[0].1 = "0".repeat(64);
        assert!(!Dependencies(files).are_unchanged());
        let before = SystemTime::now() - Duration::from_secs(3600);
        assert!(Dependencies::read(&rules, folder.path(), before, false).is_none());
    }
}
