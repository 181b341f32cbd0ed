//! Finds the edits that add hints to Rust code.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::cold::{self, Flow, Successor};
use crate::base::input::{Input, Language};
use crate::compile::rustc_flags::optimisation_level;
use crate::edit::hints::branches::MeasuredBranch;
use crate::edit::patch::edit::{Edit, LeftOut, Reason};
use crate::edit::patch::files::{FileId, Files};
use crate::program::Program;
use crate::study::finder::sites::{self, Site};
use crate::toolchain::find;
use bpa_schema::Frame;

/// The first Rust version with `core::hint::cold_path`.
const FIRST_VERSION: [u32; 2] = [1, 95];

const NO_SITE: Reason = "no if, match, while or let-else begins at the position of the branch";
const IS_AMBIGUOUS: Reason = "several conditions begin at the position of the branch";
pub const IS_GENERATED: Reason = "a build script has written the file";
pub const IS_TOO_OLD: Reason =
    "core::hint::cold_path needs Rust 1.95, and the rust-version of the package is older";
pub const IS_OTHER_LEVEL: Reason = "rustc uses core::hint::cold_path only at the optimisation levels 2 and 3";

/// The parsed files, each with its `if`, `match`, `while` and `let ... else` constructs.
#[derive(Default)]
pub struct Syntax(HashMap<FileId, Vec<Site>>);

impl Syntax {
    /// The `if`, `match`, `while` and `let ... else` constructs of `file`, and the text of `file`.
    fn of<'a>(&'a mut self, file: FileId, files: &'a Files) -> Result<(&'a [Site], &'a str), Reason> {
        let text =
            std::str::from_utf8(&files.text(file)?.bytes).map_err(|_| "the source file is not UTF-8")?;
        Ok((self.0.entry(file).or_insert_with(|| sites::sites(text)), text))
    }
}

/// Returns two lists: the edits for the chosen Rust branches, and the chosen Rust branches that have no edit.
pub fn edits<'a>(
    program: &Program,
    branches: &'a [MeasuredBranch],
    files: &mut Files,
) -> (Vec<Edit<'a>>, LeftOut<'a>) {
    let (mut edits, mut left_out, mut syntax) = (Vec::new(), Vec::new(), Syntax::default());
    let mut groups: BTreeMap<(FileId, usize), Vec<&MeasuredBranch>> = BTreeMap::new();
    let of_rust = |branch: &&MeasuredBranch| program.units[branch.module].input.language == Language::Rust;
    let is_generated = |branch: &MeasuredBranch| {
        branch.frame().is_some_and(|frame| program.is_generated(&program.paths.absolute(&frame.file)))
    };
    for branch in branches.iter().filter(of_rust) {
        let site = if is_generated(branch) { Err(IS_GENERATED) } else { site(branch, &mut syntax, files) };
        match site {
            Ok(key) => groups.entry(key).or_default().push(branch),
            Err(reason) => left_out.extend(branch.is_chosen.then_some((branch, reason))),
        }
    }
    for ((file, site), group) in groups {
        let members: Vec<&MeasuredBranch> = group.iter().copied().filter(|branch| branch.is_chosen).collect();
        if members.is_empty() {
            continue;
        }
        match edit(program, file, site, &group, &mut syntax, files) {
            Ok(edit) => edits.push(Edit { members, ..edit }),
            Err(reason) => left_out.extend(members.into_iter().map(|branch| (branch, reason))),
        }
    }
    (edits, left_out)
}

/// The `if`, `match`, `while` or `let ... else` from which rustc generates `branch`.
fn site(branch: &MeasuredBranch, syntax: &mut Syntax, files: &mut Files) -> Result<(FileId, usize), Reason> {
    let frame = branch.frame().ok_or("the branch has no debug information")?;
    let file = files.of_frame(frame);
    let offset = offset(frame, file, files)?;
    let (sites, _) = syntax.of(file, files)?;
    let mut found = sites.iter().enumerate().filter(|(_, site)| site.keys.contains(&offset));
    match (found.next(), found.next()) {
        (Some((place, _)), None) => Ok((file, place)),
        (None, _) => Err(NO_SITE),
        (Some(_), Some(_)) => Err(IS_AMBIGUOUS),
    }
}

