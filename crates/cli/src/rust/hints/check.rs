//! Tries edits before they are shown: the crates are compiled again with all of them, up to where LLVM would read the profile,
//! and the branches have to be predicted as they were measured there.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::{libraries, shadow};
use crate::compile::{Compiler, Stage};
use crate::error::{Error, Result};
use crate::hints::branches::{self, MeasuredBranch, Side};
use crate::input::{BuildCommand, Input};
use crate::patch::check::edited;
use crate::patch::edit::{Edit, Reason};
use crate::patch::files::{FileId, Files};
use crate::patch::text::Text;
use crate::place::as_far_in;
use crate::program::{Program, Unit};
use bpa_schema::{Block, Edge, Frame, Function, Rule, WHOLE};

const NOT_COMPILED: Reason = "tried, its crate cannot be compiled with it";
const NO_EFFECT: Reason = "tried, the branch is not predicted otherwise with it";

const HARMFUL: Reason = "tried, other branches of its function are predicted worse with it";

/// The branches that an edit is for may be in several functions. So much of their executions has to be predicted rightly.
const LEAST_AGREEMENT: f64 = 0.9;

/// Takes out of `edits` what does not do what it should, with the reason for it.
pub fn check<'a>(
    program: &Program,
    flags: &[String],
    branches: &[MeasuredBranch],
    files: &Files,
    edits: &mut Vec<Edit<'a>>,
) -> Result<Vec<(&'a MeasuredBranch, Reason)>> {
    let mut left_out = Vec::new();
    while !edits.is_empty() {
        let wrong = wrong(program, flags, branches, files, edits)?;
        if wrong.is_empty() {
            break;
        }
        for (place, reason) in wrong.into_iter().rev() {
            left_out.extend(edits.remove(place).members.into_iter().map(|branch| (branch, reason)));
        }
    }
    Ok(left_out)
}

/// Which of `edits` are wrong, in order.
fn wrong(
    program: &Program,
    flags: &[String],
    branches: &[MeasuredBranch],
    files: &Files,
    edits: &[Edit],
) -> Result<Vec<(usize, Reason)>> {
    let folder = tempfile::tempdir_in(program.folder()).map_err(Error::write(program.folder()))?;
    let texts = edited(files, edits);
    let paths: HashMap<PathBuf, Vec<u8>> =
        texts.iter().map(|(file, text)| (files.path(*file).to_path_buf(), text.clone())).collect();
    let modules: BTreeSet<usize> =
        edits.iter().flat_map(|edit| &edit.members).map(|branch| branch.module).collect();
    let modules: Vec<usize> = modules.into_iter().collect();
    let store = crate::cache::Store::new(None, 0);
    let profile = program.profile.as_ref();
    let compiler = Compiler { store: &store, profile, ..program.compiler(flags, Stage::BeforeProfile) };
    let copy = Copy::new(program, &folder.path().join("copy"), &paths)?;
    // If one cannot be compiled, its own module cannot either, and that tells which edit is to blame.
    let _ = copy.build_libraries(program, &paths);
    let compiled = program.jobs.run(modules.len(), "trying", |place| {
        let unit = &program.units[modules[place]];
        let folder = folder.path().join(place.to_string());
        let input = match &unit.input.command {
            Some(build) => {
                let build = libraries::with(&copy.build(build), &copy.libraries);
                Input { command: Some(build), ..unit.input.clone() }
            }
            None => single(&unit.input, &folder.join("copy"), &paths)?,
        };
        let bitcode = compiler.compile(&input, &folder.join("bitcode"))?;
        branches::functions(program, &Unit { place: unit.place, input, bitcode, folder })
    });
    let outcomes: HashMap<usize, Result<Vec<Function<'static>>>> = (modules.iter().copied())
        .zip(compiled.into_iter().map(|outcome| outcome.expect("failures end nothing")))
        .collect();
    let texts = texts.into_iter().map(|(file, text)| (file, Text::new(text))).collect();
    let tried = Tried { files, edits, texts };
    let mut wrong = Vec::new();
    for (place, edit) in edits.iter().enumerate() {
        let failures = edit.members.iter().filter_map(|one| outcomes[&one.module].as_ref().err());
        if let Some(error) = failures.into_iter().next() {
            let text = error.to_string();
            // If the compiler complains of no edit, any may be to blame.
            let is_blamed = |edit: &Edit| tried.lines(edit).any(|place| text.contains(&place));
            if is_blamed(edit) || !edits.iter().any(is_blamed) {
                wrong.push((place, NOT_COMPILED));
            }
            continue;
        }
        let (mut agreed, mut found) = (0.0, 0.0);
        for branch in &edit.members {
            let Ok(functions) = &outcomes[&branch.module] else { continue };
            if let Some(agrees) = tried.agrees(edit, branch, functions) {
                found += branch.executions();
                agreed += if agrees { branch.executions() } else { 0.0 };
            }
        }
        if agreed == 0.0 || agreed < LEAST_AGREEMENT * found {
            wrong.push((place, NO_EFFECT));
        }
    }
    if wrong.is_empty() {
        wrong.extend(most_harmful(branches, edits, &outcomes).map(|place| (place, HARMFUL)));
    }
    Ok(wrong)
}

