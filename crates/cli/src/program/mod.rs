//! A program: its modules, and the results of the plugin for each module.

pub mod copies;
pub mod executables;
pub mod focus;
pub mod functions;
pub mod inputs;
pub mod measured;
pub mod selection;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::args;
use crate::base::error::{Error, Result};
use crate::base::failures::Failures;
use crate::base::input::{Input, Language};
use crate::base::jobs::Jobs;
use crate::base::messages;
use crate::base::paths::Paths;
use crate::base::process::TemporaryFolder;
use crate::base::shares;
use crate::compile::{no_rustc, optimisation_level, Bitcode, Compiler, Refused};
use crate::counts::{self, CountsByBlock, Profile, Weights};
use crate::print::diagnostic;
use crate::program::focus::{Focus, Nearness, Spot};
use crate::study::branch::Branch;
use crate::study::module::by_symbol;
use crate::study::module::Module;
use crate::study::source::Sources;
use crate::toolchain::cache::{self, Key, KeyBuilder, Store};
use crate::toolchain::find::{self, Toolchain, SUPPORTED};
use crate::toolchain::opt::Stage;
use crate::toolchain::opt::{read_lines, Opt};
use crate::toolchain::origin::SystemFolders;
use crate::toolchain::plugin;
use bpa_core::calls::Linkable;
use bpa_core::model::{estimate_calls, Model};
use bpa_core::{report, Predictor};
use bpa_schema::{CallGraph, Frame, ScoredBranch};
use inputs::Request;

/// The bitcode of a program, and the tools that analyse it.
pub struct Program {
    pub opt: Opt,
    /// The compiled files.
    pub units: Vec<Unit>,
    pub profile: Option<Profile>,
    /// The source positions to print.
    pub focus: Focus,
    pub paths: Paths,
    pub system: SystemFolders,
    /// True if branches in system files are shown.
    pub show_system: bool,
    /// True if calls that may throw and searches for exception handlers are shown as branches.
    pub show_exceptions: bool,
    edition: String,
    pub store: Store,
    pub refused: Refused,
    pub jobs: Jobs,
    failures: Failures,
    /// The indices of the compilation units with an error that was reported after the compilation.
    failed_units: Mutex<BTreeSet<usize>>,
    /// The temporary folder for intermediate files. The folder is removed when the `Program` is dropped.
    folder: TemporaryFolder,
}

/// A compilation unit: one file that was compiled to bitcode.
pub struct Unit {
    /// The index of this compilation unit.
    pub place: usize,
    pub input: Input,
    pub bitcode: Bitcode,
    /// A folder for intermediate files of this compilation unit.
    pub folder: PathBuf,
}

/// The options that select the plugin's prediction.
#[derive(Clone, Debug, Default)]
pub struct Prediction {
    pub like: Option<u32>,
    pub predictor: Option<String>,
}

impl Prediction {
    pub fn from_arguments(arguments: &args::Prediction) -> Result<Self> {
        Prediction::new(arguments.like, arguments.predictor.as_deref())
    }

    /// Returns an error if the path of the predictor cannot be an option of a pass.
    pub fn new(like: Option<u32>, predictor: Option<&str>) -> Result<Self> {
        // The path must be absolute, because opt runs in a temporary folder.
        let absolute = |name: &str| match Path::new(name) {
            path if path.is_file() => {
                path.canonicalize().map_or(name.into(), |path| path.display().to_string())
            }
            _ => name.to_string(),
        };
        let predictor = predictor.map(absolute);
        match predictor.as_deref().filter(|name| name.contains([',', ';', '(', ')', '<', '>'])) {
            Some(name) => Err(Error::advice(
                format!("the path of the predictor contains one of the characters , ; ( ) < >: {name}"),
                "copy the file of the predictor to a path without these characters",
            )),
            None => Ok(Prediction { like, predictor }),
        }
    }

