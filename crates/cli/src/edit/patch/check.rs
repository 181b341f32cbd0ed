//! Compiles the program with all edits, and leaves out the edits that do not improve predictions.
//!
//! > edited files -> bitcode of the compilation units that read these files -> predictions of the same branches
//!
//! A hint changes the prediction of its own branch, and not the control-flow graph. The edits can therefore be compared
//! from a single compilation. If a unit does not compile, the edits in the lines of the compiler's message are left out,
//! and the unit is compiled again. If it still fails, all edits in the files that the unit reads are left out.
//! A unit that does not compile without the edits either is reported, and is no evidence against an edit.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::edit::{apply, Edit, LeftOut, Reason};
use super::files::{FileId, Files};
use crate::base::error::{Error, Result};
use crate::base::graph::successor_places;
use crate::base::input::Language;
use crate::base::jobs::Jobs;
use crate::base::shares;
use crate::compile::Compiler;
use crate::edit::hints::branches::{self, without_number, MeasuredBranch};
use crate::edit::hints::cost::Cost;
use crate::edit::rust::Copy;
use crate::program::{Program, Unit};
use crate::toolchain::cache::{Key, KeyBuilder};
use crate::toolchain::opt::Stage;
use bpa_schema::{Function, WHOLE};

const NOT_COMPILED: Reason = "the program cannot be compiled with the hint";
const NOT_TRIED: Reason = "bpa could not compile the file, with or without the hint";
const NO_EFFECT: Reason = "the hint improves no prediction";
const HARMFUL: Reason = "the hint harms other predictions more than it improves the prediction of its branch";

/// A file, and its text after the edits.
pub type EditedFile = (FileId, Vec<u8>);

/// The functions of a compilation unit after the edits, or the compiler's error.
type Outcome = Result<Vec<Function<'static>>>;

/// The cost of all profiled branches before and after the edits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effect {
    executions: f64,
    before: Cost,
    after: Cost,
    /// The number of executions of branches that bpa does not find in the edited program.
    unknown: f64,
}

impl Effect {
    /// Describes the effect in lines of text, which bpa prints as notes.
    pub fn lines(&self) -> Vec<String> {
        if self.executions == 0.0 {
            return Vec::new();
        }
        let per_execution = |amount: f64| amount / self.executions;
        let [before, after] = [self.before, self.after].map(|cost| shares::share(per_execution(cost.misses)));
        let [loss_before, loss_after] =
            [self.before, self.after].map(|cost| format!("{:.3}", per_execution(cost.log_loss)));
        let mut lines = vec![format!(
            "before the patch, {before} of {} measured executions are mispredicted; after the patch, {after}",
            shares::times(self.executions)
        )];
        lines.push(format!(
            "before the patch, the log-loss is {loss_before} bits per execution; after the patch, {loss_after}"
        ));
        if self.unknown > 0.0 {
            lines.push(format!(
                "{} of these executions belong to branches that were not found after the patch; \
                 bpa counts these executions as mispredicted",
                shares::share(per_execution(self.unknown))
            ));
        }
        lines
    }
}

/// Removes from `edits` the edits that do not improve the predictions of `branches`. Returns the branches whose edit is
/// removed, each with a reason, and the effect of the kept edits.
pub fn check<'a>(
    program: &Program,
    flags: &[String],
    branches: &[&'a MeasuredBranch],
    files: &Files,
    edits: &mut Vec<Edit<'a>>,
) -> Result<(LeftOut<'a>, Effect)> {
    let mut left_out = LeftOut::new();
    let mut outcomes = compile(program, flags, files, edits, |_| !edits.is_empty())?;
    let failed = |outcomes: &HashMap<usize, Outcome>| {
        let units = outcomes.iter().filter(|(unit, _)| !program.has_failed(**unit));
        let errors = units.filter_map(|(&unit, outcome)| Some((unit, outcome.as_ref().err()?)));
        errors.map(|(unit, error)| (unit, error.to_string())).collect::<BTreeMap<usize, String>>()
    };
    let mut errors = failed(&outcomes);
    if !errors.is_empty() {
        for (unit, outcome) in compile(program, flags, files, &[], |unit| errors.contains_key(&unit.place))? {
            outcome.or_else(|error| program.report(unit, error).map(|()| Vec::new()))?;
        }
        remove(edits, &mut left_out, |_, edit| {
            edit.members.iter().all(|one| program.has_failed(one.module)).then_some(NOT_TRIED)
        });
        errors.retain(|&unit, _| !program.has_failed(unit));
    }
    if !errors.is_empty() {
        let mut blamed = BTreeSet::new();
        for (&unit, error) in &errors {
            blamed.extend(blamed_edits(&program.units[unit], error, edits, files));
        }
        remove(edits, &mut left_out, |place, _| blamed.contains(&place).then_some(NOT_COMPILED));
        outcomes.extend(compile(program, flags, files, edits, |unit| errors.contains_key(&unit.place))?);
        let units: Vec<&Unit> = failed(&outcomes).keys().map(|&unit| &program.units[unit]).collect();
        let is_read = |edit: &Edit| units.iter().any(|unit| reads_any(unit, &[files.path(edit.file)]));
        remove(edits, &mut left_out, |_, edit| is_read(edit).then_some(NOT_COMPILED));
    }
    let counted: Vec<&MeasuredBranch> = branches.iter().copied().filter(|branch| !branch.is_copy).collect();
    let mut costs = Costs::new(&counted, &outcomes, edits);
    let gains: Vec<(Cost, Cost)> = edits.iter().map(|edit| costs.gain(edit)).collect();
    remove(edits, &mut left_out, |place, _| match gains[place] {
        (own, _) if own == Cost::default() => Some(NO_EFFECT),
        (own, functions) => (!own.is_gain() || !functions.is_gain()).then_some(HARMFUL),
    });
    left_out.iter().for_each(|(branch, _)| costs.reset(branch));
    Ok((left_out, costs.effect()))
}

