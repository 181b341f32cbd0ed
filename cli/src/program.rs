//! A program as it was analysed: its modules, and of each what the plugin says.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::args;
use crate::compile::{no_rustc, Compiler, Stage};
use crate::error::{Error, Result};
use crate::find::{self, Toolchain, SUPPORTED};
use crate::input::{Input, Language};
use crate::inputs;
use crate::opt::{read_lines, Opt};
use crate::plugin;
use crate::progress::progress;
use bpa_schema::{Calls, Function, ScoredBranch};

/// The bitcode of a program, and what looks at it.
pub struct Program {
    pub opt: Opt,
    pub inputs: Vec<Input>,
    /// One of each input.
    pub modules: Vec<PathBuf>,
    /// Where bitcode and data are; removed at the end.
    pub folder: TempDir,
}

/// What the plugin says of one module.
pub struct Module {
    pub functions: Vec<Function<'static>>,
    /// How often functions are called, by their names.
    pub calls: HashMap<String, Calls<'static>>,
    /// Branches for which there is a measured profile, by function and block.
    pub scored: HashMap<(String, usize), ScoredBranch<'static>>,
}

/// Whose answer the plugin gives.
#[derive(Clone, Debug, Default)]
pub struct Whose {
    pub like: Option<u32>,
    pub predictor: Option<String>,
}

impl Whose {
    pub fn asked_for(answer: &args::Answer) -> Result<Self> {
        Whose::new(answer.like, answer.predictor.as_deref())
    }

    pub fn new(like: Option<u32>, predictor: Option<&str>) -> Result<Self> {
        if let Some(version) = like.filter(|version| !SUPPORTED.contains(version)) {
            let (first, last) = (SUPPORTED.start(), SUPPORTED.end());
            return Err(Error::advice(
                format!("there is no LLVM {version} to answer like"),
                format!("known are {first} to {last}"),
            ));
        }
        // opt runs in another folder.
        let absolute = |name: &str| match Path::new(name) {
            path if path.is_file() => {
                path.canonicalize().map_or(name.into(), |path| path.display().to_string())
            }
            _ => name.to_string(),
        };
        Ok(Whose { like, predictor: predictor.map(absolute) })
    }

    /// As options of a pass, each behind a semicolon.
    pub fn options(&self) -> String {
        let like = self.like.map(|version| format!(";like={version}"));
        let predictor = self.predictor.as_ref().map(|name| format!(";predictor={name}"));
        [like, predictor].into_iter().flatten().collect()
    }

    /// In words: `LLVM 16`, `bpa's rules as LLVM 16`.
    pub fn name(&self, host: u32) -> String {
        let version = self.like.unwrap_or(host);
        match self.predictor.as_deref() {
            None | Some("llvm") => format!("LLVM {version}"),
            Some(name) => format!(
                "predictor {}",
                Path::new(name).file_name().map_or(name.into(), |n| n.to_string_lossy())
            ),
        }
    }
}

impl Program {
    /// Compiles what is given.
    pub fn load(arguments: &args::Program) -> Result<Self> {
        Self::load_at(arguments, Stage::Optimised)
    }

    /// Compiles what is given so far.
    pub fn load_at(arguments: &args::Program, stage: Stage) -> Result<Self> {
        let inputs = inputs::read(&arguments.files)?;
        let opt = choose(arguments, &inputs)?;
        let folder =
            tempfile::tempdir().map_err(|source| Error::Write { path: std::env::temp_dir(), source })?;
        let compiler = Compiler {
            toolchain: &opt.toolchain,
            flags: &arguments.flags,
            profile: arguments.profile.as_deref(),
            stage,
            overlay: None,
        };
        let modules = compiler.compile_all(&inputs, folder.path()).into_iter().collect::<Result<_>>()?;
        Ok(Program { opt, inputs, modules, folder })
    }

    /// What the plugin says of each module, in the answer of `whose`. With `is_scored`, the static answers are held against
    /// the profile that the module carries.
    pub fn analyse(&self, whose: &Whose, is_scored: bool) -> Result<Vec<Module>> {
        let progress = progress(self.modules.len(), "analysing");
        let modules = self.modules.iter().map(|module| {
            let analysed = self.analyse_module(module, whose, is_scored);
            progress.inc(1);
            analysed
        });
        let modules = modules.collect();
        progress.finish_and_clear();
        modules
    }

