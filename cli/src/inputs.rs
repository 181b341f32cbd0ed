//! Reads what is given: files, and the commands of compilation databases.

use std::path::{Path, PathBuf};

use crate::compile_commands;
use crate::error::{Error, Result};
use crate::input::{Input, Language};

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

/// The folder that `input` is compiled in.
pub fn directory(input: &Input) -> Result<PathBuf> {
    let named = input.command.as_ref().map_or(Path::new("."), |command| command.directory.as_path());
    named.canonicalize().map_err(Error::read(named))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_is_named() {
        let error = |name: &str| read(&[name.into()]).expect_err("it is not there").to_string();
        assert!(error("/no/such.c").starts_with("cannot read /no/such.c"));
        assert!(error("/no/such.txt").contains("no language"));
        assert!(error("/no/compile_commands.json").starts_with("cannot read"));
    }
}