    /// The options for a pass. Each option begins with a semicolon.
    pub fn options(&self) -> String {
        let like = self.like.map(|version| format!(";like={version}"));
        let predictor = self.predictor.as_ref().map(|name| format!(";predictor={name}"));
        [like, predictor].into_iter().flatten().collect()
    }

    /// The model of the predictor. The result is `None` if the predictor consists of rules, or if the plugin will
    /// report that it cannot read the predictor.
    pub fn model(&self) -> Option<Arc<Model>> {
        let name = self.predictor.as_deref()?;
        let read = || Predictor::read(name, &std::fs::read_to_string(name).ok()?).ok();
        Predictor::named(name).or_else(read)?.model().cloned()
    }

    /// The name of the prediction in messages: `LLVM 16`, `predictor bpa`.
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
    /// Compiles the program completely. If `arguments` contain a profile, the compilation stops right after the
    /// compiler has read the profile.
    pub fn load(arguments: &args::Program) -> Result<Self> {
        Self::load_at(arguments, if arguments.profile.is_empty() { Stage::Optimised } else { Stage::Profile })
    }

    /// Compiles the program up to `stage`. Files that cannot be compiled are reported and left out.
    pub fn load_at(arguments: &args::Program, stage: Stage) -> Result<Self> {
        let folder =
            TemporaryFolder::new().map_err(|source| Error::Write { path: std::env::temp_dir(), source })?;
        folder.use_for_programs();
        let tools = |inputs: &[Input]| {
            let opt = choose(arguments, inputs)?;
            let profile = Profile::from_arguments(arguments, &opt.toolchain, folder.path())?;
            Ok((opt, profile))
        };
        // A cargo build can take minutes, so the tools and the profile are checked before the build.
        let before = arguments.cargo.as_ref().map(|_| tools(&[])).transpose()?;
        let Request { inputs, focus } = inputs::read(arguments)?;
        let (opt, profile) = before.map_or_else(|| tools(&inputs), Ok)?;
        note_remarks(&inputs);
        if stage == Stage::Optimised && arguments.flags.is_empty() {
            note_level(&inputs);
        }
        // Only hints need the branches of the source. A profile of another kind is refused before the compilation.
        if stage == Stage::Source && inputs.iter().all(|input| input.language != Language::Ir) {
            measured::require_source_counts(profile.as_ref(), &inputs)?;
        }
        if stage == Stage::Audit {
            measured::require_profile(profile.as_ref(), &inputs)?;
        }
        let root = if arguments.no_cache { None } else { cache::directory() };
        let mut program = Program {
            system: SystemFolders::of(&opt.toolchain, &inputs),
            show_system: arguments.system,
            show_exceptions: arguments.exceptions,
            edition: arguments.edition.clone().unwrap_or_else(|| "2021".to_string()),
            opt,
            profile,
            units: Vec::new(),
            focus,
            paths: Paths::new(),
            store: Store::new(root, cache::limit()?),
            refused: Refused::default(),
            jobs: Jobs::new(arguments.jobs, arguments.fail_fast),
            failures: Failures::default(),
            failed_units: Mutex::default(),
            folder,
        };
        program.units = program.compile(arguments, stage, inputs)?;
        program.refused.note(program.opt.toolchain.version);
        program.note_newer_sources(&counts::files(&arguments.profile)?);
        Ok(program)
    }