/// Moves the edits with a reason to `left_out`.
fn remove<'a>(
    edits: &mut Vec<Edit<'a>>,
    left_out: &mut LeftOut<'a>,
    reason: impl Fn(usize, &Edit) -> Option<Reason>,
) {
    for (place, edit) in std::mem::take(edits).into_iter().enumerate() {
        match reason(place, &edit) {
            Some(reason) => left_out.extend(edit.members.into_iter().map(|branch| (branch, reason))),
            None => edits.push(edit),
        }
    }
}

/// The edits in the lines that a compiler's message names. If it names no such line, the edits of the files that the
/// unit reads.
fn blamed_edits(unit: &Unit, error: &str, edits: &[Edit], files: &Files) -> Vec<usize> {
    let is_named = |edit: &Edit| {
        let name = files.path(edit.file).file_name().unwrap_or_default().to_string_lossy();
        let text = files.text(edit.file);
        let mut starts = edit
            .changes
            .iter()
            .filter_map(|change| Some(text.as_ref().ok()?.line_and_column(change.start).0));
        starts.any(|line| error.contains(&format!("{name}:{line}:")))
    };
    let all = || edits.iter().enumerate();
    let named: Vec<usize> = all().filter(|(_, edit)| is_named(edit)).map(|(place, _)| place).collect();
    if !named.is_empty() {
        return named;
    }
    let is_read = |edit: &Edit| reads_any(unit, &[files.path(edit.file)]);
    all().filter(|(_, edit)| is_read(edit)).map(|(place, _)| place).collect()
}

/// Whether `unit` reads one of `files`, or the files that it reads are unknown.
fn reads_any(unit: &Unit, files: &[&Path]) -> bool {
    let is_one = |source: &PathBuf| {
        let has_name = files.iter().any(|file| file.file_name() == source.file_name());
        has_name && source.canonicalize().is_ok_and(|source| files.contains(&source.as_path()))
    };
    unit.bitcode.sources.is_empty() || unit.bitcode.sources.iter().any(is_one)
}

/// The files that `edits` change, and their texts after the edits.
pub fn edited(files: &Files, edits: &[Edit]) -> Vec<EditedFile> {
    let mut changed: Vec<FileId> = edits.iter().map(|edit| edit.file).collect();
    changed.sort_unstable_by_key(|&file| files.short_name(file));
    changed.dedup();
    let bytes = |file| {
        let changes = edits.iter().filter(|edit| edit.file == file).flat_map(|edit| &edit.changes);
        Some((file, apply(&files.text(file).ok()?.bytes, changes)))
    };
    changed.into_iter().filter_map(bytes).collect()
}