    fn analyse_module(&self, module: &Path, whose: &Whose, is_scored: bool) -> Result<Module> {
        let options = whose.options();
        let mut passes = vec![
            format!("rust-bfi<json;explain;output=functions{options}>"),
            format!("rust-entry-counts<json;output=calls{options}>"),
        ];
        if is_scored {
            passes.push(format!("rust-bpi<score;json;output=scored{options}>"));
        }
        let files = ["functions", "calls", "scored"];
        let (said, [functions, calls, scored]) =
            self.opt.write(&passes.join(","), module, self.folder.path(), files)?;
        anstream::eprint!("{}", String::from_utf8_lossy(&said));
        Ok(Module {
            functions: read_lines(&functions)?,
            calls: read_lines(&calls)?
                .into_iter()
                .map(|calls: Calls| (calls.function.to_string(), calls))
                .collect(),
            scored: read_lines(&scored)?
                .into_iter()
                .map(|branch: ScoredBranch| {
                    ((branch.place.function.to_string(), branch.place.number), branch)
                })
                .collect(),
        })
    }
}

/// The tools for `inputs`, and the plugin that fits them.
fn choose(arguments: &args::Program, inputs: &[Input]) -> Result<Opt> {
    let named = arguments.plugin.as_deref();
    let version = arguments.llvm.or_else(|| named.and_then(plugin::version_told_by));
    let has_rust = inputs.iter().any(|input| input.language == Language::Rust);
    let least = if has_rust { find::rustc().ok_or_else(no_rustc)?.1 } else { 0 };
    let toolchain = match version {
        Some(version) if version < least => {
            return Err(Error::advice(
                format!("rustc is built on LLVM {least}, and LLVM {version} cannot read what it writes"),
                format!("take --llvm {least} or a later one"),
            ))
        }
        Some(version) => Toolchain::of(version).ok_or_else(|| not_installed(version))?,
        None if named.is_some() => {
            return Err(Error::advice("nothing tells which LLVM the plugin is for", "say it by --llvm N"))
        }
        None => newest(inputs, least)?,
    };
    let plugin = plugin::find(toolchain.version, named)?;
    Ok(Opt { toolchain, plugin })
}

fn not_installed(version: u32) -> Error {
    let (first, last) = (SUPPORTED.start(), SUPPORTED.end());
    if !SUPPORTED.contains(&version) {
        return Error::advice(
            format!("LLVM {version} is not supported"),
            format!("supported are {first} to {last}"),
        );
    }
    Error::advice(
        format!("there is no opt of LLVM {version}"),
        format!(
            "install it: apt-get install llvm-{version} clang-{version}; `bpa doctor` tells what is there"
        ),
    )
}

/// The newest tools that can take `inputs` and have a plugin; for Rust the nearest to rustc's own LLVM.
fn newest(inputs: &[Input], least: u32) -> Result<Toolchain> {
    let takes_clang = inputs.iter().any(|input| input.language.takes_clang());
    let installed = Toolchain::installed();
    let able =
        |toolchain: &&Toolchain| toolchain.version >= least && (!takes_clang || toolchain.clang.is_some());
    let mut ready = installed.iter().filter(able).filter(|one| plugin::installed(one.version).is_some());
    let chosen = if least > 0 { ready.next_back() } else { ready.next() };
    chosen.cloned().ok_or_else(|| {
        let versions: Vec<String> = installed.iter().map(|one| one.version.to_string()).collect();
        match (installed.iter().find(able), least) {
            (_, 1..) => Error::advice(
                format!("rustc is built on LLVM {least}, and there is no opt with a plugin that reads what it writes"),
                format!("install llvm-{least} and the plugin for it (in a checkout of bpa: scripts/build --llvm {least})"),
            ),
            (Some(able), _) => Error::advice(
                format!("there is no plugin for LLVM {}", versions.join(", ")),
                format!(
                    "apt install ./bpa-llvm-{0}_*.deb, or in a checkout of bpa: scripts/build --llvm {0}",
                    able.version
                ),
            ),
            (None, _) => Error::advice(
                "there is no clang and opt of a version that is supported",
                "on Debian or Ubuntu: apt-get install clang-16 llvm-16; `bpa doctor` tells what is there",
            ),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_becomes_options_and_words() {
        let whose = Whose::new(Some(19), Some("bpa")).expect("supported");
        assert_eq!(whose.options(), ";like=19;predictor=bpa");
        assert_eq!(whose.name(16), "predictor bpa");
        assert_eq!(Whose::default().options(), "");
        assert_eq!(Whose::default().name(16), "LLVM 16");
        assert!(Whose::new(Some(13), None).is_err());
    }
}
