//! `bpa explain`: prints each branch with its source line and the prediction.

mod data;
mod ir;
mod summary;

use crate::args;
use crate::base::error::Result;
use crate::base::messages;
use crate::base::output;
use crate::base::shares;
use crate::print::diagnostic::{self, Words};
use crate::print::sarif;
use crate::print::words::{self, SourceWords};
use crate::program::executables;
use crate::program::selection;
use crate::program::{Prediction, Program};
use crate::study::branch::Branch;
use crate::study::merged::{merge, Order, SourceBranch};
use crate::study::source::Sources;

pub fn run(arguments: &args::Explain) -> Result<()> {
    let prediction = Prediction::from_arguments(&arguments.prediction)?;
    if arguments.ir {
        ir::require_no_selection(&arguments.program)?;
    }
    let program = Program::load(&arguments.program)?;
    if arguments.ir {
        return ir::print(&program, &prediction, arguments);
    }
    let mut modules = program.analyse(&prediction, program.profile.is_some())?;
    if program.profile.is_none() {
        executables::estimate_whole(&program, &prediction, &mut modules)?;
    }
    let all: Vec<Branch> = modules.iter().flat_map(Branch::all).collect();
    let asked = selection::of(&all, &program, &arguments.selection)?;
    let is_measured = asked.iter().any(|branch| branch.executions().is_some());
    let order = if is_measured { Order::Measured } else { Order::Estimated };
    let sources = Sources::default();
    let mut branches = merge(&asked, order, &sources);
    if arguments.form.json {
        branches.truncate(arguments.selection.limit_or(usize::MAX));
        data::print_json(&branches, &sources)?;
        return program.finish();
    }
    if arguments.form.sarif {
        sarif::limit(&mut branches, arguments.selection.limit);
        data::print_sarif(&branches, &sources)?;
        return program.finish();
    }
    let has_packages = arguments.program.cargo.as_ref().is_some_and(|cargo| !cargo.packages.is_empty());
    if branches.is_empty() && has_packages {
        messages::note(
            "generic and inline functions of a library are compiled with the crates that call these functions: \
             omit -p, and give the source files of the library instead",
        );
    } else if branches.is_empty() && all.is_empty() {
        messages::note(&format!(
            "the code has no condition, or the optimiser has removed its conditions or turned them into selects; \
             `-- {}` shows the branches of the source",
            program.no_inlining()
        ));
    }
    let limit = selection::limit(&program, &arguments.selection);
    match selection::is_overview(&program, &arguments.selection) {
        true => print_overview(&branches, modules.len(), order, limit, &sources)?,
        false => print_all(branches, limit, &sources)?,
    }
    program.finish()
}

/// Prints the summary of a program, and its most executed branches.
fn print_overview(
    branches: &[SourceBranch],
    files: usize,
    order: Order,
    limit: usize,
    sources: &Sources,
) -> Result<()> {
    if branches.is_empty() {
        return output::print("no branch\n");
    }
    let most = limit.min(branches.len());
    let mut text = summary::tables(branches, files);
    text += &format!(
        "\nThe {} with the most executions, by {}:\n\n",
        shares::plural(most, "branch"),
        order.in_words()
    );
    output::print(&text)?;
    for branch in &branches[..most] {
        print(branch, sources)?;
    }
    output::print(
        "--limit prints more; FILE, FILE:LINE or --function selects branches; `bpa report` shows all\n",
    )
}

/// Prints the most executed branches, sorted by source position.
fn print_all(mut branches: Vec<SourceBranch>, limit: usize, sources: &Sources) -> Result<()> {
    let all = branches.len();
    branches.truncate(limit);
    branches.sort_by_key(|branch| {
        branch.first().position().map(|position| {
            let (frame, outermost) = (&position.frame, position.outermost());
            (outermost.file.clone(), outermost.line, outermost.column, frame.line, frame.column)
        })
    });
    for branch in &branches {
        print(branch, sources)?;
    }
    let shown = branches.len();
    let mut text = match shown {
        0 => "no branch\n".to_string(),
        _ if shown < all => {
            let all = shares::plural(all, "branch");
            format!(
                "{shown} of {all}, the most executed; --limit prints more, --function selects a function\n"
            )
        }
        _ => shares::plural(shown, "branch") + "\n",
    };
    if shown > 0 && branches.iter().all(|branch| branch.first().position().is_none()) {
        text += "lines are unknown because there is no debug information: compile with -gline-tables-only\n";
    }
    output::print(&text)
}

fn print(branch: &SourceBranch, sources: &Sources) -> Result<()> {
    diagnostic::print(branch.first(), words(branch, messages::is_verbose(), sources), sources)
}

fn words(merged: &SourceBranch, is_verbose: bool, sources: &Sources) -> Words {
    let branch = merged.first();
    let (title, mut notes) = diagnostic::shares_in_words(branch);
    notes.extend(SourceWords::new(branch, sources).reason().map(|reason| ("why".into(), reason)));
    if is_verbose {
        let successors = diagnostic::likeliest_successors(branch);
        notes.extend(successors.into_iter().filter_map(|successor| {
            let name = branch.function.blocks[successor.to].name.to_string();
            Some((name.into(), words::in_ir(branch, successor.why?, successor.to).join(" ")))
        }));
    }
    notes.push(("note".into(), diagnostic::whereabouts_and_frequency(branch)));
    notes.extend(diagnostic::neighbours(merged, |copy| copy.first_probability()));
    Words { title, notes }
}