/// Compiles the units for which `is_wanted` is true and that read an edited file, or any file if there are no edits.
/// Units with an earlier error are left out. The results are cached. The cache key
/// of a unit is a hash of its source files and of all edited files.
fn compile(
    program: &Program,
    flags: &[String],
    files: &Files,
    edits: &[Edit],
    is_wanted: impl Fn(&Unit) -> bool,
) -> Result<HashMap<usize, Outcome>> {
    let edited = edited(files, edits);
    let paths: Vec<&Path> = edited.iter().map(|(file, _)| files.path(*file)).collect();
    let key = |key: KeyBuilder, (file, text): &EditedFile| key.text(files.path(*file)).bytes(text);
    let edits_key = edited.iter().fold(KeyBuilder::new("edits"), key).finish();
    let mut outcomes = HashMap::new();
    let mut units: Vec<(&Unit, Compiler, Option<Key>)> = Vec::new();
    let is_read = |unit: &Unit| paths.is_empty() || reads_any(unit, &paths);
    let is_compiled = |unit: &&Unit| !program.has_failed(unit.place) && is_wanted(unit) && is_read(unit);
    for unit in program.units.iter().filter(is_compiled) {
        let compiler = match unit.input.language {
            Language::Rust => {
                let profile = program.profile.as_ref();
                Compiler { profile, ..program.compiler(flags, Stage::BeforeProfile) }
            }
            Language::C | Language::Cxx => program.compiler(flags, Stage::Source),
            Language::Ir => continue,
        };
        let key = key_of(program, &compiler, unit, edits_key);
        match key.and_then(|key| program.store.value(key)) {
            Some(functions) => drop(outcomes.insert(unit.place, Ok(functions))),
            None => units.push((unit, compiler, key)),
        }
    }
    if units.is_empty() {
        return Ok(outcomes);
    }
    let folder = tempfile::tempdir_in(program.folder()).map_err(Error::write(program.folder()))?;
    let overlay = write_overlay(folder.path(), files, &edited)?;
    let texts = edited.iter().map(|(file, text)| (files.path(*file).to_path_buf(), text.clone())).collect();
    let is_rust = units.iter().any(|(unit, ..)| unit.input.language == Language::Rust);
    let copy = is_rust.then(|| Copy::new(program, &folder.path().join("copy"), texts)).transpose()?;
    // If one unit fails, only the edits of this unit fail. The other units are still compiled.
    let jobs = Jobs { fail_fast: false, ..program.jobs };
    let compiled = jobs.run(units.len(), "trying", |place| {
        let (unit, compiler, _) = &units[place];
        let folder = folder.path().join(place.to_string());
        match &copy {
            Some(copy) if unit.input.language == Language::Rust => {
                copy.functions(program, compiler, unit, &folder)
            }
            _ => {
                let compiler = Compiler { overlay: Some(&overlay), ..*compiler };
                let bitcode = compiler.compile(&unit.input, &folder)?;
                let (place, input) = (unit.place, unit.input.clone());
                branches::lowered(program, &Unit { place, input, bitcode, folder })
            }
        }
    });
    for ((unit, _, key), functions) in units.into_iter().zip(compiled.into_iter().flatten()) {
        if let (Some(key), Ok(functions)) = (key, &functions) {
            program.store.keep_value(key, functions);
        }
        outcomes.insert(unit.place, functions);
    }
    Ok(outcomes)
}

/// The key under which the cache stores the functions of an edited unit.
fn key_of(program: &Program, compiler: &Compiler, unit: &Unit, edits: Key) -> Option<Key> {
    let key = KeyBuilder::new("trial").key(compiler.sources(&unit.input)?).key(edits);
    Some(key.file(&program.opt.plugin).ok()?.program(&program.opt.toolchain.opt).ok()?.finish())
}

/// The overlay file for clang. The file maps paths of source files to edited copies.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Overlay {
    version: u32,
    use_external_names: bool,
    roots: Vec<OverlaidFile>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct OverlaidFile {
    r#type: &'static str,
    name: PathBuf,
    external_contents: PathBuf,
}

fn write_overlay(folder: &Path, files: &Files, edited: &[EditedFile]) -> Result<PathBuf> {
    let mut roots = Vec::new();
    for (place, (file, bytes)) in edited.iter().enumerate() {
        let contents = folder.join(format!("edited-{place}"));
        std::fs::write(&contents, bytes).map_err(Error::write(&contents))?;
        let overlaid = |name: &PathBuf| OverlaidFile {
            r#type: "file",
            name: name.clone(),
            external_contents: contents.clone(),
        };
        roots.extend(files.names(*file).iter().map(overlaid));
    }
    let overlay = folder.join("overlay.yaml");
    // Clang expects YAML, and JSON is a subset of YAML.
    let text = serde_json::to_vec(&Overlay { version: 0, use_external_names: false, roots });
    std::fs::write(&overlay, text.expect("paths are text")).map_err(Error::write(&overlay))?;
    Ok(overlay)
}

/// The costs of the branches before and after the edits.
struct Costs<'b, 'a> {
    branches: &'b [&'a MeasuredBranch],
    before: Vec<Cost>,
    /// The cost after the edits, and whether the branch was found.
    after: Vec<(Cost, bool)>,
    /// The indices of the branches of each function.
    functions: HashMap<(usize, &'a str), Vec<usize>>,
}

