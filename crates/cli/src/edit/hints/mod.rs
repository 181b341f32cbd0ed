//! `bpa hints`: finds the source positions where a hint would avoid mispredictions, and ranks them by avoided misses.
//!
//! > executed branches -> source positions -> ranking -> findings and edits -> text or data

pub mod branches;
pub mod cost;
mod data;
mod dialect;
pub mod finding;
pub mod places;
mod ranking;
mod text;
mod wording;

use std::process::ExitCode;

use crate::args;
use crate::base::error::Result;
use crate::base::messages;
use crate::base::output;
use crate::base::shares;
use crate::edit::patch;
use crate::print::sarif;
use crate::program::functions::FunctionCounts;
use crate::program::measured;
use crate::program::selection;
use crate::program::Program;
use crate::toolchain::opt::Stage;
use bpa_schema::SourceHint;
use branches::{MeasuredBranch, Measurement};
use ranking::Ranking;

/// The default number of hints that are printed as text.
const MOST: usize = 20;

/// A patch contains only hints that avoid at least this share of the avoidable misses. A smaller gain does not justify
/// a change of the source.
const LEAST_SHARE_OF_AVOIDABLE: f64 = 0.001;

pub fn run(arguments: &args::Hints) -> Result<ExitCode> {
    // The unoptimised module is analysed because optimisations remove the hints of the source.
    let program = Program::load_at(&arguments.program, Stage::Source)?;
    if arguments.patch {
        patch::require_source(&program)?;
    }
    let flags = &arguments.program.flags;
    let Measurement { mut branches, never_ran, functions } = branches::read(&program, flags)?;
    require_profile(&program, functions)?;
    let ranking = Ranking::new(&branches, &program, flags);
    if ranking.measured.places == 0 && !program.focus.is_everything() {
        return Err(selection::no_execution());
    }
    let is_above = arguments
        .threshold
        .is_some_and(|percent| ranking.wanted.avoided > ranking.measured.executions * percent / 100.0);
    let counts = ranking::Counts { never_ran_branches: never_ran, functions };
    if arguments.patch {
        let (chosen, others) = chosen_for_patch(&ranking, arguments);
        if others > 0 {
            let places = shares::plural(others, "place");
            messages::note(&match arguments.limit {
                Some(_) => format!("left out by --limit: {places}"),
                None => {
                    let least = shares::share(LEAST_SHARE_OF_AVOIDABLE);
                    format!("left out: {places}, each with less than {least} of the avoidable misses")
                }
            });
        }
        chosen.into_iter().for_each(|index| branches[index].is_chosen = true);
        patch::print(&program, flags, &branches)?;
    } else {
        let most = arguments.limit.map_or(most(arguments.form), usize::from);
        let is_text = !arguments.form.is_data();
        // In the text output, hints with an edit come before hints without an edit. Therefore, more source positions
        // are examined than printed.
        let examined = if is_text { most.saturating_mul(2) } else { most };
        let mut findings = findings(&program, flags, &mut branches, &ranking, examined)?;
        let mut without_edit = Vec::new();
        if is_text {
            findings.sort_by_key(|hint| !finding::can_be_written(hint));
            without_edit = findings.split_off(most.min(findings.len()));
            without_edit.retain(|hint| !finding::can_be_written(hint));
        }
        let more = ranking.hints.len() - findings.len();
        if more > 0 && !is_text {
            messages::note(&format!("left out: {}; --limit prints more", shares::plural(more, "hint")));
        }
        match arguments.form {
            args::Form { json: true, .. } => data::print_json(&ranking, findings, counts)?,
            args::Form { sarif: true, .. } => data::print_sarif(&findings)?,
            _ => output::print(&text::list(&ranking, &findings))?,
        }
        text::summary(&ranking, &without_edit, counts).iter().for_each(|line| messages::note(line));
    }
    program.finish()?;
    Ok(if is_above { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Returns data about the first hints of `ranking`. `most` is the maximum number of hints.
pub fn findings(
    program: &Program,
    flags: &[String],
    branches: &mut [MeasuredBranch],
    ranking: &Ranking,
    most: usize,
) -> Result<Vec<SourceHint>> {
    let shown = &ranking.hints[..most.min(ranking.hints.len())];
    for index in shown.iter().flat_map(|hint| &hint.place.branches) {
        branches[*index].is_chosen = true;
    }
    let modules = places::modules_of(branches, shown.iter().map(|hint| &hint.place));
    let mut files = patch::files::Files::readable(patch::current_folder()?);
    let (edits, left_out) = patch::edits(program, flags, branches, &modules, &mut files)?;
    Ok(shown.iter().map(|hint| finding::finding(hint, branches, &edits, &left_out, &files)).collect())
}

/// The default number of hints to print.
fn most(form: args::Form) -> usize {
    match form {
        args::Form { json: true, .. } => usize::MAX,
        args::Form { sarif: true, .. } => sarif::MOST,
        _ => MOST,
    }
}

/// The branches for which a patch has a hint, and the number of places of the ranking that are not chosen.
fn chosen_for_patch(ranking: &Ranking, arguments: &args::Hints) -> (Vec<usize>, usize) {
    let least = match arguments.limit {
        Some(_) => 0.0,
        None => ranking.measured.avoidable_misses * LEAST_SHARE_OF_AVOIDABLE,
    };
    let hints = ranking.hints.iter().filter(|hint| hint.place.avoided >= least);
    let hints: Vec<_> = hints.take(arguments.limit.map_or(usize::MAX, usize::from)).collect();
    let chosen = hints.iter().flat_map(|hint| hint.place.branches.iter().copied()).collect();
    (chosen, ranking.hints.len() - hints.len())
}

/// Returns an error if no function has a profile.
fn require_profile(program: &Program, functions: FunctionCounts) -> Result<()> {
    if functions.profiled > 0 {
        return Ok(());
    }
    Err(measured::no_data(program))
}
