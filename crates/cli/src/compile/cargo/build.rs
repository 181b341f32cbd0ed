//! Runs `cargo build`, and collects the command lines with which cargo compiles the members of the workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::{BufReader, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cargo_metadata::{MetadataCommand, PackageId};
use serde::Deserialize;

use super::record::{self, Record};
use crate::args::BuildOptions;
use crate::base::error::{Error, Result};
use crate::base::messages;
use crate::base::process::Running;

/// A cargo workspace. bpa analyses two kinds of packages: the packages of the workspace, and the dependencies that are
/// specified by a path.
pub struct Workspace {
    target_directory: PathBuf,
    /// The `rust-version` of each workspace member, or an empty string.
    rust_versions: BTreeMap<PackageId, String>,
}

/// A target of a workspace member, with the command line that compiles the target.
#[derive(Debug)]
pub struct Unit {
    pub record: Record,
    /// The root source file of the target.
    pub root: PathBuf,
}

impl Unit {
    /// The name of the crate.
    pub fn crate_name(&self) -> &str {
        let mut words = self.record.arguments.iter().skip_while(|word| *word != "--crate-name");
        words.nth(1).map_or("", String::as_str)
    }
}

/// The result of a build.
#[derive(Debug, Default)]
pub struct Build {
    pub units: Vec<Unit>,
    /// The libraries and programs that cargo has built for the workspace members.
    pub artifacts: Vec<PathBuf>,
    /// The packages that cargo has built without printing their command lines.
    unrecorded: BTreeSet<String>,
}

impl Build {
    /// Returns true if a unit belongs to the package that `spec` selects.
    pub fn has_package(&self, spec: &str) -> bool {
        self.units.iter().any(|unit| names(spec, unit.record.package()))
    }
}

/// A line that `cargo build --message-format=json` prints, with only the fields that `bpa` uses.
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
    /// Returns false for build scripts and procedural macros, which are not a part of the program.
    fn is_part(&self) -> bool {
        !self.kind.iter().any(|kind| kind == "custom-build" || kind == "proc-macro")
    }
}

impl Workspace {
    pub fn read(options: &BuildOptions) -> Result<Self> {
        let mut command = MetadataCommand::new();
        command.cargo_path(cargo()).no_deps();
        command.other_options(options.lock_arguments());
        if let Some(path) = &options.manifest_path {
            command.manifest_path(path);
        }
        let metadata = command.exec().map_err(|error| {
            let text = match &error {
                cargo_metadata::Error::CargoMetadata { stderr } => first_error(stderr),
                other => other.to_string(),
            };
            Error::advice(
                format!("cargo cannot read the project: {text}"),
                "pass the Cargo.toml of the project with --manifest-path",
            )
        })?;
        let rust_version = |version: &Option<_>| version.as_ref().map_or(String::new(), ToString::to_string);
        let packages = metadata.packages.iter();
        Ok(Workspace {
            target_directory: metadata.target_directory.into(),
            rust_versions: packages.map(|one| (one.id.clone(), rust_version(&one.rust_version))).collect(),
        })
    }

    /// Builds the targets that `options` select.
    pub fn build(&self, options: &BuildOptions) -> Result<Build> {
        let build = self.run_build(options)?;
        if build.unrecorded.is_empty() {
            return Ok(build);
        }
        // If another version of bpa, or cargo without bpa, has built a package, the command line of the package is
        // unknown.
        let directory = self.target_dir(options);
        if options.target_dir.is_none() {
            std::fs::remove_dir_all(&directory).map_err(Error::write(&directory))?;
            let build = self.run_build(options)?;
            if build.unrecorded.is_empty() {
                return Ok(build);
            }
        }
        let packages: Vec<&str> = build.unrecorded.iter().map(String::as_str).collect();
        Err(Error::advice(
            format!("the command lines of {} are unknown", packages.join(", ")),
            format!(
                "remove {}: `bpa` must be the RUSTC_WRAPPER of every build in this directory",
                directory.display()
            ),
        ))
    }

    fn target_dir(&self, options: &BuildOptions) -> PathBuf {
        options.target_dir.clone().unwrap_or_else(|| self.target_directory.join("bpa"))
    }

    fn run_build(&self, options: &BuildOptions) -> Result<Build> {
        let directory = self.target_dir(options);
        if directory.exists() && !directory.is_dir() {
            return Err(Error::advice(
                format!(
                    "{} is a file, and `cargo bpa` needs a directory there for its build",
                    directory.display()
                ),
                "remove the file, or pass another directory with --target-dir",
            ));
        }
        let mut command = Command::new(cargo());
        command.arg("build").args(options.build_arguments());
        command.arg("--message-format=json").arg("--target-dir").arg(directory);
        if messages::is_quiet() {
            command.arg("--quiet");
        } else if std::io::stderr().is_terminal() {
            command.env("CARGO_TERM_PROGRESS_WHEN", "auto");
        }
        command.env(record::IS_WRAPPER, "1");
        let variables = std::env::vars_os();
        let hash = |(name, value): (OsString, OsString)| Some(record::hash(name.to_str()?, value.to_str()?));
        command.env(record::INHERITED, variables.filter_map(hash).collect::<Vec<_>>().join("\n"));
        if let Some(inner) = std::env::var_os("RUSTC_WRAPPER") {
            command.env(record::INNER, inner);
        }
        command.env("RUSTC_WRAPPER", wrapper()?).env("CARGO_INCREMENTAL", "0");
        let failed = |source| Error::Run { program: cargo(), source };
        let mut cargo = Running::start(command.stdout(Stdio::piped())).map_err(failed)?;
        let build = read_messages(options, &self.rust_versions, cargo.take_stdout().expect("it is piped"));
        let status = cargo.wait().map_err(failed)?;
        if !status.success() {
            return Err(Error::advice("cargo cannot build the project", "see cargo's messages above"));
        }
        build
    }
}