    /// Prints a note if source files are newer than the files of the profile. Compilers print no warning about a
    /// changed function if its control flow has the same form as before, or if its name has changed.
    fn note_newer_sources(&self, profile: &[PathBuf]) {
        let time = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
        let Some(recorded) = profile.iter().filter_map(|path| time(path)).min() else { return };
        let sources: BTreeSet<&PathBuf> = self.units.iter().flat_map(|unit| &unit.bitcode.sources).collect();
        let is_newer = |path: &&PathBuf| {
            time(path).is_some_and(|time| time > recorded)
                && !self.is_generated(path)
                && !self.system.has(path)
        };
        let newer: Vec<String> = sources
            .into_iter()
            .filter(is_newer)
            .map(|path| self.paths.shown(None, &path.to_string_lossy()))
            .collect();
        let Some(first) = newer.first() else { return };
        let files = match newer.len() - 1 {
            0 => format!("{first} is"),
            others => format!("{first} and {} are", shares::plural(others, "other file")),
        };
        messages::note(&format!(
            "{files} newer than the profile: functions that have changed have no counts, or wrong counts"
        ));
    }

    /// Returns true if a build script has written `file`.
    pub fn is_generated(&self, file: &Path) -> bool {
        let folder = |unit: &Unit| unit.input.command.as_ref()?.environment.get("OUT_DIR").cloned();
        self.units.iter().filter_map(folder).any(|folder| file.starts_with(folder))
    }

    fn compile(&self, arguments: &args::Program, stage: Stage, inputs: Vec<Input>) -> Result<Vec<Unit>> {
        let compiler = Compiler { profile: self.profile.as_ref(), ..self.compiler(&arguments.flags, stage) };
        let folder = |place: usize| self.folder.path().join(place.to_string());
        let done = self.jobs.run(inputs.len(), "compiling", |place| {
            let folder = folder(place);
            let bitcode = compiler.compile(&inputs[place], &folder)?;
            Ok(Unit { place, input: inputs[place].clone(), bitcode, folder })
        });
        let mut units = self.failures.sort_out(done, self.jobs.fail_fast)?;
        units.iter_mut().enumerate().for_each(|(place, unit)| unit.place = place);
        Ok(units)
    }

    /// Creates a compiler for the program's files. The compiler does not use a profile.
    pub fn compiler<'a>(&'a self, flags: &'a [String], stage: Stage) -> Compiler<'a> {
        let Program { opt, edition, store, refused, .. } = self;
        Compiler { opt, flags, profile: None, edition, stage, overlay: None, store, refused }
    }

    /// The temporary folder of the program.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The results of `work` for each compilation unit. If `work` fails for a unit, the error is reported and the unit
    /// is left out.
    pub fn each_unit<T: Send>(
        &self,
        what: &'static str,
        work: impl Fn(&Unit) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        let done = self.jobs.run(self.units.len(), what, |place| {
            let unit = &self.units[place];
            work(unit).map_err(|error| {
                self.set_failed(place);
                error.of_file(unit.input.shown().as_ref())
            })
        });
        self.failures.sort_out(done, self.jobs.fail_fast)
    }

    /// Prints and counts the error of a compilation unit, if the unit has not failed before.
    pub fn report(&self, place: usize, error: Error) -> Result<()> {
        if !self.set_failed(place) {
            return Ok(());
        }
        let error = error.of_file(self.units[place].input.shown().as_ref());
        // With another result, an error does not end the command.
        self.failures.sort_out(vec![Some(Ok(())), Some(Err(error))], self.jobs.fail_fast).map(drop)
    }

    /// Whether an error of the compilation unit was reported.
    pub fn has_failed(&self, place: usize) -> bool {
        self.failed_units.lock().expect("no worker panics").contains(&place)
    }

    fn set_failed(&self, place: usize) -> bool {
        self.failed_units.lock().expect("no worker panics").insert(place)
    }

