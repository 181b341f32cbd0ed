//! `bpa diff`: prints the branches with different predictions, in descending order of the difference.

use std::collections::HashMap;

use crate::args;
use crate::base::demangle;
use crate::base::error::Result;
use crate::base::output;
use crate::base::shares;
use crate::print::diagnostic::{self, Words};
use crate::program::selection;
use crate::program::{Prediction, Program};
use crate::study::branch::Branch;
use crate::study::merged::{merge_by, SourceBranch};
use crate::study::place;
use crate::study::source::Sources;
use bpa_schema::{DifferingBranch, DifferingSuccessor, Format, WHOLE};

/// The smallest difference of two probabilities that `bpa diff` reports. Percentages are printed with two decimals, so
/// a smaller difference would be invisible.
const LEAST_DIFFERENCE: f64 = 0.00005;

pub fn run(arguments: &args::Diff) -> Result<()> {
    let against = &arguments.against;
    let prediction = Prediction::from_arguments(&arguments.prediction)?;
    let predictor =
        against.against_predictor.as_ref().or(prediction.predictor.as_ref()).filter(|_| !against.measured);
    let other = Prediction::new(against.against.or(prediction.like), predictor.map(String::as_str))?;
    let program = Program::load(&arguments.program)?;
    let host = program.opt.toolchain.version;
    if against.measured {
        let modules = program.analyse(&prediction, true)?;
        program.require_data(&modules)?;
        let branches: Vec<Branch> = modules.iter().flat_map(Branch::all).collect();
        let chosen = selection::of(&branches, &program, &arguments.selection)?;
        let differences = chosen.iter().filter_map(|branch| Difference::from_measured(branch)).collect();
        print(differences, [&prediction.name(host), "measured"], &chosen, &program, arguments)?;
        return program.finish();
    }
    let (modules, other_modules) = program.analyse_both(&prediction, &other, false)?;
    let [branches, others] =
        [&modules, &other_modules].map(|modules| modules.iter().flat_map(Branch::all).collect::<Vec<_>>());
    let chosen = selection::of(&branches, &program, &arguments.selection)?;
    let others: HashMap<_, _> = others.iter().map(|other| (other.key(), other)).collect();
    let differences = chosen.iter().filter_map(|one| Difference::of(one, others.get(&one.key())?)).collect();
    print(differences, [&prediction.name(host), &other.name(host)], &chosen, &program, arguments)?;
    program.finish()
}

/// Maps the key of a branch ([`Branch::key`]) to the difference between the two predictions for this branch.
type Differences<'a> = HashMap<(usize, &'a str, usize), &'a Difference<'a>>;

/// A branch with two different predictions.
struct Difference<'a> {
    branch: &'a Branch<'a>,
    /// Each successor, with its probability in both predictions.
    successors: Vec<(usize, [f64; 2])>,
    /// The product of two numbers: the largest difference between the two probabilities of a successor, and the
    /// executions of the branch.
    weight: f64,
}

impl<'a> Difference<'a> {
    fn of(one: &'a Branch<'a>, other: &Branch) -> Option<Self> {
        let share = |numerator: u32| f64::from(numerator) / f64::from(WHOLE);
        let pairs = one.successors().into_iter().zip(other.successors());
        let successors =
            pairs.map(|(one, other)| (one.to, [share(one.numerator), share(other.numerator)])).collect();
        Difference::new(one, successors, one.runs())
    }

    fn from_measured(branch: &'a Branch<'a>) -> Option<Self> {
        let counts = branch.counts?;
        let pair = |to: usize| counts.shares(to).map(|shares| (to, shares));
        let successors = branch.successors().iter().filter_map(|successor| pair(successor.to)).collect();
        Difference::new(branch, successors, counts.executions() as f64)
    }

    fn new(branch: &'a Branch<'a>, successors: Vec<(usize, [f64; 2])>, runs: f64) -> Option<Self> {
        let apart = successors.iter().map(|(_, [one, other])| (one - other).abs()).fold(0.0, f64::max);
        (apart >= LEAST_DIFFERENCE).then_some(Difference { branch, successors, weight: apart * runs })
    }

