//! Compilation databases: `compile_commands.json`, as CMake, Meson, Bear and ninja write it.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::error::{Error, Result};
use crate::input::{BuildCommand, Input, Language};

/// One command of a database.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// The C and C++ files of a database, each once.
pub fn read(database: &Path) -> Result<Vec<Input>> {
    let text = std::fs::read_to_string(database).map_err(Error::read(database))?;
    let entries: Vec<Entry> = serde_json::from_str(&text).map_err(|error| {
        Error::advice(
            format!("{} is no compilation database: {error}", database.display()),
            "such a file is a list of objects with `directory`, `file`, and `command` or `arguments`",
        )
    })?;
    let mut inputs: Vec<Input> = Vec::new();
    for entry in entries {
        if let Some(input) = entry.input().filter(|input| !inputs.contains(input)) {
            inputs.push(input);
        }
    }
    if inputs.is_empty() {
        return Err(Error::advice(format!("{} has no C or C++ file", database.display()), String::new()));
    }
    Ok(inputs)
}

impl Entry {
    fn input(&self) -> Option<Input> {
        let language = Language::of(&self.file).filter(|language| language.takes_clang())?;
        let words = match (&self.arguments, &self.command) {
            (Some(arguments), _) => arguments.clone(),
            (None, Some(command)) => shlex::split(command)?,
            (None, None) => return None,
        };
        let is_file = |word: &str| self.directory.join(word) == self.directory.join(&self.file);
        let words = words.get(1..)?;
        let arguments = for_bitcode(words, is_file);
        let directory = self.directory.clone();
        // As the build names it, for so a profile names local functions.
        let named = words.iter().find(|word| is_file(word)).map(PathBuf::from);
        Some(Input {
            path: named.unwrap_or_else(|| self.file.clone()),
            language,
            command: Some(BuildCommand { directory, arguments }),
        })
    }
}

/// What of a compiler's arguments is neither about where output goes nor its input.
fn for_bitcode(words: &[String], is_file: impl Fn(&str) -> bool) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-o" | "-MF" | "-MT" | "-MQ" => drop(words.next()),
            "-c" | "-S" | "-E" | "-MD" | "-MMD" | "-MP" | "-M" | "-MM" | "--" => {}
            other if is_file(other) => {}
            other if other.starts_with("-o") && !other.starts_with("-objc") => {}
            other => kept.push(other.to_string()),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(json: &str) -> Option<Input> {
        serde_json::from_str::<Entry>(json).expect("an entry").input()
    }

    #[test]
    fn what_is_about_the_output_goes() {
        let input = input(
            r#"{"directory": "/b", "file": "../s/a.c",
                "command": "cc -Iinc -D'X=\"a b\"' -MD -MF a.d -O3 -o a.o -c ../s/a.c"}"#,
        )
        .expect("C");
        let command = input.command.expect("a command");
        assert_eq!(command.arguments, ["-Iinc", "-DX=\"a b\"", "-O3"]);
        assert_eq!(command.directory, Path::new("/b"));
        assert_eq!(input.path, Path::new("../s/a.c"));
    }

    #[test]
    fn arguments_need_no_shell() {
        let input = input(
            r#"{"directory": "/b", "file": "/b/a.cc", "arguments": ["c++", "-DA b", "a.cc", "-oa.o"]}"#,
        );
        let input = input.expect("C++");
        assert_eq!((input.language, input.path.as_path()), (Language::Cxx, Path::new("a.cc")));
        assert_eq!(input.command.expect("a command").arguments, ["-DA b"]);
    }

    #[test]
    fn other_languages_are_passed_over() {
        assert_eq!(input(r#"{"directory": "/", "file": "a.s", "command": "as a.s"}"#), None);
    }
}
