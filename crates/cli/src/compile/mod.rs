//! Compiles inputs to bitcode.

mod build_flags;
pub mod cargo;
mod clang;
pub mod compile_commands;
pub mod crates;
mod dependencies;
mod foreign;
pub mod profiled;
mod rustc;
pub mod rustc_flags;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::base::error::{Error, Result};
use crate::base::input::{Input, Language};
use crate::base::messages;
use crate::base::process;
use crate::counts::Profile;
use crate::toolchain::cache::{Key, KeyBuilder, Store};
use crate::toolchain::find;
use crate::toolchain::opt::Opt;
use crate::toolchain::opt::Stage;
use dependencies::Dependencies;

pub use clang::optimisation_level;
pub use foreign::Refused;
pub use rustc::no_rustc;

/// The settings of a compilation.
pub struct Compiler<'a> {
    pub opt: &'a Opt,
    /// The user's flags, which follow all other flags on the command line.
    pub flags: &'a [String],
    pub profile: Option<&'a Profile>,
    /// The Rust edition of a file that is not compiled by cargo.
    pub edition: &'a str,
    pub stage: Stage,
    /// The path of a virtual file system overlay. Through the overlay, clang reads edited source files. Compilations
    /// with an overlay are not cached.
    pub overlay: Option<&'a Path>,
    pub store: &'a Store,
    /// The build flags that this clang version does not know.
    pub refused: &'a Refused,
}

/// The path of a bitcode file, and its cache key.
#[derive(Clone, Debug)]
pub struct Bitcode {
    pub path: PathBuf,
    /// A hash of the bitcode, or of all inputs from which the compiler produces the bitcode.
    pub key: Key,
    /// The source files that the compiler has read. The list is empty if they are unknown.
    pub sources: Vec<PathBuf>,
}

/// The cached record of a compilation: the files that the compiler has read, the refused flags and the warnings.
#[derive(Serialize, Deserialize)]
struct Compilation {
    dependencies: Dependencies,
    refused: foreign::Flags,
    warnings: String,
}