    /// Runs `passes` on a compilation unit, or reads the output of the passes from the cache. Returns the bytes that
    /// the passes write to `files`, and prints the plugin's messages. `passes` must contain the options of
    /// `prediction`.
    pub fn run_passes<const N: usize>(
        &self,
        unit: &Unit,
        passes: &str,
        prediction: &Prediction,
        files: [&str; N],
    ) -> Result<[Vec<u8>; N]> {
        let key = self.key(unit, passes, prediction);
        let part =
            |key: Key, number: usize| KeyBuilder::new("part").key(key).text(number.to_string()).finish();
        let cached = |key: Key| {
            let printed = self.store.data(part(key, 0))?;
            let contents: Option<Vec<_>> = (1..=N).map(|number| self.store.data(part(key, number))).collect();
            Some((printed, <[Vec<u8>; N]>::try_from(contents?).ok()?))
        };
        if let Some((printed, contents)) = key.and_then(cached) {
            messages::plain(&String::from_utf8_lossy(&printed));
            return Ok(contents);
        }
        let (printed, contents) = self.opt.write(passes, &unit.bitcode.path, &unit.folder, files)?;
        messages::plain(&String::from_utf8_lossy(&printed));
        if let Some(key) = key {
            let parts = std::iter::once(&printed).chain(&contents).enumerate();
            parts.for_each(|(number, bytes)| self.store.keep_data(part(key, number), bytes));
        }
        Ok(contents)
    }

    /// Runs the pipeline `passes` on a compilation unit, and returns the printed text.
    pub fn print_passes(&self, unit: &Unit, passes: &str) -> Result<Vec<u8>> {
        self.opt.run(passes, &unit.bitcode.path, &unit.folder)
    }

    /// A hash of all inputs of the passes: the bitcode, the plugin, opt, the options, and the file of the predictor.
    fn key(&self, unit: &Unit, passes: &str, prediction: &Prediction) -> Option<Key> {
        let key = KeyBuilder::new("passes").key(unit.bitcode.key).text(passes);
        let key = key.file(&self.opt.plugin).ok()?.program(&self.opt.toolchain.opt).ok()?;
        match prediction.predictor.as_deref().map(Path::new).filter(|path| path.is_file()) {
            Some(path) => key.file(path).ok().map(KeyBuilder::finish),
            None => Some(key.finish()),
        }
    }

    /// Runs the plugin with the options of `prediction` on each module, and returns the results. If `is_scored` is set,
    /// the results include the comparison of static predictions with the profile.
    pub fn analyse(&self, prediction: &Prediction, is_scored: bool) -> Result<Vec<Module>> {
        let model = prediction.model();
        self.each_unit("analysing", |unit| self.analyse_unit(unit, prediction, model.as_deref(), is_scored))
    }

    /// Analyses each module twice: with `prediction` and with `other`.
    pub fn analyse_both(
        &self,
        prediction: &Prediction,
        other: &Prediction,
        is_scored: bool,
    ) -> Result<(Vec<Module>, Vec<Module>)> {
        let models = [prediction, other].map(Prediction::model);
        let analyse = |unit: &Unit, prediction: &Prediction, model: &Option<Arc<Model>>| {
            self.analyse_unit(unit, prediction, model.as_deref(), is_scored)
        };
        let pairs = self.each_unit("analysing", |unit| {
            Ok((analyse(unit, prediction, &models[0])?, analyse(unit, other, &models[1])?))
        })?;
        Ok(pairs.into_iter().unzip())
    }

    fn analyse_unit(
        &self,
        unit: &Unit,
        prediction: &Prediction,
        model: Option<&Model>,
        is_scored: bool,
    ) -> Result<Module> {
        let options = prediction.options();
        let mut passes = vec![
            format!("rust-bfi<json;explain;output=functions{options}>"),
            format!("rust-entry-counts<graph;output=calls{options}>"),
        ];
        if is_scored || self.profile.is_some() {
            passes.push(format!("rust-bpi<score;json;output=scored{options}>"));
        }
        let files = ["functions", "calls", "scored"];
        let [functions, calls, scored] = self.run_passes(unit, &passes.join(","), prediction, files)?;
        let linkable = read_call_graph(&calls)?;
        let mut module = Module {
            unit: unit.place,
            functions: read_lines(&functions)?,
            calls: Default::default(),
            linkable,
            scored: read_lines(&scored)?
                .into_iter()
                .map(|branch: ScoredBranch| {
                    ((branch.place.function.to_string(), branch.place.number), branch)
                })
                .collect(),
            counts: CountsByBlock::new(),
        };
        module.counts = counts::measure(self.weights(unit), &mut module.functions, &module.scored);
        module.calls = by_symbol(&estimate_calls(module.linkable.facts.clone(), model), &module.functions);
        module.name_files(&self.paths, &unit.input);
        Ok(module)
    }

