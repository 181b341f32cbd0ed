//! `bpa score`: how well static predictions fit a measured profile, and where they are wrong.

mod against;
mod data;
mod summary;

use std::collections::HashMap;
use std::io::Write;
use std::process::ExitCode;

use crate::args;
use crate::branch::Branch;
use crate::diagnostic::{self, Words};
use crate::error::{Error, Result};
use crate::messages;
use crate::place;
use crate::profile::BranchCounts;
use crate::program::{Module, Program, Whose};
use crate::selection;
use crate::shares;
use crate::source::Sources;

/// So many branches are shown.
const MOST: usize = 50;

/// A branch that ran.
struct Scored<'a> {
    branch: &'a Branch<'a>,
    counts: &'a BranchCounts,
}

pub fn run(arguments: &args::Score) -> Result<ExitCode> {
    let whose = Whose::asked_for(&arguments.answer)?;
    let other = arguments.against_predictor.as_deref();
    let other = other.map(|name| Whose::new(whose.like, Some(name))).transpose()?;
    let program = Program::load(&arguments.program)?;
    let is_above = match &other {
        Some(other) => compare(&program, [&whose, other], &arguments.selection).map(|()| false)?,
        None => score(&program, &whose, arguments)?,
    };
    program.finish()?;
    Ok(if is_above { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Prints the mispredicted branches; whether they are more than the threshold that is asked for.
fn score(program: &Program, whose: &Whose, arguments: &args::Score) -> Result<bool> {
    let args::Score { selection, form, .. } = arguments;
    let modules = program.analyse(whose, true)?;
    program.require_data(&modules)?;
    let branches = distinct_branches(&modules);
    messages::plain(&summary::of_profile(program.profile.as_ref(), &modules, &branches));
    let mut scored = scored(&selection::of(&branches, program, selection)?)?;
    scored.sort_by(|one, other| other.counts.avoidable_misses().total_cmp(&one.counts.avoidable_misses()));
    let sources = Sources::default();
    let [hits, most_hits] = summary::Sums::of(&scored).shares();
    let is_above = arguments.threshold.is_some_and(|percent| (most_hits - hits) * 100.0 > percent);
    if form.json || form.sarif {
        scored.truncate(selection.limit_or(usize::MAX));
        match form.json {
            true => data::print_json(&scored)?,
            false => data::print_sarif(&scored, &sources)?,
        }
        return Ok(is_above);
    }
    let wrong = scored.iter().filter(|one| one.counts.avoidable_misses() > 0.0);
    for one in wrong.take(selection.limit_or(MOST)) {
        diagnostic::print(one.branch, words(one), &sources)?;
    }
    let name = whose.name(program.opt.toolchain.version);
    writeln!(anstream::stdout().lock(), "{}", summary::total(&scored, &name)).map_err(Error::Output)?;
    Ok(is_above)
}

fn compare(program: &Program, predictors: [&Whose; 2], selection: &args::Selection) -> Result<()> {
    let (modules, others) = program.analyse_both(predictors[0], predictors[1], true)?;
    program.require_data(&modules)?;
    let [branches, others] = [&modules, &others].map(|modules| distinct_branches(modules));
    messages::plain(&summary::of_profile(program.profile.as_ref(), &modules, &branches));
    let chosen = selection::of(&branches, program, selection)?;
    scored(&chosen)?;
    let names = predictors.map(|whose| whose.name(program.opt.toolchain.version));
    against::print(&chosen, &others, &names, selection.limit_or(MOST))
}

/// The branches of `modules`. A function that several modules have, as C++ has inline functions, counts once: the profile
/// has one set of counts of it.
fn distinct_branches(modules: &[Module]) -> Vec<Branch<'_>> {
    let mut first_module: HashMap<&str, usize> = HashMap::new();
    let mut branches = Vec::new();
    for (place, module) in modules.iter().enumerate() {
        branches.extend(Branch::all(module).filter(|branch| {
            let Some(scored) = branch.scored.filter(|scored| !scored.place.local) else { return true };
            *first_module.entry(&scored.place.function).or_insert(place) == place
        }));
    }
    branches
}

/// Those of `branches` that ran.
fn scored<'a>(branches: &[&'a Branch<'a>]) -> Result<Vec<Scored<'a>>> {
    let scored = branches.iter().filter_map(|branch| Some(Scored { branch, counts: branch.counts? }));
    let scored: Vec<Scored> = scored.collect();
    if scored.is_empty() {
        return Err(Error::advice(
            "by the profile, none of these branches ran",
            "run the program with input that reaches them, or name other functions by --function",
        ));
    }
    Ok(scored)
}

fn words(one: &Scored) -> Words {
    let Scored { branch, counts } = one;
    let to = |to: usize| place::target(branch, to);
    let shares_to = |place: usize| {
        let [predicted, measured] = counts.shares(place)?.map(shares::share);
        Some(format!("{predicted} predicted, {measured} measured to {}", to(place)))
    };
    let sides = branch.sides();
    let title: Vec<String> = sides.iter().filter_map(|side| shares_to(side.to)).take(4).collect();
    let mut taken: Vec<_> = counts.successors().iter().filter(|one| one.count > 0).collect();
    taken.sort_by_key(|one| std::cmp::Reverse(one.count));
    let taken = taken.iter().take(4).map(|one| format!("{} to {}", count(one.count, counts), to(one.to)));
    let notes = vec![
        (
            "cost".into(),
            format!(
                "{} mispredictions that were avoidable",
                count(counts.avoidable_misses().round() as u64, counts)
            ),
        ),
        ("taken".into(), taken.collect::<Vec<_>>().join(", ")),
        ("rule".into(), branch.scored.map_or("", |scored| scored.rule.name()).to_string()),
        ("note".into(), diagnostic::whereabouts(branch)),
    ];
    Words { title: title.join("; "), label: String::new(), notes }
}

/// `12,345`, or `~12,345` if `counts` are estimates.
fn count(number: u64, counts: &BranchCounts) -> String {
    let mark = if counts.is_approximate { "~" } else { "" };
    format!("{mark}{}", shares::grouped(&number.to_string()))
}