impl Compiler<'_> {
    /// The bitcode of `input`, from the cache or newly compiled in `folder`. Each compilation needs a separate
    /// `folder`.
    pub fn compile(&self, input: &Input, folder: &Path) -> Result<Bitcode> {
        if input.language == Language::Ir {
            let path = absolute(&input.path)?;
            let key = crate::toolchain::cache::content(&path).map_err(Error::read(&path))?;
            return Ok(Bitcode { path, key, sources: Vec::new() });
        }
        let directory = directory(input)?;
        let request = self.request(input, &directory).filter(|_| self.overlay.is_none());
        if let Some((bitcode, warnings)) = request.and_then(|request| self.cached(request)) {
            self.print(input, &warnings);
            return Ok(bitcode);
        }
        std::fs::create_dir_all(folder).map_err(Error::write(folder))?;
        let started = SystemTime::now();
        let out = folder.join(bitcode_name(input));
        let rules = folder.join("dependencies");
        let (warnings, refused) = match input.language {
            Language::Rust => (self.run_rustc(input, &out, &rules)?, foreign::Flags::new()),
            _ => self.run_clang(input, &out, &rules)?,
        };
        let warnings = match self.profile_of(input) {
            Some(profile) => profiled::finish(&profiled::Compiled {
                profile,
                stage: self.stage,
                opt: self.opt,
                input,
                out: &out,
                printed: &warnings,
            })?,
            None => warnings,
        };
        self.print(input, &warnings);
        // The hash `request` includes the environment variables that cargo sets.
        let known = input.command.as_ref().map(|command| &command.environment);
        let dependencies = Dependencies::read(&rules, &directory, started, known);
        let key =
            dependencies.as_ref().zip(request).map(|(dependencies, request)| dependencies.result(request));
        let Some((dependencies, (request, key))) = dependencies.zip(request.zip(key)) else {
            let key = crate::toolchain::cache::content(&out).map_err(Error::read(&out))?;
            return Ok(Bitcode { path: out, key, sources: Vec::new() });
        };
        let bytes = std::fs::read(&out).map_err(Error::read(&out))?;
        let kept = self.store.keep_file(key, "bc", &bytes);
        let sources = dependencies.paths();
        if kept.is_some() {
            let compilation = Compilation { dependencies, refused, warnings };
            self.store.keep_value(request, &compilation);
        }
        Ok(Bitcode { path: kept.unwrap_or(out), key, sources })
    }

    /// A hash of everything that the bitcode of `input` depends on: flags, and the content of all files. `None` if the
    /// bitcode is not in the cache.
    pub fn sources(&self, input: &Input) -> Option<Key> {
        let directory = directory(input).ok()?;
        let request = self.request(input, &directory).filter(|_| self.overlay.is_none())?;
        Some(self.cached(request)?.0.key)
    }

    /// A hash of everything that the compiler's result depends on, except the source files. The inputs of the hash are
    /// the command line, the compiler, libraries and the profile. `None` if an input cannot be read.
    fn request(&self, input: &Input, directory: &Path) -> Option<Key> {
        let command = match input.language {
            Language::Rust => self.rustc(input).ok()?,
            _ => self.clang_with(input, input.flags(), clang::BITCODE).ok()?,
        };
        let mut key = KeyBuilder::new("compilation").program(Path::new(command.get_program())).ok()?;
        if input.language == Language::Rust && input.command.is_none() {
            // The program can be a proxy of rustup, which chooses a toolchain.
            key = key.text(find::rustc_version()?);
        }
        key = key.text(directory).text(format!("{:?}", self.stage));
        // The path of the profile is not part of the key, because raw profiles are merged to a new path in each run.
        let profile = self.profile.map(|profile| profile.path.display().to_string());
        for word in command.get_args() {
            let text = word.to_string_lossy();
            key = match profile.as_deref().filter(|path| text.contains(path)) {
                Some(path) => key.text(text.replace(path, "")),
                None => key.text(word),
            };
            // The argument `@FILE` stands for the arguments in FILE.
            if let Some(name) = word.to_str().and_then(|word| word.strip_prefix('@')) {
                key = key.file(&directory.join(name)).ok()?;
            }
        }
        for name in ["CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "RUSTUP_TOOLCHAIN"] {
            key = key.text(std::env::var_os(name).unwrap_or_default());
        }
        if let Some(build) = &input.command {
            for (name, value) in &build.environment {
                key = key.text(name).text(value);
            }
            for library in crate::compile::rustc_flags::libraries(&build.arguments) {
                key = key.file(&directory.join(library)).ok()?;
            }
        }
        if let Some(profile) = self.profile {
            key = key.key(profile.key(self.stage));
        }
        if self.profile.is_some() || self.stage == Stage::Source {
            key = key.program(&self.opt.toolchain.opt).ok()?.program(&self.opt.plugin).ok()?;
        }
        Some(key.finish())
    }

    /// Prints the warnings of the compilation of `input`.
    fn print(&self, input: &Input, warnings: &str) {
        match self.profile_of(input) {
            Some(_) => messages::plain(&profiled::named_warnings(input, warnings)),
            None => messages::plain(warnings),
        }
    }

    /// The profile with which bpa compiles `input`. If cargo compiles `input`, cargo passes the profile to rustc.
    fn profile_of(&self, input: &Input) -> Option<&Profile> {
        self.profile.filter(|_| input.language != Language::Rust || input.command.is_none())
    }

    /// The bitcode in the cache, and the warnings of its compilation.
    fn cached(&self, request: Key) -> Option<(Bitcode, String)> {
        let compilation: Compilation = self.store.value(request)?;
        if !compilation.dependencies.are_unchanged() {
            return None;
        }
        let key = compilation.dependencies.result(request);
        let path = self.store.file(key, "bc")?;
        self.refused.extend(&compilation.refused);
        let sources = compilation.dependencies.paths();
        Some((Bitcode { path, key, sources }, compilation.warnings))
    }
}

/// Runs a compiler. Returns the output of the process, and the messages without colour codes.
fn run(mut command: Command) -> Result<(Output, String)> {
    let program = PathBuf::from(command.get_program());
    let done = process::output(&mut command).map_err(|source| Error::Run { program, source })?;
    let text = anstream::adapter::strip_bytes(&done.stderr).into_vec();
    let text = String::from_utf8_lossy(&text).into_owned();
    Ok((done, text))
}

/// The folder in which `input` is compiled. If the build command names a folder that does not exist, `input` cannot be
/// compiled.
pub fn directory(input: &Input) -> Result<PathBuf> {
    let named = input.command.as_ref().map_or(Path::new("."), |command| command.directory.as_path());
    named.canonicalize().map_err(|error| match &input.command {
        Some(_) => Error::compile(
            input,
            &format!("cannot open the folder {} of the build command: {error}", named.display()),
            "build the project again, so that the commands fit the folders",
        ),
        None => Error::read(named)(error),
    })
}

/// The name of the bitcode file of `input`.
fn bitcode_name(input: &Input) -> String {
    let name = input.path.file_name().unwrap_or_default().to_string_lossy();
    format!("{}.bc", name.chars().take(50).collect::<String>())
}

fn absolute(path: &Path) -> Result<PathBuf> {
    path.canonicalize().map_err(Error::read(path))
}
