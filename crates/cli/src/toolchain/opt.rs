//! Runs `opt` with the plugin at a point of the pass pipeline, and parses its output.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::de::DeserializeOwned;
use serde::Deserialize;

use crate::base::error::{is_about_space, Error, Result, OTHER_FOLDER};
use crate::base::process;
use crate::toolchain::find::Toolchain;
use bpa_schema::FORMAT;

/// `opt` with a matching plugin.
pub struct Opt {
    pub toolchain: Toolchain,
    pub plugin: PathBuf,
}

impl Opt {
    /// Runs passes that write files. `files` contains the names of these files, which are in `folder`. For passes that
    /// write no files, use [`run`](Self::run). Returns the printed output and the bytes of each file.
    /// A file that does not exist counts as an empty file: passes write no file for a module without functions.
    pub fn write<const N: usize>(
        &self,
        passes: &str,
        module: &Path,
        folder: &Path,
        files: [&str; N],
    ) -> Result<(Vec<u8>, [Vec<u8>; N])> {
        let paths = files.map(|name| folder.join(name));
        paths.iter().for_each(|file| drop(std::fs::remove_file(file)));
        let printed = self.run(passes, module, folder)?;
        let mut contents = [(); N].map(|()| Vec::new());
        for (content, path) in contents.iter_mut().zip(paths) {
            if path.exists() {
                *content = std::fs::read(&path).map_err(Error::read(&path))?;
                // The file can be large, so it is removed before the rest of the temporary folder.
                let _ = std::fs::remove_file(&path);
            }
        }
        Ok((printed, contents))
    }

    /// Runs `passes` on `module`. Relative file names in `passes` are relative to `folder`.
    pub fn run(&self, passes: &str, module: &Path, folder: &Path) -> Result<Vec<u8>> {
        self.run_with(&["-disable-output"], passes, module, folder)
    }

    /// Replaces `module`, a file in `folder`, by the result of `passes`. Returns the bytes that the passes write to
    /// `file`, which is also in `folder`.
    pub fn change(&self, passes: &str, module: &Path, folder: &Path, file: &str) -> Result<Vec<u8>> {
        const CHANGED: &str = "changed.bc";
        self.run_with(&["-o", CHANGED], passes, module, folder)?;
        std::fs::rename(folder.join(CHANGED), module).map_err(Error::write(module))?;
        let file = folder.join(file);
        std::fs::read(&file).map_err(Error::read(&file))
    }

    /// Like [`run`](Self::run), with `options` for the output of `opt`.
    pub fn run_with(&self, options: &[&str], passes: &str, module: &Path, folder: &Path) -> Result<Vec<u8>> {
        std::fs::create_dir_all(folder).map_err(Error::write(folder))?;
        let mut command = Command::new(&self.toolchain.opt);
        command.arg(format!("-load-pass-plugin={}", self.plugin.display()));
        command.arg(format!("-passes={passes}")).args(options).current_dir(folder);
        // The output of the plugin contains the path of the module. If this path is relative, the output does not
        // depend on the name of the temporary folder.
        match module.strip_prefix(folder) {
            Ok(inside) => command.arg(inside),
            Err(_) => command.arg(module),
        };
        let program = self.toolchain.opt.clone();
        let done = process::output(&mut command).map_err(|source| Error::Run { program, source })?;
        if done.status.success() {
            return Ok(done.stderr);
        }
        Err(failure(&String::from_utf8_lossy(&done.stderr), self.toolchain.version))
    }
}

/// The error for a run of `opt` that failed. If the plugin printed messages, the error has only these messages: `opt`
/// then adds that it does not know the pass.
fn failure(printed: &str, version: u32) -> Error {
    let own: Vec<&str> = printed.lines().filter_map(|line| line.strip_prefix("bpa: ")).collect();
    match own.is_empty() {
        true => Error::advice(
            format!("opt of LLVM {version} fails:\n{}", printed.trim_end()),
            advice(printed, version),
        ),
        false => {
            let own = own.join("\n");
            let help = advice(&own, version);
            Error::advice(own, help)
        }
    }
}

