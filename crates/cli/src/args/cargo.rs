//! The command line of `cargo bpa`. This command accepts the options of `bpa` and options of cargo.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, CommandFactory, FromArgMatches, ValueHint};

use super::{Arguments, Command, Program};

// The options that select what cargo builds, and how. (This is not a doc comment because clap would print it as help.)
//
// `--profile` is the measured profile, as in every subcommand of `bpa`. Cargo's option `--profile` for the build
// profile is therefore called `--build-profile`. The default build profile is `release`, as in `cargo pgo` and `cargo
// asm`.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Options of cargo")]
pub struct BuildOptions {
    /// Path of the Cargo.toml [default: the nearest Cargo.toml in the current directory or its parents]
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub manifest_path: Option<PathBuf>,
    /// Build and analyse this package only (may be repeated)
    #[arg(short, long = "package", value_name = "SPEC")]
    pub packages: Vec<String>,
    /// Build and analyse all members of the workspace
    #[arg(long, visible_alias = "all")]
    pub workspace: bool,
    /// With --workspace: leave this package out (may be repeated)
    #[arg(long, value_name = "SPEC", requires = "workspace")]
    pub exclude: Vec<String>,
    /// Build the library
    #[arg(long)]
    pub lib: bool,
    /// Build this binary (may be repeated)
    #[arg(long = "bin", value_name = "NAME")]
    pub bins: Vec<String>,
    /// Build all binaries
    #[arg(long = "bins")]
    pub all_bins: bool,
    /// Build this example (may be repeated)
    #[arg(long = "example", value_name = "NAME")]
    pub examples: Vec<String>,
    /// Build this benchmark (may be repeated)
    #[arg(long = "bench", value_name = "NAME")]
    pub benches: Vec<String>,
    /// Features to activate, separated by commas or spaces
    #[arg(short = 'F', long, value_name = "FEATURES")]
    pub features: Vec<String>,
    /// Activate all features
    #[arg(long)]
    pub all_features: bool,
    /// Do not activate the `default` feature
    #[arg(long)]
    pub no_default_features: bool,
    /// Build for this target triple
    #[arg(long, value_name = "TRIPLE")]
    pub target: Option<String>,
    /// The build profile, which is the option --profile in `cargo build`
    #[arg(long, value_name = "NAME", default_value = "release")]
    pub build_profile: String,
    /// Build with the release profile, which is the default
    #[arg(short, long, conflicts_with = "build_profile")]
    pub release: bool,
    /// The directory for build results [default: `bpa` in the target directory of the workspace]
    #[arg(long, value_name = "DIRECTORY", value_hint = ValueHint::DirPath)]
    pub target_dir: Option<PathBuf>,
    /// Run without accessing the network
    #[arg(long)]
    pub offline: bool,
    /// Require that Cargo.lock remains unchanged
    #[arg(long)]
    pub locked: bool,
    /// Equivalent to --locked and --offline
    #[arg(long)]
    pub frozen: bool,
}

impl BuildOptions {
    /// The options for a build of the project of `manifest` with the release profile.
    pub fn of_manifest(manifest: PathBuf) -> Self {
        BuildOptions {
            manifest_path: Some(manifest),
            build_profile: "release".into(),
            ..BuildOptions::default()
        }
    }

    /// The arguments of `cargo build`, without the target directory.
    pub fn build_arguments(&self) -> Vec<String> {
        let mut words = self.project_arguments();
        let mut flag = |is_set: bool, name: &str| words.extend(is_set.then(|| name.to_string()));
        flag(self.workspace, "--workspace");
        flag(self.lib, "--lib");
        flag(self.all_bins, "--bins");
        let mut option = |name: &str, values: &[String]| {
            words.extend(values.iter().flat_map(|value| [name.to_string(), value.clone()]));
        };
        option("--package", &self.packages);
        option("--exclude", &self.exclude);
        option("--bin", &self.bins);
        option("--example", &self.examples);
        option("--bench", &self.benches);
        option("--target", self.target.as_slice());
        option("--profile", std::slice::from_ref(&self.build_profile));
        words
    }

    /// The arguments that `cargo build` and `cargo metadata` share.
    pub fn project_arguments(&self) -> Vec<String> {
        let mut words = Vec::new();
        if let Some(path) = &self.manifest_path {
            words.extend(["--manifest-path".to_string(), path.display().to_string()]);
        }
        words.extend(self.features.iter().flat_map(|features| ["--features".to_string(), features.clone()]));
        let flags =
            [(self.all_features, "--all-features"), (self.no_default_features, "--no-default-features")];
        words.extend(set(flags));
        words.extend(self.lock_arguments());
        words
    }

