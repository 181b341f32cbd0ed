//! The command line of `bpa`.

pub mod cargo;

use std::ffi::{OsStr, OsString};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::{PossibleValue, Resettable, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, ArgMatches, Args, FromArgMatches, Parser, Subcommand, ValueEnum, ValueHint};

pub use cargo::BuildOptions;

use bpa_schema::{LLVM_VERSIONS, PREDICTORS};

/// Predicts the branch probabilities of a program, and explains each prediction. Prints LLVM's static predictions at
/// the source lines.
#[derive(Debug, Parser)]
#[command(name = "bpa", version, propagate_version = true, max_term_width = 100)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
    /// Colours in the output
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub color: Color,
    /// Print only results and errors: no notes, no warnings, no progress, no messages of cargo
    #[arg(short, long, global = true, help_heading = "Output")]
    pub quiet: bool,
    /// Print more details: the error of each file; with `explain`, all destinations, and all rules that apply to each
    /// destination, with the names of the IR
    #[arg(short, long, global = true, help_heading = "Output")]
    pub verbose: bool,
}

impl Arguments {
    /// Parses the arguments of `command`. `command` is [`Arguments::command`], possibly with additional options.
    pub fn parse_with(
        command: clap::Command,
        arguments: impl IntoIterator<Item = OsString>,
    ) -> clap::error::Result<(Self, ArgMatches)> {
        let arguments: Vec<OsString> = arguments.into_iter().collect();
        // An empty variable counts as unset.
        let is_empty = |name: &OsStr| std::env::var_os(name).is_some_and(|value| value.is_empty());
        let mut command = without_variables(command, is_empty);
        let matches = command
            .try_get_matches_from_mut(&arguments)
            .map_err(|error| without_variable_in_usage(error, command, &arguments))?;
        Ok((Arguments::from_arg_matches(&matches)?, matches))
    }
}

/// Makes options ignore the environment variables for whose names `is_ignored` is true.
fn without_variables(command: clap::Command, is_ignored: fn(&OsStr) -> bool) -> clap::Command {
    let is_ignored_by = |arg: &Arg| arg.get_env().is_some_and(is_ignored);
    let command = command.mut_args(|arg| if is_ignored_by(&arg) { arg.env(Resettable::Reset) } else { arg });
    command.mut_subcommands(|subcommand| without_variables(subcommand, is_ignored))
}

/// The error to print if clap returns `error` for `arguments`. For clap, a variable is an argument that the user gives:
/// clap adds its option to the usage, as if the option were mandatory, and names the option instead of the variable.
fn without_variable_in_usage(
    mut error: clap::Error,
    command: clap::Command,
    arguments: &[OsString],
) -> clap::Error {
    // The help describes the variables.
    if !error.use_stderr() {
        return error;
    }
    let variables = variables(&command);
    match without_variables(command, |_| true).try_get_matches_from(arguments) {
        Err(error) => error,
        // The arguments are valid, so the value of a variable is invalid.
        Ok(_) => {
            if let Some(ContextValue::String(spelling)) = error.get(ContextKind::InvalidArg) {
                let option = spelling.split(' ').next().unwrap_or_default();
                if let Some((_, variable)) = variables.into_iter().find(|(name, _)| name == option) {
                    error.insert(ContextKind::InvalidArg, ContextValue::String(variable));
                }
            }
            error
        }
    }
}

/// The names of the options that have an environment variable, and the names of these variables.
fn variables(command: &clap::Command) -> Vec<(String, String)> {
    let of_option =
        |arg: &Arg| Some((format!("--{}", arg.get_long()?), arg.get_env()?.to_string_lossy().into_owned()));
    let own = command.get_arguments().filter_map(of_option);
    own.chain(command.get_subcommands().flat_map(variables)).collect()
}

/// Determines when the output is coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print the probability of each branch, and the reason
    Explain(Explain),
    /// Write a page for the browser: functions, source, branches, graphs
    Report(Report),
    /// Compare static predictions with a profile: print the mispredicted branches, and totals
    Score(Score),
    /// Print the branches whose probabilities differ between two LLVM versions, between two predictors, or between
    /// prediction and profile
    Diff(Diff),
    /// Print where a hint in the source would avoid mispredictions, according to a profile
    Hints(Hints),
    /// Print which passes damage a profile: the wrong and the lost executions by pass, and the worst lines
    Audit(Audit),
    /// Print the installed tools and plugins, and how to install missing ones
    Doctor(Doctor),
    /// Print the size of the cache, or remove its entries
    Cache(Cache),
    /// Print completions for a shell
    Completions(Completions),
    /// Print the manual page
    Man(Man),
}