fn read_messages(
    options: &BuildOptions,
    rust_versions: &BTreeMap<PackageId, String>,
    output: impl std::io::Read,
) -> Result<Build> {
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
                if let Some(mut record) = record.filter(|_| is_own(&package_id) && target.is_part()) {
                    if let Some(version) = rust_versions.get(&package_id) {
                        record.set_rust_version(version);
                    }
                    let is_wanted = is_selected(options, record.package());
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
    // The order of cargo's messages depends on the times of compilations.
    build.units.sort_by(|one, other| {
        (&one.root, &one.record.arguments).cmp(&(&other.root, &other.record.arguments))
    });
    Ok(build)
}

/// Returns true if the source of a package is a directory, and not a registry or a repository. Before version 1.77,
/// cargo writes `NAME VERSION (SOURCE)` instead of a URL that begins with the source.
fn is_own(package: &PackageId) -> bool {
    package.repr.starts_with("path+") || package.repr.contains(" (path+")
}

/// Returns true if `options` select the package called `name`, or select no package explicitly. Unknown names need no
/// error here because cargo reports them.
fn is_selected(options: &BuildOptions, name: &str) -> bool {
    options.packages.is_empty() || options.packages.iter().any(|spec| names(spec, name))
}

/// Returns true if the specification `spec` of the option `-p` selects the package called `name`. A specification is
/// NAME, NAME@VERSION, NAME:VERSION, or a URL, which may end in #NAME, #VERSION or #NAME@VERSION. A name may be a
/// pattern such as `app-*`.
fn names(spec: &str, name: &str) -> bool {
    let (location, fragment) = spec.split_once('#').unwrap_or((spec, ""));
    let last = match fragment.starts_with(|first: char| !first.is_ascii_digit()) {
        true => fragment,
        false => location.trim_end_matches('/').rsplit('/').next().unwrap_or_default(),
    };
    let pattern = last.split(['@', ':']).next().unwrap_or_default();
    glob::Pattern::new(pattern).is_ok_and(|pattern| pattern.matches(name))
}

/// The path of this executable, `cargo-bpa` or `bpa`. Cargo starts this executable as the RUSTC_WRAPPER.
fn wrapper() -> Result<PathBuf> {
    std::env::current_exe().map_err(|source| Error::Run { program: "bpa".into(), source })
}

/// The path of the cargo that has started this process. If cargo has not started this process, the path is `cargo`.
pub fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from)
}

/// The first error line of cargo's output, without `error: `.
fn first_error(text: &str) -> String {
    let line =
        text.lines().find(|line| line.starts_with("error")).or(text.lines().next()).unwrap_or_default();
    line.trim_start_matches("error: ").to_string()
}

/// The path of the Cargo.toml, if `path` is a Cargo.toml or a directory that contains one.
pub fn manifest_of(path: &Path) -> Option<PathBuf> {
    if path.file_name().is_some_and(|name| name == "Cargo.toml") {
        return Some(path.into());
    }
    let manifest = path.join("Cargo.toml");
    (path.is_dir() && manifest.is_file()).then_some(manifest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifications_select_packages() {
        let selecting = [
            "app",
            "app@0.1.0",
            "app:0.1.0",
            "a*",
            "ap[op]",
            "path+file:///home/me/app",
            "file:///home/me/app#0.1.0",
        ];
        let by_fragment = ["path+file:///home/me/folder#app@0.1.0", "file:///home/me/folder#app"];
        for spec in selecting.iter().chain(&by_fragment) {
            assert!(names(spec, "app"), "{spec}");
            assert!(!names(spec, "other"), "{spec}");
        }
        assert!(!names("file:///home/me/app#other@0.1.0", "app"));
    }

    #[test]
    fn packages_in_directories_are_own() {
        let is_own = |id: &str| is_own(&PackageId { repr: id.into() });
        assert!(is_own("path+file:///home/me/app#0.1.0"));
        assert!(is_own("app 0.1.0 (path+file:///home/me/app)"));
        assert!(!is_own("registry+https://github.com/rust-lang/crates.io-index#memchr@2.7.4"));
        assert!(!is_own("memchr 2.7.4 (registry+https://github.com/rust-lang/crates.io-index)"));
    }
}