    /// The arguments that restrict network access and changes of Cargo.lock.
    pub fn lock_arguments(&self) -> Vec<String> {
        let flags = [(self.offline, "--offline"), (self.locked, "--locked"), (self.frozen, "--frozen")];
        set(flags).collect()
    }
}

/// The names of the `flags` that are set.
fn set<'a, const N: usize>(flags: [(bool, &'a str); N]) -> impl Iterator<Item = String> + use<'a, N> {
    flags.into_iter().filter(|(is_set, _)| *is_set).map(|(_, name)| name.to_string())
}

/// The subcommands that analyse a program.
const SUBCOMMANDS: [&str; 6] = ["explain", "report", "score", "diff", "hints", "audit"];

/// Parses `arguments`. If cargo has started this process, the first two arguments are `cargo-bpa bpa`.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Arguments, clap::Error> {
    let mut words: Vec<OsString> = arguments.into_iter().collect();
    if words.get(1).is_some_and(|word| word == "bpa") {
        words.remove(1);
    }
    let (mut arguments, matches) = Arguments::parse_with(command(), words)?;
    if let Command::Man(man) = &mut arguments.command {
        man.of_cargo_bpa = true;
    }
    if let Some((_, of_subcommand)) = matches.subcommand() {
        if let Some(program) = program_of(&mut arguments.command) {
            let options = BuildOptions::from_arg_matches(of_subcommand)?;
            program.cargo = Some(options);
        }
    }
    Ok(arguments)
}

/// The command `bpa` with cargo's options added.
pub fn command() -> clap::Command {
    let with_cargo = |command: clap::Command| {
        // In `cargo bpa`, `-p` is cargo's option `--package`. The option of `bpa` for the build directory is hidden.
        let command = command.mut_arg("build", |build| build.short(None).long("build-dir").hide(true));
        let command = command.mut_arg("files", |files| {
            files.help(
                "Source files or positions (FILE:LINE, FILE:FIRST-LAST, FILE:LINE:COLUMN) to print [default: the whole project]",
            )
        });
        // `mut_arg` moves an argument to the end. The flags must stay behind the files.
        let command = command.mut_arg("flags", |flags| flags);
        BuildOptions::augment_args(command)
    };
    let whole = Arguments::command().name("cargo-bpa").bin_name("cargo bpa");
    SUBCOMMANDS.into_iter().fold(whole, |whole, name| whole.mut_subcommand(name, with_cargo))
}

fn program_of(command: &mut Command) -> Option<&mut Program> {
    match command {
        Command::Explain(arguments) => Some(&mut arguments.program),
        Command::Report(arguments) => Some(&mut arguments.program),
        Command::Score(arguments) => Some(&mut arguments.program),
        Command::Diff(arguments) => Some(&mut arguments.program),
        Command::Hints(arguments) => Some(&mut arguments.program),
        Command::Audit(arguments) => Some(&mut arguments.program),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_consistent() {
        command().debug_assert();
    }

    #[test]
    fn files_need_no_flags() {
        let words = ["cargo-bpa", "bpa", "explain", "--bin", "x", "a.rs:20", "b.rs"];
        let Command::Explain(explain) = parse(words.map(Into::into)).expect("valid arguments").command else {
            panic!("it is explain")
        };
        assert_eq!(explain.program.files, ["a.rs:20", "b.rs"].map(std::path::PathBuf::from));
    }

    #[test]
    fn options_of_bpa_and_cargo_are_parsed() {
        let parsed = parse(
            [
                "cargo-bpa",
                "bpa",
                "score",
                "-p",
                "b",
                "--bin",
                "x",
                "--profile",
                "p.profdata",
                "-F",
                "f",
                "a.rs",
                "--",
                "-g",
            ]
            .map(Into::into),
        );
        let Command::Score(score) = parsed.expect("the arguments are valid").command else {
            panic!("it is score")
        };
        assert_eq!(
            (&score.program.files[..], &score.program.flags[..]),
            (&["a.rs".into()][..], &["-g".to_string()][..])
        );
        let words = score.program.cargo.expect("cargo's options are parsed");
        assert_eq!((words.packages, words.bins), (vec!["b".to_string()], vec!["x".to_string()]));
        assert_eq!(score.program.profile, [std::path::PathBuf::from("p.profdata")]);
        assert_eq!(words.build_profile, "release");
    }
}