    /// The meaning of the branch weights of a compilation unit.
    pub fn weights(&self, unit: &Unit) -> Weights {
        // The profile is not applied to an input that is LLVM IR.
        let profile = self.profile.as_ref().filter(|_| unit.input.language != Language::Ir);
        profile.map_or(Weights::Relative, Profile::weights)
    }

    /// Returns an error if no function has profile data.
    pub fn require_data(&self, modules: &[Module]) -> Result<()> {
        measured::require_data(self, modules.iter().flat_map(|module| &module.functions))
    }

    /// Returns true if the branch is in a system file. If the branch has no line, the file of its function is used.
    pub fn is_in_system(&self, branch: &Branch) -> bool {
        let of_branch = branch.position().map(|position| &position.frame.file);
        let of_function = || branch.function.source.as_ref().map(|source| &source.file);
        of_branch.or_else(of_function).is_some_and(|file| self.system.has(&self.paths.absolute(file)))
    }

    /// Returns true if the function of `branch` is in a system file.
    pub fn has_system_function(&self, branch: &Branch) -> bool {
        let source = branch.function.source.as_ref();
        source.is_some_and(|source| self.system.has(&self.paths.absolute(&source.file)))
    }

    /// The nearness of the condition at `frame` to `spot`.
    pub fn nearness(&self, frame: &Frame, is_optimised: bool, spot: &Spot, sources: &Sources) -> Nearness {
        if !spot.is_in(&self.paths.absolute(&frame.file)) {
            return Nearness::Elsewhere;
        }
        let offset = |line, column| diagnostic::offset(frame, is_optimised, line, column, sources);
        spot.nearness((frame.line, frame.column), || diagnostic::first_line(frame, sources), offset)
    }

    /// The nearness of the inlined call at `frame` to `spot`. A spot without a line selects only conditions.
    pub fn nearness_of_call(&self, frame: &Frame, spot: &Spot) -> Nearness {
        if !spot.has_line() || !spot.is_in(&self.paths.absolute(&frame.file)) {
            return Nearness::Elsewhere;
        }
        spot.nearness((frame.line, frame.column), || frame.line, |_, _| None)
    }

    /// The flag with which the compiler of the first file does not inline functions.
    pub fn no_inlining(&self) -> &'static str {
        let is_rust = |unit: &Unit| unit.input.language == Language::Rust;
        if self.units.first().is_some_and(is_rust) {
            "-Copt-level=0"
        } else {
            "-O0"
        }
    }

    /// Returns true if branches in system headers are selected.
    pub fn selects_system(&self) -> bool {
        self.show_system || !self.focus.is_everything()
    }

    /// Returns true if the branch belongs to exceptions, and such branches are not selected.
    pub fn is_hidden_exception(&self, branch: &Branch) -> bool {
        !self.show_exceptions && branch.is_exceptional()
    }

    /// Returns an error if the compilation or analysis of a file has failed. The reason for the failure has already
    /// been printed.
    pub fn finish(&self) -> Result<()> {
        self.failures.outcome()
    }
}

/// Prints what users must know about the commands of the build.
fn note_remarks(inputs: &[Input]) {
    let remarks = inputs.iter().filter_map(|input| input.command.as_ref()?.remark.as_deref());
    remarks.collect::<BTreeSet<&str>>().into_iter().for_each(messages::note);
}

