//! The files that a compilation has read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::toolchain::cache::{content, Key, KeyBuilder};

/// The files and environment variables that a compilation has read.
#[derive(Debug, Serialize, Deserialize)]
pub struct Dependencies {
    /// The path of each file, and a hexadecimal hash of its content.
    files: Vec<(PathBuf, String)>,
    /// The name of each environment variable, and a hexadecimal hash of its value.
    variables: Vec<(String, String)>,
}

impl Dependencies {
    /// Reads the dependencies from `rules`, a makefile that the compiler has written. Returns `None` if a file changed
    /// after `started`, the start of the compilation. The variables in `known`, which bpa sets for the compiler, are
    /// left out, because the cache key contains them.
    pub fn read(
        rules: &Path,
        directory: &Path,
        started: SystemTime,
        known: Option<&BTreeMap<String, String>>,
    ) -> Option<Self> {
        let text = std::fs::read_to_string(rules).ok()?;
        let files = prerequisites(&text).into_iter().map(|name| {
            let path = directory.join(name);
            let is_older = path.metadata().ok()?.modified().ok()? < started;
            let hash = content(&path).ok()?.hex();
            is_older.then_some((path, hash))
        });
        let files = files.collect::<Option<Vec<_>>>().filter(|files| !files.is_empty())?;
        // rustc writes the variables of `env!` and `option_env!`.
        let names = text.lines().filter_map(|line| line.strip_prefix("# env-dep:")?.split('=').next());
        let names = names.filter(|name| known.is_none_or(|known| !known.contains_key(*name)));
        let variables = names.map(|name| (name.to_string(), variable(name))).collect();
        Some(Dependencies { files, variables })
    }

    pub fn paths(&self) -> Vec<PathBuf> {
        self.files.iter().map(|(path, _)| path.clone()).collect()
    }

    /// Returns true if the content of every file and the value of every variable is unchanged.
    pub fn are_unchanged(&self) -> bool {
        self.files.iter().all(|(path, hash)| content(path).is_ok_and(|now| now.hex() == *hash))
            && self.variables.iter().all(|(name, hash)| variable(name) == *hash)
    }

    /// The cache key of the compiled bitcode. The key depends on `request`, the key of the compilation, on the content
    /// of these files, and on the values of these variables.
    pub fn result(&self, request: Key) -> Key {
        let key = KeyBuilder::new("result").key(request);
        let key = self.files.iter().fold(key, |key, (path, hash)| key.text(path).text(hash));
        self.variables.iter().fold(key, |key, (name, hash)| key.text(name).text(hash)).finish()
    }
}

/// A hexadecimal hash of the value of an environment variable. The hash of a variable that is not set differs from the
/// hash of each value.
fn variable(name: &str) -> String {
    let key = KeyBuilder::new("variable");
    std::env::var_os(name).into_iter().fold(key, KeyBuilder::text).finish().hex()
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
    fn changes_are_detected() {
        let folder = tempfile::tempdir().expect("a folder");
        let (rules, source) = (folder.path().join("rules"), folder.path().join("a.rs"));
        std::fs::write(&rules, "a.o: a.rs\n\n# env-dep:PATH=/bin\n# env-dep:SET=1\n# env-dep:BPA_UNSET\n")
            .expect("a file");
        std::fs::write(&source, "// nothing\n").expect("a file");
        let known = BTreeMap::from([("SET".to_string(), "1".to_string())]);
        let read = |started| Dependencies::read(&rules, folder.path(), started, Some(&known));
        let later = SystemTime::now() + Duration::from_secs(1);
        let dependencies = || read(later).expect("a file");
        assert!(dependencies().are_unchanged());
        let names = dependencies().variables.into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!(names, ["PATH", "BPA_UNSET"]);
        let request = KeyBuilder::new("request").finish();
        for change in [
            |own: &mut Dependencies| own.files[0].1 = "0".repeat(64),
            |own: &mut Dependencies| own.variables[0].1 = variable("BPA_UNSET"),
            |own: &mut Dependencies| own.variables[1].1 = variable("PATH"),
        ] {
            let mut changed = dependencies();
            change(&mut changed);
            assert!(!changed.are_unchanged());
            assert_ne!(changed.result(request), dependencies().result(request));
        }
        assert!(read(SystemTime::now() - Duration::from_secs(3600)).is_none());
    }
}