/// The options of every subcommand that analyses a program.
#[derive(Args, Clone, Debug, Default)]
pub struct Program {
    /// C, C++, Rust, LLVM IR (.ll, .bc), a position (FILE:LINE, FILE:FIRST-LAST, FILE:LINE:COLUMN), a compile_commands.json, a
    /// Cargo.toml, or a directory that contains one of these two files [default: the project in this directory]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// The build directory, which contains compile_commands.json: bpa compiles each FILE with the flags of the build.
    /// If no FILE is given, bpa analyses all files of the build
    #[arg(short = 'p', long = "build", value_name = "BUILD_DIR", value_hint = ValueHint::DirPath)]
    pub build: Option<PathBuf>,
    /// The number of files to compile and analyse in parallel [default: the number of processors]
    #[arg(short, long, value_name = "N", value_parser = positive)]
    pub jobs: Option<NonZeroUsize>,
    /// Stop at the first file that fails
    #[arg(long)]
    pub fail_fast: bool,
    /// Do not use the cache
    #[arg(long)]
    pub no_cache: bool,
    /// Include functions and lines of system headers and of the standard library
    #[arg(long)]
    pub system: bool,
    /// Include calls that may throw or panic, and catch clauses. Such a call is a branch to the code after the call or
    /// to the exception handler. A catch clause is a branch on the type of the exception. `hints` always omits these
    /// branches, because they cannot have a hint
    #[arg(long)]
    pub exceptions: bool,
    /// The LLVM version of clang and opt [default: the newest version with a plugin]
    #[arg(long, value_name = "N", env = "BPA_LLVM", value_parser = VersionParser)]
    pub llvm: Option<u32>,
    /// The libbpa.so to load [default: the installed plugin for this LLVM version]
    #[arg(long, value_name = "FILE", env = "BPA_PLUGIN", value_hint = ValueHint::FilePath)]
    pub plugin: Option<PathBuf>,
    /// A measured profile: .profdata, .profraw files or a folder of them, samples (.prof), or perf.data; may be
    /// repeated
    #[arg(long, value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub profile: Vec<PathBuf>,
    /// The program from which perf.data was recorded
    #[arg(long, value_name = "PROGRAM", requires = "profile", value_hint = ValueHint::FilePath)]
    pub binary: Option<PathBuf>,
    /// The cargo project that the options of `cargo bpa` select.
    #[arg(skip)]
    pub cargo: Option<BuildOptions>,
    /// The Rust edition for a single file [default: 2021]
    #[arg(long, value_name = "YEAR", value_parser = ["2015", "2018", "2021", "2024"])]
    pub edition: Option<String>,
    /// Flags for clang or rustc, after --
    #[arg(last = true, value_name = "FLAG", allow_hyphen_values = true)]
    pub flags: Vec<String>,
}

/// Parses an LLVM version. Shell completions list the supported versions.
#[derive(Clone, Copy, Debug)]
struct VersionParser;

impl TypedValueParser for VersionParser {
    type Value = u32;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> clap::error::Result<u32> {
        let (first, last) = (i64::from(*LLVM_VERSIONS.start()), i64::from(*LLVM_VERSIONS.end()));
        clap::value_parser!(u32).range(first..=last).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(LLVM_VERSIONS.map(|version| PossibleValue::new(version.to_string()))))
    }
}

/// The names of the predictors that are part of the plugin. Every other predictor is a file.
fn predictors() -> String {
    PREDICTORS.join(", ")
}

/// Parses the name of a predictor, or the path of a predictor file. Shell completions list the names.
#[derive(Clone, Copy, Debug)]
struct PredictorParser;

impl TypedValueParser for PredictorParser {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> clap::error::Result<String> {
        let name = clap::builder::StringValueParser::new().parse_ref(command, arg, value)?;
        if PREDICTORS.contains(&name.as_str()) || std::path::Path::new(&name).exists() {
            return Ok(name);
        }
        let text = format!("unknown predictor '{name}': use one of {}, or the path of a file", predictors());
        Err(command.clone().error(clap::error::ErrorKind::InvalidValue, text))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(PREDICTORS.into_iter().map(PossibleValue::new)))
    }
}