/// A hint makes blocks around its own unlikely, too. Of the functions that miss more with the edits, the edit that avoids
/// least in one of them.
fn most_harmful(
    branches: &[MeasuredBranch],
    edits: &[Edit],
    outcomes: &HashMap<usize, Result<Vec<Function<'static>>>>,
) -> Option<usize> {
    let mut gained: HashMap<(usize, &str), f64> = HashMap::new();
    for branch in branches {
        let Some(Ok(functions)) = outcomes.get(&branch.module) else { continue };
        let function = functions.iter().find(|function| function.function == branch.symbol);
        if let Some(misses) = function.and_then(|function| misses(branch, function)) {
            *gained.entry((branch.module, &branch.symbol)).or_default() += misses - branch.misses();
        }
    }
    let is_harmed =
        |one: &MeasuredBranch| gained.get(&(one.module, &*one.symbol)).is_some_and(|gained| *gained > 0.0);
    let harmful = edits.iter().enumerate().filter(|(_, edit)| edit.members.iter().any(|one| is_harmed(one)));
    let avoided = |edit: &Edit| edit.members.iter().map(|one| one.avoidable_misses()).sum::<f64>();
    harmful.min_by(|one, other| avoided(one.1).total_cmp(&avoided(other.1))).map(|(place, _)| place)
}

/// How often `branch` goes elsewhere than `function` predicts, which has the same blocks.
fn misses(branch: &MeasuredBranch, function: &Function) -> Option<f64> {
    let mut with_edits = branch.clone();
    for side in &mut with_edits.sides {
        let edges = function.edges.iter().filter(|edge| edge.from == branch.number && edge.to == side.to);
        side.predicted = edges.map(|edge| f64::from(edge.numerator) / f64::from(WHOLE)).sum();
    }
    let total: f64 = with_edits.sides.iter().map(|side| side.predicted).sum();
    (total > 0.99).then(|| with_edits.misses())
}

/// A copy of the project in which files are edited.
struct Copy {
    original: PathBuf,
    copy: PathBuf,
    libraries: PathBuf,
}

impl Copy {
    fn new(program: &Program, copy: &Path, edited: &HashMap<PathBuf, Vec<u8>>) -> Result<Self> {
        let directories = program
            .units
            .iter()
            .filter_map(|unit| unit.input.command.as_ref()?.directory.canonicalize().ok());
        let directories: Vec<PathBuf> = directories.collect();
        let libraries = copy.with_extension("libraries");
        std::fs::create_dir_all(&libraries).map_err(Error::write(&libraries))?;
        let Some(first) = directories.first() else {
            return Ok(Copy { original: copy.into(), copy: copy.into(), libraries });
        };
        // A dependency by path may be outside of the workspace.
        let all = edited.keys().chain(&directories).map(PathBuf::as_path);
        let original = shadow::common(all, first);
        shadow::make(&original, copy, edited)?;
        Ok(Copy { original, copy: copy.into(), libraries })
    }

    fn build(&self, build: &BuildCommand) -> BuildCommand {
        shadow::build(build, &self.original, &self.copy)
    }

