//! `bpa hints --patch`: prints a diff that adds hints to the source. The diff contains only edits that need no review.
//!
//! > executed branches -> conditions in clang's syntax tree -> edits -> trial compilations -> a diff

mod attribution;
pub mod check;
pub mod choose;
pub mod condition;
mod diff;
pub mod edit;
pub mod files;
mod finder;
mod matching;
mod reader;
pub mod selection;
mod syntax;
pub mod text;
mod tree;
pub mod trial;

use std::collections::BTreeSet;

use crate::base::error::{Error, Result};
use crate::base::input::Language;
use crate::base::messages;
use crate::base::shares;
use crate::base::source::Sources;
use crate::edit::hints::branches::MeasuredBranch;
use crate::print::diagnostic;
use crate::program::Program;
use edit::{Edit, LeftOut, Reason};
use files::Files;

/// Returns an error if `program` contains LLVM IR, which has no source to edit.
pub fn require_source(program: &Program) -> Result<()> {
    let mut inputs = program.units.iter().map(|unit| &unit.input);
    if let Some(input) = inputs.find(|input| input.language == Language::Ir) {
        return Err(Error::advice(
            format!("{} has no source to patch", input.path.display()),
            "--patch needs C, C++, Rust, a compile_commands.json or a cargo project",
        ));
    }
    Ok(())
}

/// Prints a diff that adds hints for the chosen branches of `program`. Prints the branches without a hint to standard
/// error.
pub fn print(program: &Program, flags: &[String], branches: &[MeasuredBranch]) -> Result<()> {
    let mut files = Files::below(current_folder()?);
    let modules = branches.iter().filter(|branch| branch.is_chosen).map(|branch| branch.module).collect();
    let (mut edits, mut left_out) = edits(program, flags, branches, &modules, &mut files)?;
    let is_of_rust = |edit: &Edit| edit.members.iter().any(|one| is_rust(program, one));
    let (mut of_rust, others): (Vec<Edit>, Vec<Edit>) = edits.into_iter().partition(is_of_rust);
    edits = others;
    let of_language = |wants_rust: bool| {
        let is_of_language = move |branch: &&MeasuredBranch| is_rust(program, branch) == wants_rust;
        let is_counted =
            |branch: &&MeasuredBranch| branch.is_chosen || !branch.is_in_system || program.show_system;
        branches.iter().filter(is_of_language).filter(is_counted).collect::<Vec<_>>()
    };
    let trial = check::Overlaid { program, flags };
    let (not_kept, effect) = selection::select(&trial, of_language(false), &mut files, &mut edits)?;
    left_out.extend(not_kept);
    let trial = crate::edit::rust::Rebuilt { program, flags };
    let (not_kept, effect_in_rust) = selection::select(&trial, of_language(true), &mut files, &mut of_rust)?;
    left_out.extend(not_kept);
    edits.extend(of_rust);
    diff::print(&files, &trial::edited(&files, &edits.iter().collect::<Vec<_>>()))?;
    let switches =
        branches.iter().filter(|branch| branch.is_chosen && branch.is_switch && !is_rust(program, branch));
    left_out.extend(switches.map(|branch| {
        (branch, "--patch edits only conditions; without --patch, bpa hints gives advice for this switch")
    }));
    let (outside, left_out): (LeftOut, LeftOut) =
        left_out.into_iter().partition(|(_, reason)| *reason == files::OUTSIDE);
    let mut lines = left_out_lines(&left_out);
    let not_written = lines.len() + outside.len();
    if !outside.is_empty() {
        lines.insert(format!(
            "left out: {} in files outside {}: run bpa in the folder of the sources; a patch has relative paths",
            shares::plural(outside.len(), "branch"),
            files.root().display(),
        ));
    }
    lines.iter().for_each(|line| messages::plain(line));
    let effect = effect + effect_in_rust;
    messages::plain(&format!(
        "{} written, {} left out; bpa used {} to test the hints",
        shares::plural(edits.len(), "hint"),
        not_written,
        shares::plural(effect.compilations, "compilation")
    ));
    effect.lines().iter().for_each(|line| messages::note(line));
    Ok(())
}

/// The edits for the chosen branches, and the branches without an edit. The conditions of C and C++ come from the
/// syntax trees of `modules`.
pub fn edits<'a>(
    program: &Program,
    flags: &[String],
    branches: &'a [MeasuredBranch],
    modules: &BTreeSet<usize>,
    files: &mut Files,
) -> Result<(Vec<Edit<'a>>, LeftOut<'a>)> {
    let conditions = syntax::conditions(program, flags, modules, files)?;
    let is_other = |branch: &MeasuredBranch| !is_rust(program, branch);
    let (mut edits, mut left_out) = choose::edits(branches, is_other, &conditions, files);
    let (of_rust, left_out_of_rust) = crate::edit::rust::edits(program, branches, files);
    edits.extend(of_rust);
    left_out.extend(left_out_of_rust);
    Ok((edits, left_out))
}

fn is_rust(program: &Program, branch: &MeasuredBranch) -> bool {
    program.units[branch.module].input.language == Language::Rust
}

pub fn current_folder() -> Result<std::path::PathBuf> {
    let here = std::path::Path::new(".");
    here.canonicalize().map_err(Error::read(here))
}

/// One line for each hint that is left out. The line contains the position of the hint, and the reason.
/// Duplicate lines are removed.
fn left_out_lines(left_out: &LeftOut) -> BTreeSet<String> {
    let sources = Sources::default();
    let line = |(branch, reason): &(&MeasuredBranch, Reason)| {
        let place = |frame| diagnostic::place_of_condition(frame, &sources);
        let place = branch.frame().map_or("a branch".to_string(), place);
        format!("left out: {place}: {reason}")
    };
    left_out.iter().map(line).collect()
}
