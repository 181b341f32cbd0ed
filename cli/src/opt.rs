//! Runs `opt` with the plugin, and reads what it prints.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::de::DeserializeOwned;

use crate::error::{Error, Result};
use crate::find::Toolchain;

/// `opt`, with the plugin that fits.
pub struct Opt {
    pub toolchain: Toolchain,
    pub plugin: PathBuf,
}

impl Opt {
    /// [`run`](Self::run) of passes that write `files`, of which nothing is left from before; what it said, and their paths.
    pub fn write<const N: usize>(
        &self,
        passes: &str,
        module: &Path,
        folder: &Path,
        files: [&str; N],
    ) -> Result<(Vec<u8>, [PathBuf; N])> {
        let files = files.map(|name| folder.join(name));
        files.iter().for_each(|file| drop(std::fs::remove_file(file)));
        Ok((self.run(passes, module, folder)?, files))
    }

    /// Runs `passes` on `module`, in `folder`: there are the files that passes name without a folder.
    pub fn run(&self, passes: &str, module: &Path, folder: &Path) -> Result<Vec<u8>> {
        let mut command = Command::new(&self.toolchain.opt);
        command.arg(format!("-load-pass-plugin={}", self.plugin.display()));
        command.arg(format!("-passes={passes}")).arg("-disable-output").current_dir(folder);
        // The plugin tells what the module is called: not the name of a folder for a while.
        match module.strip_prefix(folder) {
            Ok(inside) => command.arg(inside),
            Err(_) => command.arg(module),
        };
        let program = self.toolchain.opt.clone();
        let done = command.output().map_err(|source| Error::Run { program, source })?;
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

/// What to do about what `opt` says.
fn advice(said: &str, version: u32) -> String {
    if said.contains("Could not load library") || said.contains("not compatible with") {
        return format!("the plugin is not one for LLVM {version}: `bpa doctor` tells which fits");
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

/// The objects of a file with one on each line; none if it is not there, as of a module without a function.
pub fn read_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let file = File::open(path).map_err(Error::read(path))?;
    let mut objects = Vec::new();
    for line in BufReader::new(file).split(b'\n') {
        let line = line.map_err(Error::read(path))?;
        objects.push(parse(&line)?);
    }
    Ok(objects)
}

/// Calls may be inlined deeper than serde_json's own limit.
fn parse<T: DeserializeOwned>(line: &[u8]) -> Result<T> {
    let mut reader = serde_json::Deserializer::from_slice(line);
    reader.disable_recursion_limit();
    T::deserialize(&mut reader).map_err(|source| Error::Data { program: "the plugin".into(), source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Position;

    #[test]
    fn deeply_inlined_calls_are_read() {
        let one = r#"{"file":"a.c","line":1,"column":2"#;
        let depth = 10_000;
        let text =
            format!("{}{one}{}", format!("{one},\"inlined_at\":").repeat(depth), "}".repeat(depth + 1));
        let count = crate::with_deep_stack(move || {
            let position: Position = parse(text.as_bytes()).expect("it is read");
            position.outwards().count()
        });
        assert_eq!(count, depth + 1);
    }

    #[test]
    fn a_plugin_of_another_version_is_told() {
        assert!(advice("Could not load library 'x': undefined symbol", 16).contains("not one for LLVM 16"));
        assert_eq!(advice("LLVM ERROR: out of memory", 16), "");
    }
}