impl<'b, 'a> Costs<'b, 'a> {
    fn new(branches: &'b [&'a MeasuredBranch], outcomes: &HashMap<usize, Outcome>, edits: &[Edit]) -> Self {
        let mut functions: HashMap<(usize, &str), Vec<usize>> = HashMap::new();
        for (place, branch) in branches.iter().enumerate() {
            functions.entry((branch.module, &branch.symbol)).or_default().push(place);
        }
        let before: Vec<Cost> = branches.iter().map(|branch| branch.cost()).collect();
        let mut after: Vec<(Cost, bool)> = before.iter().map(|&cost| (cost, true)).collect();
        let mut edited: HashMap<(usize, &str), &Function> = HashMap::new();
        for (&unit, outcome) in outcomes {
            let all = outcome.iter().flatten();
            edited.extend(all.map(|function| ((unit, &*function.function), function)));
        }
        for (name, places) in &functions {
            if let Some(Ok(_)) = outcomes.get(&name.0) {
                let function = edited.get(name);
                for &place in places {
                    let found = function.and_then(|function| cost_in(function, branches[place]));
                    after[place] =
                        (found.unwrap_or_else(|| branches[place].cost_of_hint(false)), found.is_some());
                }
            }
        }
        // A crate that only uses an edited library is not compiled again: its copies of generic functions come from the
        // library that cargo has built. The edit then has the effect of a hint for the most frequent successor.
        for member in edits.iter().flat_map(|edit| &edit.members) {
            let places = functions.get(&(member.module, member.symbol.as_str())).into_iter().flatten();
            for &place in places.filter(|&&place| branches[place].number == member.number) {
                if !outcomes.contains_key(&member.module) {
                    after[place].0 = member.cost_of_hint(true);
                }
            }
        }
        Costs { branches, before, after, functions }
    }

    fn change(&self, places: impl IntoIterator<Item = usize>) -> Cost {
        places.into_iter().map(|place| self.after[place].0 - self.before[place]).sum()
    }

    /// The changes of the costs by `edit`: of the branches of the edited condition, and of all branches of the functions
    /// that contain the condition.
    fn gain(&self, edit: &Edit) -> (Cost, Cost) {
        let members: BTreeSet<(usize, &str, usize)> =
            edit.members.iter().map(|one| (one.module, one.symbol.as_str(), one.number)).collect();
        let names: BTreeSet<(usize, &str)> =
            members.iter().map(|&(module, name, _)| (module, name)).collect();
        let all: Vec<usize> =
            names.iter().filter_map(|name| self.functions.get(name)).flatten().copied().collect();
        let own = all.iter().copied().filter(|&place| {
            let MeasuredBranch { module, symbol, number, .. } = self.branches[place];
            members.contains(&(*module, symbol.as_str(), *number))
        });
        (self.change(own), self.change(all.iter().copied()))
    }

    /// The edit for `branch` is left out.
    fn reset(&mut self, branch: &MeasuredBranch) {
        let places = self.functions.get(&(branch.module, branch.symbol.as_str())).into_iter().flatten();
        for &place in places.filter(|&&place| self.branches[place].number == branch.number) {
            self.after[place] = (self.before[place], true);
        }
    }

    fn effect(&self) -> Effect {
        let executions = || self.branches.iter().map(|branch| branch.executions());
        let unknown = executions().zip(&self.after).filter(|(_, (_, is_known))| !is_known);
        Effect {
            executions: executions().sum(),
            before: self.before.iter().copied().sum(),
            after: self.after.iter().map(|(cost, _)| *cost).sum(),
            unknown: unknown.map(|(executions, _)| executions).sum(),
        }
    }
}

/// The cost of `branch` with the predictions in the edited `function`. The result is `None` if the block of the branch
/// has another name or other successors.
fn cost_in(function: &Function, branch: &MeasuredBranch) -> Option<Cost> {
    let block = function.blocks.get(branch.number)?;
    let first = function.edges.partition_point(|edge| edge.from < branch.number);
    let edges: Vec<_> =
        function.edges[first..].iter().take_while(|edge| edge.from == branch.number).collect();
    let mut predicted: Vec<(usize, f64)> = Vec::new();
    for (edge, place) in edges.iter().zip(successor_places(edges.iter().map(|edge| edge.to))) {
        let share = f64::from(edge.numerator) / f64::from(WHOLE);
        match predicted.get_mut(place) {
            Some((_, sum)) => *sum += share,
            None => predicted.push((edge.to, share)),
        }
    }
    let is_same = predicted.len() == branch.successors.len()
        && without_number(&block.name) == without_number(&branch.block);
    // A hint for `!x` swaps the successors: without the hint, clang generates a branch on `x`.
    let pairs = branch.successors.iter().map(|successor| {
        let (_, share) = predicted.iter().find(|(to, _)| *to == successor.to)?;
        Some((*share, successor.taken))
    });
    let pairs: Vec<(f64, f64)> = pairs.collect::<Option<_>>()?;
    is_same.then(|| Cost::of_branch(&pairs))
}
