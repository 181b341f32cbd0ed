//! `bpa score`: compares static predictions with a measured profile, and prints the mispredicted branches.

mod against;
mod data;
mod summary;

use std::io::Write;
use std::process::ExitCode;

use crate::args;
use crate::base::error::{Error, Result};
use crate::base::messages;
use crate::base::shares;
use crate::counts::BranchCounts;
use crate::print::diagnostic::{self, Note, Words};
use crate::print::sarif;
use crate::program::copies::Copies;
use crate::program::selection;
use crate::program::{Prediction, Program};
use crate::study::branch::Branch;
use crate::study::merged::{merge_by, BranchIdentity, SourceBranch};
use crate::study::module::Module;
use crate::study::place;
use crate::study::source::Sources;

/// The maximum number of destinations that are printed for a branch.
const MOST_DESTINATIONS: usize = 4;

/// An executed branch.
struct Scored<'a> {
    branch: &'a Branch<'a>,
    counts: &'a BranchCounts,
}

pub fn run(arguments: &args::Score) -> Result<ExitCode> {
    let prediction = Prediction::from_arguments(&arguments.prediction)?;
    let other = arguments.against_predictor.as_deref();
    let other = other.map(|name| Prediction::new(prediction.like, Some(name))).transpose()?;
    let program = Program::load(&arguments.program)?;
    let is_above = match &other {
        Some(other) => compare(&program, [&prediction, other], &arguments.selection).map(|()| false)?,
        None => score(&program, &prediction, arguments)?,
    };
    program.finish()?;
    Ok(if is_above { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Prints the mispredicted branches. Returns true if the avoidable mispredictions exceed the threshold.
fn score(program: &Program, prediction: &Prediction, arguments: &args::Score) -> Result<bool> {
    let args::Score { selection, form, .. } = arguments;
    let modules = program.analyse(prediction, true)?;
    program.require_data(&modules)?;
    let branches = distinct_branches(program, &modules);
    messages::plain(&summary::of_profile(program, &modules, &branches));
    let chosen = selection::of(&branches, program, selection)?;
    let mut scored = scored(&chosen)?;
    scored.sort_by(|one, other| other.counts.avoidable_misses().total_cmp(&one.counts.avoidable_misses()));
    let sources = Sources::default();
    let [hits, most_hits] = summary::Sums::of(&scored).shares();
    let is_above = arguments.threshold.is_some_and(|percent| (most_hits - hits) * 100.0 > percent);
    if form.json {
        scored.truncate(selection.limit_or(usize::MAX));
        data::print_json(&scored)?;
        return Ok(is_above);
    }
    let mut wrong =
        merge_by(&chosen, &sources, |branch| branch.counts.map_or(0.0, BranchCounts::avoidable_misses));
    wrong.retain(|one| one.weight > 0.0);
    wrong.iter_mut().for_each(|one| one.copies.retain(|copy| copy.counts.is_some()));
    if form.sarif {
        sarif::limit(&mut wrong, selection.limit);
        data::print_sarif(&wrong, &sources)?;
        return Ok(is_above);
    }
    let shown = selection::limit(program, selection).min(wrong.len());
    for one in &wrong[..shown] {
        diagnostic::print(one.first(), words(one), &sources)?;
    }
    if shown < wrong.len() {
        let all = shares::plural(wrong.len(), "branch");
        messages::note(&format!(
            "{shown} of {all} with avoidable mispredictions are shown; --limit prints more"
        ));
    }
    let name = prediction.name(program.opt.toolchain.version);
    writeln!(anstream::stdout().lock(), "{}", summary::total(&scored, &name)).map_err(Error::Output)?;
    Ok(is_above)
}

fn compare(program: &Program, predictors: [&Prediction; 2], selection: &args::Selection) -> Result<()> {
    let (modules, others) = program.analyse_both(predictors[0], predictors[1], true)?;
    program.require_data(&modules)?;
    let [branches, others] = [&modules, &others].map(|modules| distinct_branches(program, modules));
    messages::plain(&summary::of_profile(program, &modules, &branches));
    let chosen = selection::of(&branches, program, selection)?;
    scored(&chosen)?;
    let names = predictors.map(|prediction| prediction.name(program.opt.toolchain.version));
    against::print(&chosen, &others, &names, selection::limit(program, selection))
}

/// The branches of `modules`. If several modules contain copies of a function, only the first copy is included, because
/// the profile has one set of counts for all copies.
fn distinct_branches<'m>(program: &Program, modules: &'m [Module]) -> Vec<Branch<'m>> {
    let mut copies = Copies::new(program);
    let functions = modules.iter().flat_map(|module| module.functions.iter().map(move |one| (module, one)));
    let branches = |(module, function)| {
        let branches = Branch::of(module, function);
        let pairs = branches
            .iter()
            .map(|branch| (BranchIdentity::of(branch), branch.counts.map_or(&[][..], BranchCounts::edges)));
        let is_copy = copies.is_copy(&pairs.collect::<Vec<_>>());
        if is_copy {
            Vec::new()
        } else {
            branches
        }
    };
    functions.flat_map(branches).collect()
}

/// The executed branches in `branches`, with their counts.
fn scored<'a>(branches: &[&'a Branch<'a>]) -> Result<Vec<Scored<'a>>> {
    let scored = branches.iter().filter_map(|branch| Some(Scored { branch, counts: branch.counts? }));
    let scored: Vec<Scored> = scored.collect();
    if scored.is_empty() {
        return Err(selection::no_execution());
    }
    Ok(scored)
}

/// The count of each successor, summed over all copies of a branch. The first copy of the branch determines the order
/// of the successors.
fn taken(merged: &SourceBranch) -> Vec<u64> {
    let counts = || merged.copies.iter().filter_map(|copy| copy.counts);
    let number = counts().next().map_or(0, |first| first.successors().len());
    let mut taken = vec![0u64; number];
    for copy in counts().filter(|counts| counts.successors().len() == number) {
        for (sum, successor) in taken.iter_mut().zip(copy.successors()) {
            *sum = sum.saturating_add(successor.count);
        }
    }
    taken
}

fn words(merged: &SourceBranch) -> Words {
    let branch = merged.first();
    let taken = taken(merged);
    let all = taken.iter().map(|&count| count as f64).sum::<f64>().max(1.0);
    let successors = branch.counts.map(BranchCounts::successors).unwrap_or_default();
    let mut pairs: Vec<_> = successors.iter().zip(taken.iter().copied()).collect();
    // The two destinations of a condition keep their order. For a switch, the most executed destinations are printed.
    let by_count = |pairs: &mut Vec<(_, u64)>| pairs.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    if pairs.len() > 2 {
        by_count(&mut pairs);
    }
    let title = pairs.iter().take(MOST_DESTINATIONS).map(|&(successor, count)| {
        let [predicted, measured] = [successor.predicted, count as f64 / all].map(shares::share);
        format!("to {}: {predicted} predicted, {measured} measured", place::target(branch, successor.to))
    });
    let mut title = title.collect::<Vec<_>>().join("; ");
    if let others @ 1.. = pairs.len().saturating_sub(MOST_DESTINATIONS) {
        title += &format!("; {}", shares::plural(others, "other destination"));
    }
    let is_approximate = merged.copies.iter().any(|copy| copy.counts.is_some_and(|one| one.is_approximate));
    let count = |number: u64| shares::count(number, is_approximate);
    by_count(&mut pairs);
    let most = pairs.iter().filter(|&&(_, count)| count > 0).take(MOST_DESTINATIONS);
    let most: Vec<String> = most
        .map(|&(successor, number)| format!("{} to {}", count(number), place::target(branch, successor.to)))
        .collect();
    // A prediction of 50% costs half of a misprediction per execution.
    let cost = match merged.weight as u64 {
        0 => "less than 1 avoidable misprediction".to_string(),
        count => shares::plural(count, "avoidable misprediction"),
    };
    let cost = if is_approximate { format!("~{cost}") } else { cost };
    // Samples are no executions, but their ratio to the samples of the entry estimates the executions per call.
    let whereabouts =
        if is_approximate { diagnostic::whereabouts_and_frequency } else { diagnostic::whereabouts };
    let mut notes: Vec<Note> = vec![
        ("cost".into(), cost),
        ("taken".into(), most.join(", ")),
        ("rule".into(), branch.scored.map_or_else(String::new, |scored| scored.rule.to_string())),
        ("note".into(), whereabouts(branch)),
    ];
    let predicted = |copy: &Branch| Some(copy.counts?.successors().first()?.predicted);
    notes.extend(diagnostic::neighbours(merged, predicted));
    Words { title, notes }
}