/// The advice for an error of `opt`.
fn advice(printed: &str, version: u32) -> String {
    if is_about_space(printed) {
        return OTHER_FOLDER.to_string();
    }
    let not_loaded = ["Could not load library", "Failed to load passes", "not compatible with"];
    if not_loaded.iter().any(|text| printed.contains(text)) {
        return format!("the plugin does not fit LLVM {version}: `bpa doctor` prints the plugin that fits");
    }
    if printed.contains("Unknown attribute kind")
        || printed.contains("Invalid record")
        || printed.contains("Reader: 'LLVM")
    {
        return format!(
            "a different LLVM version than {version} may have written the file: select that version with --llvm N"
        );
    }
    if printed.contains("unknown pass name") || printed.contains("unknown option") {
        return "the plugin may be older than this command: build or install both again".to_string();
    }
    String::new()
}

/// Parses one JSON object per line.
pub fn read_lines<T: DeserializeOwned>(text: &[u8]) -> Result<Vec<T>> {
    text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).map(parse).collect()
}

fn parse<T: DeserializeOwned>(line: &[u8]) -> Result<T> {
    serde_json::from_slice(line).map_err(|source| match format_of(line) {
        Some(format) if format != FORMAT => Error::advice(
            format!("the plugin prints format {format}, but this command reads format {FORMAT}"),
            "install the plugin and the command in the same version; `bpa doctor` shows both",
        ),
        _ => Error::Data { program: "the plugin".into(), source },
    })
}

/// The format number of a JSON line. The line can have a format that this command cannot parse.
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

/// The point of the pass pipeline at which bpa analyses a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The output of clang's front end for the requested optimisation level, before any pass. Each branch of the source
    /// occurs once, and no pass has removed the hints of the source.
    Source,
    /// The module right after the pass that reads the profile. Branch weights are counts.
    Profile,
    /// For Rust with a profile: the module right before the pass that reads the profile. Branch weights come from
    /// hints.
    BeforeProfile,
    Optimised,
    /// The end of the pipeline, with an audit of the profile on the way. For C and C++, the result is the report of the
    /// audit instead of the module. For Rust, bpa audits the passes of `opt` instead, on the module at `Profile`.
    Audit,
}

#[cfg(test)]
mod tests {
    use super::*;
    use bpa_schema::Function;

    #[test]
    fn another_format_is_reported_with_its_number() {
        for line in [r#"{"format":1,"function":"f"}"#, r#"{"function":"f","format":1,"blocks":[{}]}"#] {
            let error = parse::<Function>(line.as_bytes()).expect_err("the format differs").to_string();
            assert_eq!(error, "the plugin prints format 1, but this command reads format 3");
        }
        let error = parse::<Function>(br#"{"format":3}"#).expect_err("fields are missing");
        assert!(matches!(error, Error::Data { .. }));
    }

    #[test]
    fn compiler_generated_functions_have_no_line() {
        let line = r#"{"format":3,"analysis":"rust-bfi","llvm":16,"module":"m","function":"_GLOBAL__sub_I_a.cpp",
            "source":{"file":"a.cpp"},"entry_count":null,"blocks":[],"edges":[],"loops":[]}"#;
        let function: Function = parse(line.as_bytes()).expect("a function");
        assert_eq!(function.source.expect("it has a file").line, None);
    }

    #[test]
    fn messages_of_the_plugin_need_no_advice() {
        let printed = "bpa: a.toml:1: no value\nopt: unknown pass name 'rust-bfi<predictor=a.toml>'\n";
        let error = failure(printed, 16);
        assert_eq!((error.to_string().as_str(), error.help()), ("a.toml:1: no value", ""));
        let error =
            failure("bpa: rust-bfi: unknown option 'new'\nopt: unknown pass name 'rust-bfi<new>'\n", 16);
        assert!(error.help().contains("older"), "{}", error.help());
    }

    #[test]
    fn a_plugin_for_another_version_has_advice() {
        assert!(advice("Could not load library 'x': undefined symbol", 16).contains("does not fit LLVM 16"));
        assert_eq!(advice("LLVM ERROR: out of memory", 16), "");
    }
}