    /// Returns a title with the two predicted probabilities of one successor. For this successor, the difference of the
    /// two probabilities is greatest.
    fn title(&self) -> String {
        let apart = |successor: &&(usize, [f64; 2])| (successor.1[0] - successor.1[1]).abs();
        let widest = self.successors.iter().max_by(|one, other| apart(one).total_cmp(&apart(other)));
        let &(to, [one, other]) = widest.expect("a branch has several successors");
        format!("{} or {} to {}", shares::share(one), shares::share(other), place::target(self.branch, to))
    }

    fn row(&self, names: [&str; 2]) -> DifferingBranch {
        let successors = self.successors.iter().map(|&(to, [one, other])| DifferingSuccessor {
            place: place::target(self.branch, to),
            one,
            other,
        });
        DifferingBranch {
            format: Format,
            names: names.map(str::to_string),
            place: self.branch.position().map(|position| position.frame.clone()),
            function: demangle::name_of(self.branch.function),
            weight: self.weight,
            successors: successors.collect(),
        }
    }

    /// Returns a title and notes about the differing predictions of the branch `merged`. `self` contains the
    /// predictions for the first copy of this branch, and `differences` contains the predictions for every copy.
    fn words(
        &self,
        merged: &SourceBranch,
        differences: &Differences,
        names: [&'static str; 2],
        printed: [&str; 2],
    ) -> Words {
        let all = |place: usize| {
            let successors = self.successors.iter().take(6);
            let words = successors.map(|(to, pair)| {
                format!("{} to {}", shares::share(pair[place]), place::target(self.branch, *to))
            });
            format!("{}: {}", printed[place], words.collect::<Vec<_>>().join(", "))
        };
        let mut notes = vec![
            (names[0].into(), all(0)),
            (names[1].into(), all(1)),
            ("note".into(), diagnostic::whereabouts_and_frequency(self.branch)),
        ];
        let probability = |copy: &Branch| Some(differences.get(&copy.key())?.successors.first()?.1[0]);
        notes.extend(diagnostic::neighbours(merged, probability));
        Words { title: self.title(), notes }
    }
}

/// Prints the largest elements of `differences`. `compared` is the list of all compared branches.
fn print(
    differences: Vec<Difference>,
    names: [&str; 2],
    compared: &[&Branch],
    program: &Program,
    arguments: &args::Diff,
) -> Result<()> {
    let differences: Differences = differences.iter().map(|one| (one.branch.key(), one)).collect();
    let difference = |branch: &Branch| differences.get(&branch.key()).copied();
    let sources = Sources::default();
    let weight = |branch: &Branch| difference(branch).map_or(0.0, |one| one.weight);
    let mut merged = merge_by(compared, &sources, weight);
    let of = merged.len();
    merged.iter_mut().for_each(|one| one.copies.retain(|copy| difference(copy).is_some()));
    merged.retain(|one| !one.copies.is_empty());
    let most = match arguments.json {
        true => arguments.selection.limit_or(usize::MAX),
        false => selection::limit(program, &arguments.selection),
    };
    if arguments.json {
        let copies = merged.iter().flat_map(|one| &one.copies);
        let mut rows: Vec<&Difference> = copies.filter_map(|copy| difference(copy)).collect();
        rows.sort_by(|one, other| other.weight.total_cmp(&one.weight));
        return output::print_json_lines(rows.into_iter().take(most).map(|one| one.row(names)));
    }
    for (one, difference) in merged.iter().take(most).filter_map(|one| Some((one, difference(one.first())?)))
    {
        diagnostic::print(
            one.first(),
            difference.words(one, &differences, ["one", "other"], names),
            &sources,
        )?;
    }
    let count = merged.len();
    let [one, other] = names;
    let rest = if count > most { format!("; the {most} largest are shown") } else { String::new() };
    output::print(&format!("{count} of {of} branches differ between {one} and {other}{rest}\n"))
}