    /// Compiles the libraries that are edited.
    fn build_libraries(&self, program: &Program, edited: &HashMap<PathBuf, Vec<u8>>) -> Result<()> {
        let inputs: Vec<&Input> = program.units.iter().map(|unit| &unit.input).collect();
        let is_edited = |input: &Input| {
            let root = input.absolute();
            root.parent().is_some_and(|folder| edited.keys().any(|file| file.starts_with(folder)))
        };
        libraries::build(&inputs, is_edited, |build| self.build(build), &self.libraries)
    }
}

/// A file that is compiled without a build, in a copy of its folder.
fn single(input: &Input, copy: &Path, edited: &HashMap<PathBuf, Vec<u8>>) -> Result<Input> {
    let path = input.path.canonicalize().map_err(Error::read(&input.path))?;
    let folder = path.parent().unwrap_or(Path::new("/"));
    let inside = edited.iter().filter(|(path, _)| path.starts_with(folder));
    let inside = inside.map(|(path, text)| (path.clone(), text.clone())).collect();
    shadow::make(folder, copy, &inside)?;
    Ok(Input { path: copy.join(path.file_name().unwrap_or_default()), ..input.clone() })
}

/// Edits that are tried together.
struct Tried<'a> {
    files: &'a Files,
    edits: &'a [Edit<'a>],
    /// The files with all edits.
    texts: HashMap<FileId, Text>,
}

impl Tried<'_> {
    /// Where a place of `file` is with all edits: its line and column.
    fn moved(&self, file: FileId, line: u32, column: u32) -> Option<(u32, u32)> {
        let offset = self.files.text(file).ok()?.offset(line, column)?;
        let changes = self.edits.iter().filter(|edit| edit.file == file).flat_map(|edit| &edit.changes);
        // Nothing is taken away.
        let before = changes.filter(|change| change.start <= offset).map(|change| change.text.len());
        let (line, column) = self.texts[&file].line_and_column(offset + before.sum::<usize>());
        Some((u32::try_from(line).ok()?, u32::try_from(column).ok()?))
    }

    /// The lines that `edit` changes, as rustc names them.
    fn lines<'b>(&'b self, edit: &'b Edit) -> impl Iterator<Item = String> + 'b {
        let name = self.files.path(edit.file).file_name().unwrap_or_default().to_string_lossy().into_owned();
        edit.changes.iter().filter_map(move |change| {
            let (line, column) = self.files.text(edit.file).ok()?.line_and_column(change.start);
            let (line, _) = self.moved(edit.file, line as u32, column as u32)?;
            Some(format!("{name}:{line}:"))
        })
    }

    /// Whether the branch that `branch` is with the edits is predicted by a hint to go where it mostly went; none if it is
    /// not found.
    fn agrees(&self, edit: &Edit, branch: &MeasuredBranch, functions: &[Function]) -> Option<bool> {
        let frame = branch.frame()?;
        let here = self.moved(edit.file, frame.line, frame.column)?;
        let place = |frame: &Frame| (frame.line, frame.column);
        let function = functions.iter().find(|function| function.function == branch.symbol)?;
        let blocks = function.blocks.iter().enumerate();
        let is_here =
            |block: &Block| block.source.as_ref().is_some_and(|position| place(&position.frame) == here);
        let mut found = blocks.filter(|(_, block)| is_here(block)).peekable();
        found.peek()?;
        let start = |side: &Side| {
            let first = side.first.as_ref()?;
            self.moved(edit.file, first.line, first.column)
        };
        let likely = branch.sides.iter().max_by(|one, other| one.taken.total_cmp(&other.taken))?;
        let others: Vec<_> = branch.sides.iter().filter(|side| side.to != likely.to).map(start).collect();
        Some(found.any(|(number, block)| {
            let edges: Vec<&Edge> = function.edges.iter().filter(|edge| edge.from == number).collect();
            let Some(most) = edges.iter().max_by_key(|edge| edge.numerator) else { return false };
            let first = function.blocks[most.to].first.as_ref();
            let first = first.map(|first| place(as_far_in(first, block.source.as_ref())));
            let is_measured = first == start(likely) || !others.contains(&first);
            most.rule == Rule::Metadata && most.numerator > WHOLE / 2 && is_measured
        }))
    }
}
