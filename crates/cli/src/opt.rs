//! Runs `opt` with the plugin, and reads its output.

use std::path::{Path, PathBuf};
use std::process::Command;

use bpa_schema::FORMAT;
use serde::de::DeserializeOwned;
use serde::Deserialize;

use crate::error::{is_about_space, Error, Result, NO_SPACE};
use crate::find::Toolchain;
use crate::process;

/// `opt`, with the plugin that fits.
pub struct Opt {
    pub toolchain: Toolchain,
    pub plugin: PathBuf,
}

impl Opt {
    /// [`run`](Self::run) of passes that write `files`; what it has printed, and what the files hold. A file that was not
    /// written, as of a module without a function, is empty.
    pub fn write<const N: usize>(
        &self,
        passes: &str,
        module: &Path,
        folder: &Path,
        files: [&str; N],
    ) -> Result<(Vec<u8>, [Vec<u8>; N])> {
        let paths = files.map(|name| folder.join(name));
        paths.iter().for_each(|file| drop(std::fs::remove_file(file)));
        let said = self.run(passes, module, folder)?;
        let mut contents = [(); N].map(|()| Vec::new());
        for (content, path) in contents.iter_mut().zip(paths) {
            if path.exists() {
                *content = std::fs::read(&path).map_err(Error::read(&path))?;
                // It may be large.
                let _ = std::fs::remove_file(&path);
            }
        }
        Ok((said, contents))
    }

    /// Runs `passes` on `module`, in `folder`: there are the files that passes name without a folder.
    pub fn run(&self, passes: &str, module: &Path, folder: &Path) -> Result<Vec<u8>> {
        std::fs::create_dir_all(folder).map_err(Error::write(folder))?;
        let mut command = Command::new(&self.toolchain.opt);
        command.arg(format!("-load-pass-plugin={}", self.plugin.display()));
        command.arg(format!("-passes={passes}")).arg("-disable-output").current_dir(folder);
        // The plugin prints what the module is called: not the name of a temporary folder.
        match module.strip_prefix(folder) {
            Ok(inside) => command.arg(inside),
            Err(_) => command.arg(module),
        };
        let program = self.toolchain.opt.clone();
        let done = process::output(&mut command).map_err(|source| Error::Run { program, source })?;
        if done.status.success() {
            return Ok(done.stderr);
        }
        let said = String::from_utf8_lossy(&done.stderr);
        Err(Error::advice(
            format!("opt of LLVM {} fails:\n{}", self.toolchain.version, said.trim_end()),
            advice(&said, self.toolchain.version),
        ))
    }
}

/// What to do about an error of `opt`.
fn advice(said: &str, version: u32) -> String {
    if is_about_space(said) {
        return NO_SPACE.to_string();
    }
    if said.contains("Could not load library") || said.contains("not compatible with") {
        return format!("the plugin is not one for LLVM {version}: `bpa doctor` prints which one fits");
    }
    if said.contains("Unknown attribute kind")
        || said.contains("Invalid record")
        || said.contains("Reader: 'LLVM")
    {
        return format!("the file may be from another LLVM than {version}: name that by --llvm N");
    }
    if said.contains("unknown pass name") || said.contains("unknown option") {
        return "the plugin may be older than this command: build or install both anew".to_string();
    }
    String::new()
}

/// The objects of a text with one on each line.
pub fn read_lines<T: DeserializeOwned>(text: &[u8]) -> Result<Vec<T>> {
    text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).map(parse).collect()
}

fn parse<T: DeserializeOwned>(line: &[u8]) -> Result<T> {
    serde_json::from_slice(line).map_err(|source| match format_of(line) {
        Some(format) if format != FORMAT => Error::advice(
            format!("the plugin prints format {format}, this command reads {FORMAT}"),
            "install both of one version; `bpa doctor` shows them",
        ),
        _ => Error::Data { program: "the plugin".into(), source },
    })
}

/// The format that a line of another version has.
fn format_of(line: &[u8]) -> Option<u32> {
    #[derive(Deserialize)]
    struct Line {
        format: u32,
    }

    Some(serde_json::from_slice::<Line>(line).ok()?.format)
}

/// A function without blocks, for tests.
#[cfg(test)]
pub fn empty_function() -> bpa_schema::Function<'static> {
    let line = r#"{"format":3,"analysis":"rust-bfi","llvm":16,"module":"m","function":"f","entry_count":null,
        "blocks":[],"edges":[],"loops":[]}"#;
    parse(line.as_bytes()).expect("a function")
}

#[cfg(test)]
mod tests {
    use super::*;
    use bpa_schema::Function;

    #[test]
    fn another_format_is_named_by_its_number() {
        for line in [r#"{"format":1,"function":"f"}"#, r#"{"function":"f","format":1,"blocks":[{}]}"#] {
            let error = parse::<Function>(line.as_bytes()).expect_err("it is of another version").to_string();
            assert_eq!(error, "the plugin prints format 1, this command reads 3");
        }
        let error = parse::<Function>(br#"{"format":3}"#).expect_err("fields are missing");
        assert!(matches!(error, Error::Data { .. }));
    }

    #[test]
    fn functions_of_the_compiler_have_no_line() {
        let line = r#"{"format":3,"analysis":"rust-bfi","llvm":16,"module":"m","function":"_GLOBAL__sub_I_a.cpp",
            "source":{"file":"a.cpp"},"entry_count":null,"blocks":[],"edges":[],"loops":[]}"#;
        let function: Function = parse(line.as_bytes()).expect("a function");
        assert_eq!(function.source.expect("it has a file").line, None);
    }

    #[test]
    fn a_plugin_of_another_version_is_named() {
        assert!(advice("Could not load library 'x': undefined symbol", 16).contains("not one for LLVM 16"));
        assert_eq!(advice("LLVM ERROR: out of memory", 16), "");
    }
}
