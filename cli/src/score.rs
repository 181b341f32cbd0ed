//! `bpa score`: how well the static answers foretell a measured profile, and where they are wrong.

use std::io::Write;

use crate::args;
use crate::branch::Branch;
use crate::diagnostic::{self, Words};
use crate::error::{Error, Result};
use crate::place;
use crate::program::{Program, Whose};
use crate::selection;
use crate::shares;
use crate::source::Sources;
use crate::truth::Truth;

pub fn run(arguments: &args::Score) -> Result<()> {
    let whose = Whose::asked_for(&arguments.answer)?;
    let program = Program::load(&arguments.program)?;
    let modules = program.analyse(&whose, true)?;
    let branches: Vec<Branch> = modules.iter().flat_map(Branch::all).collect();
    let chosen = selection::of(&branches, &program, &arguments.selection)?;
    let mut judged: Vec<(&Branch, Truth)> =
        chosen.iter().filter_map(|&branch| Some((branch, Truth::of(branch.scored?)?))).collect();
    if judged.is_empty() {
        return Err(Error::advice("no branch has a measured profile", HOW_TO_MEASURE));
    }
    judged.sort_by(|one, other| other.1.avoidable().total_cmp(&one.1.avoidable()));
    let sources = Sources::default();
    let wrong = judged.iter().filter(|(_, truth)| truth.avoidable() > 0.0);
    for (branch, truth) in wrong.take(arguments.selection.most_or(50)) {
        diagnostic::print(branch, words(branch, truth), &sources)?;
    }
    let name = whose.name(program.opt.toolchain.version);
    writeln!(anstream::stdout().lock(), "{}", total(&judged, &name)).map_err(Error::Output)?;
    program.finish()
}

const HOW_TO_MEASURE: &str = "clang -O2 -fprofile-instr-generate my.c -o my && ./my && llvm-profdata merge \
                              default.profraw -o my.profdata, then: bpa score --profile my.profdata my.c";

fn words(branch: &Branch, truth: &Truth) -> Words {
    let told = |to: usize, (predicted, measured): (f64, f64)| {
        let [predicted, measured] = [predicted, measured].map(shares::share);
        format!("{predicted} predicted, {measured} measured to {}", place::target(branch, to))
    };
    let sides = branch.sides();
    let ways = sides.iter().filter_map(|side| Some(told(side.to, truth.side(side.to)?)));
    let [executions, wrong] = [truth.executions, truth.avoidable()].map(shares::times);
    let rule = branch.scored.map_or("", |scored| scored.rule.name());
    let notes = vec![
        (
            "cost",
            format!("{wrong} of {executions} executions were predicted wrongly, and need not have been"),
        ),
        ("rule", rule.to_string()),
        ("note", diagnostic::whereabouts(branch)),
    ];
    Words { title: ways.take(4).collect::<Vec<_>>().join("; "), label: String::new(), notes }
}

/// How many branches ran, and what part of their executions went as was said.
fn total(judged: &[(&Branch, Truth)], name: &str) -> String {
    let sum = |of: fn(&Truth) -> f64| judged.iter().map(|(_, truth)| of(truth)).sum::<f64>();
    let (executions, hits, perfect) = (sum(|truth| truth.executions), sum(Truth::hits), sum(Truth::perfect));
    let [hits, perfect] = [hits / executions, perfect / executions].map(shares::share);
    format!(
        "{} branches ran {} times; {name} foretells {hits} of that, no static answer more than {perfect}",
        judged.len(),
        shares::times(executions)
    )
}
