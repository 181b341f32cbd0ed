//! `bpa hints --patch`: prints a diff that adds hints to the source. The diff contains only edits that need no review.
//!
//! > executed branches -> conditions in the sources -> edits -> a compilation with all edits -> a diff

mod check;
pub mod choose;
pub mod edit;
pub mod files;
pub mod macros;

use std::collections::BTreeSet;

use crate::base::error::{Error, Result};
use crate::base::input::Language;
use crate::base::jobs::Jobs;
use crate::base::{messages, shares};
use crate::edit::hints::branches::MeasuredBranch;
use crate::print::diagnostic;
use crate::program::{Program, Unit};
use crate::study::source::Sources;
use crate::toolchain::opt::Stage;
use edit::{Edit, LeftOut, Reason};
use files::Files;
use macros::Macros;

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
    let is_counted =
        |branch: &&MeasuredBranch| branch.is_chosen || !branch.is_in_system || program.show_system;
    let counted: Vec<&MeasuredBranch> = branches.iter().filter(is_counted).collect();
    let (not_kept, effect) = check::check(program, flags, &counted, &files, &mut edits)?;
    left_out.extend(not_kept);
    files::print(&files, &check::edited(&files, &edits))?;
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
    messages::plain(&format!("{} written, {not_written} left out", shares::plural(edits.len(), "hint")));
    effect.lines().iter().for_each(|line| messages::note(line));
    Ok(())
}

/// The edits for the chosen branches, and the branches without an edit. `modules` are the modules whose macros count.
pub fn edits<'a>(
    program: &Program,
    flags: &[String],
    branches: &'a [MeasuredBranch],
    modules: &BTreeSet<usize>,
    files: &mut Files,
) -> Result<(Vec<Edit<'a>>, LeftOut<'a>)> {
    let macros = macros(program, flags, modules)?;
    let (mut edits, mut left_out) = choose::edits(program, branches, &macros, files);
    let (of_rust, left_out_of_rust) = crate::edit::rust::edits(program, branches, files);
    edits.extend(of_rust);
    left_out.extend(left_out_of_rust);
    Ok((edits, left_out))
}

/// The macros of `modules`.
fn macros(program: &Program, flags: &[String], modules: &BTreeSet<usize>) -> Result<Macros> {
    let compiler = program.compiler(flags, Stage::Source);
    let units = modules.iter().map(|&module| &program.units[module]);
    let units: Vec<&Unit> = units.filter(|unit| unit.input.language.takes_clang()).collect();
    let jobs = Jobs { fail_fast: true, ..program.jobs };
    let done = jobs.run(units.len(), "reading", |place| Macros::of_unit(program, &compiler, units[place]));
    let mut macros = Macros::default();
    // A result is missing only if another job has failed. The loop then returns the error of the failed job.
    done.into_iter().flatten().try_for_each(|one| one.map(|one| macros.merge(one)))?;
    Ok(macros)
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