fn offset(frame: &Frame, file: FileId, files: &Files) -> Result<usize, Reason> {
    files.text(file)?.offset(frame.line, frame.column).ok_or("the source file has changed")
}

fn edit<'a>(
    program: &Program,
    file: FileId,
    site: usize,
    group: &[&MeasuredBranch],
    syntax: &mut Syntax,
    files: &mut Files,
) -> Result<Edit<'a>, Reason> {
    if group.iter().any(|branch| !has_cold_path(&program.units[branch.module].input)) {
        return Err(IS_TOO_OLD);
    }
    if group.iter().any(|branch| !uses_cold_path(&program.units[branch.module].input)) {
        return Err(IS_OTHER_LEVEL);
    }
    let flows = flows(group, file, files);
    let (sites, text) = syntax.of(file, files)?;
    let changes = cold::changes(text, &sites[site], &flows)?;
    // The span of the condition is empty, because a branch that tests a pattern of a `match` has no condition.
    let (span, value, probability) = (0..0, false, None);
    Ok(Edit { file, changes, members: Vec::new(), span, value, probability, is_whole_if: false })
}

/// The branches that rustc generates from one `if`, `match`, `while` or `let ... else`, without copies.
fn flows(group: &[&MeasuredBranch], file: FileId, files: &mut Files) -> Vec<Flow> {
    let mut flows = Vec::new();
    for branch in group.iter().filter(|branch| !branch.is_copy) {
        let successor = |successor: &crate::edit::hints::branches::BranchSuccessor| {
            let first = successor.first.as_ref();
            let here = first.filter(|first| files.of_frame(first) == file);
            let start = here.and_then(|first| offset(first, file, files).ok());
            Successor { start, predicted: successor.predicted, taken: successor.taken }
        };
        let successors = branch.successors.iter().map(successor).collect();
        let start = branch.frame().and_then(|frame| offset(frame, file, files).ok());
        flows.push(Flow { start, successors, is_chosen: branch.is_chosen });
    }
    flows
}

/// Returns true if `cold_path` exists in the compiler of `input` and in the `rust-version` of the package.
fn has_cold_path(input: &Input) -> bool {
    let promised = input.command.as_ref().and_then(|build| build.environment.get("CARGO_PKG_RUST_VERSION"));
    let is_promised = promised.and_then(|text| version(text)).is_none_or(|version| version >= FIRST_VERSION);
    let compiler = input.command.as_ref().and_then(|build| build.compiler.clone());
    is_promised && version_of(compiler).is_none_or(|version| version >= FIRST_VERSION)
}

/// Returns true if rustc writes branch weights for `cold_path`.
fn uses_cold_path(input: &Input) -> bool {
    let level = optimisation_level(input.flags());
    // Cargo passes no option for level 0. bpa compiles a single file at level 2 or 3.
    level.map_or(input.command.is_none(), |level| ["2", "3"].contains(&level))
}

/// The version of the compiler at the path `rustc`. `None` means the installed compiler. Each compiler is run once.
fn version_of(rustc: Option<PathBuf>) -> Option<[u32; 2]> {
    static VERSIONS: Mutex<BTreeMap<Option<PathBuf>, Option<[u32; 2]>>> = Mutex::new(BTreeMap::new());
    let read = |rustc: Option<&Path>| {
        let rustc = rustc.map(PathBuf::from).or_else(|| Some(find::rustc()?.0))?;
        version(find::output(rustc, &["--version"])?.split_whitespace().nth(1)?)
    };
    let mut versions = VERSIONS.lock().unwrap_or_else(PoisonError::into_inner);
    *versions.entry(rustc).or_insert_with_key(|rustc| read(rustc.as_deref()))
}

/// `1.95.0`, `1.95`, `1.97.0-nightly`.
fn version(text: &str) -> Option<[u32; 2]> {
    let mut numbers = text.split('.').map(|number| number.parse().ok());
    Some([numbers.next()??, numbers.next()??])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_numbers() {
        assert_eq!(version("1.95.0"), Some([1, 95]));
        assert_eq!(version("1.100.0-nightly"), Some([1, 100]));
        assert!(version("1.100") >= Some(FIRST_VERSION) && version("1.85") < Some(FIRST_VERSION));
        assert_eq!(version(""), None);
    }
}