/// The options that select a prediction.
#[derive(Args, Clone, Debug, Default)]
pub struct Prediction {
    /// Predict like LLVM N
    #[arg(long, value_name = "N", value_parser = VersionParser)]
    pub like: Option<u32>,
    #[arg(help = format!("The predictor: {}, or a file", predictors()))]
    #[arg(long, value_name = "NAME|FILE", value_parser = PredictorParser, value_hint = ValueHint::FilePath)]
    pub predictor: Option<String>,
}

/// Rejects `--most`, which was the name of `--limit` in version 0.1 of bpa.
fn is_called_limit(_: &str) -> Result<u8, &'static str> {
    Err("this option is now --limit")
}

/// The options that select branches.
#[derive(Args, Clone, Debug)]
pub struct Selection {
    /// Only functions with this name, in the source or in LLVM IR
    #[arg(short, long = "function", value_name = "NAME")]
    pub functions: Vec<String>,
    /// The number of branches to print, the most important first [default: 50; 10 for several files; all with --json
    /// and --sarif]
    #[arg(long, value_name = "COUNT", value_parser = positive)]
    pub limit: Option<NonZeroUsize>,
    #[arg(long, hide = true, value_parser = is_called_limit)]
    most: Option<u8>,
}

impl Selection {
    /// The number of branches to print. `otherwise` is the default.
    pub fn limit_or(&self, otherwise: usize) -> usize {
        self.limit.map_or(otherwise, NonZeroUsize::get)
    }
}

/// The options that select the output format.
#[derive(Args, Clone, Copy, Debug, Default)]
#[group(multiple = false)]
pub struct Form {
    /// Print data: one JSON object per line
    #[arg(long)]
    pub json: bool,
    /// Print SARIF for code-scanning services
    #[arg(long)]
    pub sarif: bool,
}

impl Form {
    /// True if the output is JSON or SARIF.
    pub fn is_data(self) -> bool {
        self.json || self.sarif
    }
}

#[derive(Args, Debug)]
pub struct Explain {
    #[command(flatten)]
    pub program: Program,
    #[command(flatten)]
    pub prediction: Prediction,
    #[command(flatten)]
    pub selection: Selection,
    #[command(flatten)]
    pub form: Form,
    /// Print the output of `rust-bpi<explain>`, with the names of the IR
    #[arg(long, conflicts_with_all = ["json", "sarif", "limit"])]
    pub ir: bool,
    /// With --ir: explain the block frequencies instead (the output of `rust-bfi<explain>`)
    // clap ignores `requires` if an argument conflicts with the required option.
    #[arg(long, requires = "ir", conflicts_with_all = ["json", "sarif", "limit"])]
    pub frequencies: bool,
}

#[derive(Args, Debug)]
pub struct Report {
    #[command(flatten)]
    pub program: Program,
    #[command(flatten)]
    pub prediction: Prediction,
    /// The file that the page is written to; - is the standard output
    #[arg(short, long, value_name = "FILE", default_value = "bpa.html", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
    /// Show the prediction of LLVM N for comparison
    #[arg(long, value_name = "N", value_parser = VersionParser)]
    pub against: Option<u32>,
    /// Open the page in a browser
    #[arg(long)]
    pub open: bool,
    /// The title of the page [default: the name of the first file, or of the current directory]
    #[arg(long)]
    pub title: Option<String>,
    /// Print the path and size of the page as one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct Score {
    #[command(flatten)]
    pub program: Program,
    #[command(flatten)]
    pub prediction: Prediction,
    #[arg(help = format!(
        "Compare with another predictor ({}, or a file) in total, by file and by branch",
        predictors()
    ))]
    #[arg(long, value_name = "NAME|FILE", value_parser = PredictorParser, value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with_all = ["json", "sarif"])]
    pub against_predictor: Option<String>,
    #[command(flatten)]
    pub selection: Selection,
    #[command(flatten)]
    pub form: Form,
    /// Exit with status 1 if more than this percentage of all branch executions are avoidable mispredictions
    #[arg(long, value_name = "PERCENT", value_parser = percent, conflicts_with = "against_predictor")]
    pub threshold: Option<f64>,
}

#[derive(Args, Debug)]
pub struct Diff {
    #[command(flatten)]
    pub program: Program,
    #[command(flatten)]
    pub prediction: Prediction,
    #[command(flatten)]
    pub against: Against,
    #[command(flatten)]
    pub selection: Selection,
    /// Print data: one JSON object per line
    #[arg(long)]
    pub json: bool,
}