/// Prints a note if no file of the build is optimised.
fn note_level(inputs: &[Input]) {
    let is_plain = |input: &&Input| input.language.takes_clang() && input.command.is_some();
    let built = || inputs.iter().filter(is_plain);
    let is_unoptimised = |input: &Input| optimisation_level(input.flags().iter()) == Some("0");
    if built().next().is_some() && built().all(is_unoptimised) {
        messages::note("the build does not optimise (-O0), and bpa analyses what it compiles: for optimised code, add -- -O2");
    }
}

/// Parses the line that the plugin prints for the call graph of a module.
fn read_call_graph(text: &[u8]) -> Result<Linkable> {
    let rows: Vec<CallGraph> = read_lines(text)?;
    let linkable = rows.first().map_or_else(|| Some(Linkable::default()), report::read_call_graph);
    linkable.ok_or_else(|| Error::advice("the plugin prints an invalid call graph", ""))
}

/// Selects the tools for `inputs`, and the plugin for these tools.
fn choose(arguments: &args::Program, inputs: &[Input]) -> Result<Opt> {
    let named = arguments.plugin.as_deref();
    let version = arguments.llvm.or_else(|| named.and_then(plugin::version_in_path));
    let is_rust = |input: &Input| input.language == Language::Rust;
    let has_rust = arguments.cargo.is_some() || inputs.iter().any(is_rust);
    let least = if has_rust { find::rustc().ok_or_else(no_rustc)?.1 } else { 0 };
    if has_rust && least < find::FIRST_OF_RUSTC {
        return Err(Error::advice(
            format!(
                "rustc is built on LLVM {least}, and bpa needs a rustc on LLVM {} or later",
                find::FIRST_OF_RUSTC
            ),
            "use Rust 1.73 or later, for example with `cargo +stable bpa`",
        ));
    }
    let toolchain = match version {
        Some(version) if version < least => {
            return Err(Error::advice(
                format!("rustc is built on LLVM {least}, and LLVM {version} cannot read its bitcode"),
                format!("use --llvm {least} or a later version"),
            ))
        }
        Some(version) => Toolchain::of(version).ok_or_else(|| not_installed(version))?,
        None if named.is_some() => {
            return Err(Error::advice("the path of the plugin contains no LLVM version", "add --llvm N"))
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
            format!("supported versions: {first} to {last}"),
        );
    }
    Error::advice(
        format!("opt of LLVM {version} is not installed"),
        format!(
            "install it: apt-get install llvm-{version} clang-{version}; `bpa doctor` prints what is installed"
        ),
    )
}

/// Selects the newest tools that have a plugin and can process `inputs`. For Rust code, selects the LLVM version that
/// is nearest to the LLVM version of rustc.
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
                format!("rustc is built on LLVM {least}, and no opt that has a plugin can read its bitcode"),
                format!(
                    "install llvm-{least} and the plugin for this version \
                     (in a checkout of bpa: scripts/build --llvm {least})"
                ),
            ),
            (Some(able), _) => Error::advice(
                format!("no plugin for LLVM {} is installed", versions.join(", ")),
                format!(
                    "apt install ./bpa-llvm-{0}_*.deb, or in a checkout of bpa: scripts/build --llvm {0}",
                    able.version
                ),
            ),
            (None, _) => Error::advice(
                "no supported version of clang and opt is installed",
                "on Debian or Ubuntu: apt-get install clang-16 llvm-16; `bpa doctor` prints what is installed",
            ),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prediction_has_options_and_a_name() {
        assert!(Prediction::new(None, Some("p(1)/my.toml")).is_err());
        let prediction = Prediction::new(Some(19), Some("bpa")).expect("a name");
        assert_eq!(prediction.options(), ";like=19;predictor=bpa");
        assert_eq!(prediction.name(16), "predictor bpa");
        assert_eq!(Prediction::default().options(), "");
        assert_eq!(Prediction::default().name(16), "LLVM 16");
    }
}
