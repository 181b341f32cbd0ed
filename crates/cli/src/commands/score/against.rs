//! Compares two predictors with a profile: in total, by file, and by branch.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;

use super::summary::Sums;
use crate::base::error::{Error, Result};
use crate::base::shares;
use crate::counts::BranchCounts;
use crate::print::diagnostic::{self, Words};
use crate::study::branch::Branch;
use crate::study::place;
use crate::study::source::Sources;

/// An executed branch. Each element of `counts` contains the profiled counts and the prediction of one of the two
/// predictors.
struct Pair<'a> {
    branch: &'a Branch<'a>,
    counts: [&'a BranchCounts; 2],
}

impl Pair<'_> {
    /// The number of correct predictions of the second predictor, minus the number of correct predictions of the first
    /// predictor.
    fn gain(&self) -> f64 {
        self.counts[1].hits() - self.counts[0].hits()
    }
}

/// Prints the branches with the largest differences between the predictors, a table of files, and the total. `branches`
/// contain the predictions of the first predictor. `others` are the same branches with the predictions of the second
/// predictor.
pub fn print(branches: &[&Branch], others: &[Branch], names: &[String; 2], most: usize) -> Result<()> {
    let others: HashMap<_, _> = others.iter().map(|other| (other.key(), other)).collect();
    let pairs = branches.iter().filter_map(|branch| {
        Some(Pair { branch, counts: [branch.counts?, others.get(&branch.key())?.counts?] })
    });
    let mut pairs: Vec<Pair> = pairs.collect();
    pairs.sort_by(|one, other| other.gain().abs().total_cmp(&one.gain().abs()));
    let sources = Sources::default();
    for pair in pairs.iter().filter(|pair| pair.gain() != 0.0).take(most) {
        diagnostic::print(pair.branch, words(pair, names), &sources)?;
    }
    let text = format!("{}\n{}", table(&pairs, names), verdict(&pairs, names));
    write!(anstream::stdout().lock(), "{text}").map_err(Error::Output)
}

fn words(pair: &Pair, names: &[String; 2]) -> Words {
    let [first, second] = pair.counts;
    let better = &names[usize::from(pair.gain() > 0.0)];
    let shares_of = |counts: &BranchCounts, measured: usize| {
        let share = |one: &crate::counts::SuccessorCount| {
            let percent = shares::share(counts.shares(one.to).unwrap_or_default()[measured]);
            format!("{percent} to {}", place::target(pair.branch, one.to))
        };
        let mut successors: Vec<_> = counts.successors().iter().collect();
        if successors.len() > 2 {
            successors.sort_by_key(|one| std::cmp::Reverse(one.count));
        }
        let shown = successors.into_iter().take(super::MOST_DESTINATIONS);
        shown.map(share).collect::<Vec<_>>().join(", ")
    };
    let saved = shares::count(pair.gain().abs().round() as u64, first.is_approximate);
    let notes = vec![
        ("first".into(), format!("{}: {}", names[0], shares_of(first, 0))),
        ("second".into(), format!("{}: {}", names[1], shares_of(second, 0))),
        ("measured".into(), shares_of(first, 1)),
        ("note".into(), diagnostic::whereabouts(pair.branch)),
    ];
    Words { title: format!("{better} correctly predicts {saved} more executions"), notes }
}

/// A table with a line for each file and a line for all files.
fn table(pairs: &[Pair], names: &[String; 2]) -> String {
    let mut files: BTreeMap<String, [Sums; 2]> = BTreeMap::new();
    let mut all = [Sums::default(); 2];
    for pair in pairs {
        let file = pair
            .branch
            .position()
            .map_or("(no line)".to_string(), |position| position.frame.file.to_string());
        let sums = files.entry(file).or_default();
        for (place, counts) in pair.counts.into_iter().enumerate() {
            sums[place].add(counts);
            all[place].add(counts);
        }
    }
    let mut rows: Vec<(String, [Sums; 2])> = files.into_iter().collect();
    rows.sort_by_key(|(_, sums)| std::cmp::Reverse(sums[0].executions));
    rows.push(("all".into(), all));
    let mut lines = vec![[
        "file".to_string(),
        "branches".into(),
        "executions".into(),
        names[0].clone(),
        names[1].clone(),
        "best possible".into(),
    ]];
    lines.extend(rows.into_iter().map(|(file, [one, other])| {
        let [hits, most] = one.shares().map(shares::share);
        let [other_hits, _] = other.shares().map(shares::share);
        [file, shares::grouped(one.branches), one.executions_in_words(), hits, other_hits, most]
    }));
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 6] = std::array::from_fn(width);
    let mut text = String::new();
    for line in &lines {
        text += &format!("{:<1$}", line[0], widths[0]);
        for (cell, width) in line.iter().zip(widths).skip(1) {
            text += &format!("  {cell:>width$}");
        }
        text.push('\n');
    }
    text
}

/// Formats a line with the difference between the predictors' total hits. For each of the two predictors, the line
/// also contains the number of branches that this predictor predicts better than the other predictor.
fn verdict(pairs: &[Pair], names: &[String; 2]) -> String {
    let gain: f64 = pairs.iter().map(Pair::gain).sum();
    let better = |sign: f64| pairs.iter().filter(|pair| pair.gain() * sign > 0.0).count();
    let [first, second] = [better(-1.0), better(1.0)].map(|count| shares::plural(count, "branch"));
    let executions = shares::grouped(gain.abs().round());
    let total = match gain {
        _ if gain > 0.0 => {
            format!("{} predicts {executions} more executions correctly than {}", names[1], names[0])
        }
        _ if gain < 0.0 => {
            format!("{} predicts {executions} more executions correctly than {}", names[0], names[1])
        }
        _ => format!("{} and {} predict equally many executions correctly", names[0], names[1]),
    };
    format!(
        "without hints in the source, {total}: {} is better for {first}, {} for {second}\n",
        names[0], names[1]
    )
}
