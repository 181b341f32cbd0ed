//! Runs `cargo build`, and reads how cargo has compiled the members.

use std::collections::BTreeSet;
use std::io::{BufReader, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cargo_metadata::{MetadataCommand, PackageId};
use serde::Deserialize;

use super::record::{self, Record};
use super::words::Words;
use crate::error::{Error, Result};
use crate::process::Running;

/// A workspace, of which those packages are looked at that are its own: members, and dependencies by path.
pub struct Workspace {
    target_directory: PathBuf,
}

/// A target of a member as cargo has compiled it.
#[derive(Debug)]
pub struct Unit {
    pub record: Record,
    /// The source file that the target begins with.
    pub root: PathBuf,
}

impl Unit {
    /// The name of the crate.
    pub fn crate_name(&self) -> &str {
        let mut words = self.record.arguments.iter().skip_while(|word| *word != "--crate-name");
        words.nth(1).map_or("", String::as_str)
    }
}

/// What a build has come to.
#[derive(Debug, Default)]
pub struct Build {
    pub units: Vec<Unit>,
    /// What was written for the members: libraries and programs.
    pub artifacts: Vec<PathBuf>,
    /// Packages of which it is not known how they were compiled.
    unrecorded: BTreeSet<String>,
}

/// A line of `cargo build --message-format=json`, as far as it matters here.
#[derive(Deserialize)]
#[serde(tag = "reason")]
enum Message {
    #[serde(rename = "compiler-message")]
    Diagnostic { package_id: PackageId, target: Target, message: Diagnostic },
    #[serde(rename = "compiler-artifact")]
    Artifact { package_id: PackageId, target: Target, filenames: Vec<PathBuf> },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
    src_path: PathBuf,
}

#[derive(Deserialize)]
struct Diagnostic {
    #[serde(default)]
    rendered: Option<String>,
    level: String,
    bpa: Option<serde_json::Value>,
}

impl Target {
    /// Whether it is part of the program: no build script and no procedural macro.
    fn is_part(&self) -> bool {
        !self.kind.iter().any(|kind| kind == "custom-build" || kind == "proc-macro")
    }
}

impl Workspace {
    pub fn read(words: &Words) -> Result<Self> {
        let mut command = MetadataCommand::new();
        command.cargo_path(cargo()).no_deps();
        command.other_options(words.lock_arguments());
        if let Some(path) = &words.manifest_path {
            command.manifest_path(path);
        }
        let metadata = command.exec().map_err(|error| {
            let text = match &error {
                cargo_metadata::Error::CargoMetadata { stderr } => first_error(stderr),
                other => other.to_string(),
            };
            Error::advice(
                format!("cargo cannot read the project: {text}"),
                "name its Cargo.toml by --manifest-path",
            )
        })?;
        Ok(Workspace { target_directory: metadata.target_directory.into() })
    }

    /// Builds what `words` name.
    pub fn build(&self, words: &Words) -> Result<Build> {
        let build = self.run_build(words)?;
        if build.unrecorded.is_empty() {
            return Ok(build);
        }
        // Another version of this command, or none, has built them.
        let directory = self.target_dir(words);
        if words.target_dir.is_none() {
            std::fs::remove_dir_all(&directory).map_err(Error::write(&directory))?;
            let build = self.run_build(words)?;
            if build.unrecorded.is_empty() {
                return Ok(build);
            }
        }
        let packages: Vec<&str> = build.unrecorded.iter().map(String::as_str).collect();
        Err(Error::advice(
            format!("it is not known how cargo has compiled {}", packages.join(", ")),
            format!(
                "remove {}; `bpa` needs to be the RUSTC_WRAPPER of what is built there",
                directory.display()
            ),
        ))
    }

    fn target_dir(&self, words: &Words) -> PathBuf {
        words.target_dir.clone().unwrap_or_else(|| self.target_directory.join("bpa"))
    }

    fn run_build(&self, words: &Words) -> Result<Build> {
        let mut command = Command::new(cargo());
        command.arg("build").args(words.build_arguments());
        command.arg("--message-format=json").arg("--target-dir").arg(self.target_dir(words));
        if std::io::stderr().is_terminal() {
            command.env("CARGO_TERM_PROGRESS_WHEN", "auto");
        }
        command.env(record::IS_WRAPPER, "1");
        let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        command.env(record::INHERITED, lines(names));
        if let Some(inner) = std::env::var_os("RUSTC_WRAPPER") {
            command.env(record::INNER, inner);
        }
        command.env("RUSTC_WRAPPER", wrapper()?).env("CARGO_INCREMENTAL", "0");
        let failed = |source| Error::Run { program: cargo(), source };
        let mut cargo = Running::start(command.stdout(Stdio::piped())).map_err(failed)?;
        let build = read_messages(words, cargo.take_stdout().expect("it is piped"));
        let status = cargo.wait().map_err(failed)?;
        if !status.success() {
            return Err(Error::advice("cargo cannot build the project", "what it prints above says why"));
        }
        build
    }
}

fn read_messages(words: &Words, output: impl std::io::Read) -> Result<Build> {
    let (mut build, mut recorded) = (Build::default(), BTreeSet::new());
    let messages = serde_json::Deserializer::from_reader(BufReader::new(output)).into_iter::<Message>();
    for message in messages {
        let message = message.map_err(|source| Error::Data { program: "cargo".into(), source })?;
        match message {
            Message::Diagnostic { package_id, target, message } => {
                if message.level == "error" {
                    anstream::eprint!("{}", message.rendered.unwrap_or_default());
                }
                let record = message.bpa.and_then(|record| serde_json::from_value::<Record>(record).ok());
                if let Some(record) = record.filter(|_| is_own(&package_id)) {
                    let is_wanted = is_selected(words, record.package());
                    build.units.extend(is_wanted.then_some(Unit { record, root: target.src_path }));
                    recorded.insert((package_id, target.name));
                }
            }
            Message::Artifact { package_id, target, filenames }
                if is_own(&package_id) && target.is_part() =>
            {
                if !recorded.contains(&(package_id.clone(), target.name)) {
                    build.unrecorded.insert(package_id.repr);
                }
                build.artifacts.extend(filenames);
            }
            _ => {}
        }
    }
    Ok(build)
}

/// Whether a package comes from a directory, not from a registry or a repository.
fn is_own(package: &PackageId) -> bool {
    package.repr.starts_with("path+")
}

/// Whether `words` name the package called `name`, if they name any. What is no package cargo itself complains of.
fn is_selected(words: &Words, name: &str) -> bool {
    // NAME, NAME@VERSION, or a URL that ends in either.
    let named = |spec: &String| {
        spec.rsplit(['/', '#']).next().is_some_and(|last| last.split('@').next() == Some(name))
    };
    words.packages.is_empty() || words.packages.iter().any(named)
}

/// The program that cargo has to start as its wrapper: `cargo-bpa` or `bpa` itself, both know what to do then.
fn wrapper() -> Result<PathBuf> {
    std::env::current_exe().map_err(|source| Error::Run { program: "bpa".into(), source })
}

/// The cargo that has started this, or the one that is installed.
pub fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from)
}

fn lines(all: impl Iterator<Item = String>) -> String {
    all.collect::<Vec<_>>().join("\n")
}

/// The first line of what cargo complains of, without `error: `.
fn first_error(text: &str) -> String {
    let line =
        text.lines().find(|line| line.starts_with("error")).or(text.lines().next()).unwrap_or_default();
    line.trim_start_matches("error: ").to_string()
}

/// Whether `directory` or the folder of this file is a project of cargo's: the path of its Cargo.toml.
pub fn manifest_of(path: &Path) -> Option<PathBuf> {
    if path.file_name().is_some_and(|name| name == "Cargo.toml") {
        return Some(path.into());
    }
    let manifest = path.join("Cargo.toml");
    (path.is_dir() && manifest.is_file()).then_some(manifest)
}