/// The prediction or profile to compare with.
#[derive(Args, Clone, Debug)]
#[group(required = true, multiple = false)]
pub struct Against {
    /// Compare with LLVM N
    #[arg(long, value_name = "N", value_parser = VersionParser)]
    pub against: Option<u32>,
    #[arg(help = format!("Compare with another predictor: {}, or a file", predictors()))]
    #[arg(long, value_name = "NAME|FILE", value_parser = PredictorParser, value_hint = ValueHint::FilePath)]
    pub against_predictor: Option<String>,
    /// Compare with the profile
    #[arg(long)]
    pub measured: bool,
}

#[derive(Args, Debug)]
pub struct Hints {
    #[command(flatten)]
    pub program: Program,
    /// The number of hints to print, the most useful first [default: 20; with --patch, all hints that avoid at least
    /// 0.1% of the avoidable misses]
    #[arg(long, value_name = "COUNT", value_parser = positive)]
    pub limit: Option<NonZeroUsize>,
    #[arg(long, hide = true, value_parser = is_called_limit)]
    most: Option<u8>,
    /// Exit with status 1 if hints would avoid mispredictions in more than this percentage of all branch executions
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub threshold: Option<f64>,
    #[command(flatten)]
    pub form: Form,
    /// Print a diff that adds the hints to the source, for `patch -p1` or `git apply` in this folder
    #[arg(long, conflicts_with_all = ["json", "sarif"])]
    pub patch: bool,
}

#[derive(Args, Debug)]
pub struct Audit {
    #[command(flatten)]
    pub program: Program,
    /// The number of lines to print, the worst first [default: 10; with --json, all lines of each module]
    #[arg(long, value_name = "COUNT", value_parser = positive)]
    pub limit: Option<NonZeroUsize>,
    /// Print data: one JSON object per module
    #[arg(long)]
    pub json: bool,
    /// Exit with status 1 if more than this percentage of all executions are wrong at the end
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub fail_above: Option<f64>,
    /// Find the place in the pipeline at which PASS does most damage to FILE, write the IR before this place to PASS.ll,
    /// and print the command that repeats the damage, for llvm-reduce
    #[arg(long, value_name = "PASS", conflicts_with_all = ["limit", "json", "fail_above"])]
    pub reproduce: Option<String>,
}

fn positive(text: &str) -> Result<NonZeroUsize, &'static str> {
    text.parse().map_err(|_| "must be a whole number of at least 1")
}

/// Parses a number from 0 to 100, with or without `%`.
fn percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim().parse::<f64>();
    number
        .ok()
        .filter(|number| (0.0..=100.0).contains(number))
        .ok_or("a percentage must be from 0 to 100".into())
}

#[derive(Args, Debug)]
pub struct Doctor {
    /// Check this libbpa.so as well
    #[arg(long, value_name = "FILE", env = "BPA_PLUGIN", value_hint = ValueHint::FilePath)]
    pub plugin: Option<PathBuf>,
    /// Print data: one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct Cache {
    #[command(subcommand)]
    pub action: Option<CacheAction>,
    /// Print data: one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Subcommand)]
pub enum CacheAction {
    /// Remove all entries
    Clear,
}

#[derive(Args, Debug)]
pub struct Completions {
    pub shell: clap_complete::Shell,
}

#[derive(Args, Debug)]
pub struct Man {
    /// True for the manual page of `cargo bpa`.
    #[arg(skip)]
    pub of_cargo_bpa: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn options_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn flags_after_two_dashes_are_for_the_compiler() {
        let parsed = Arguments::parse_from(["bpa", "explain", "a.c", "b.c", "--", "-O1", "-DX=1"]);
        let Command::Explain(explain) = parsed.command else { panic!("it is explain") };
        assert_eq!(explain.program.files.len(), 2);
        assert_eq!(explain.program.flags, ["-O1", "-DX=1"]);
    }

    #[test]
    fn diff_compares_with_exactly_one_prediction() {
        let parse = |words: &[&str]| Arguments::try_parse_from([&["bpa", "diff", "a.c"], words].concat());
        assert!(parse(&[]).is_err());
        assert!(parse(&["--against", "19", "--measured"]).is_err());
        assert!(parse(&["--against", "19"]).is_ok());
    }
}
