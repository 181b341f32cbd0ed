//! Formats two parts of the output of `score`: the description of the profile, and the totals of all branches.

use super::Scored;
use crate::base::shares;
use crate::counts::{self, Kind, ProfileTotals};
use crate::program::functions::OwnFunctions;
use crate::program::Program;
use crate::study::branch::Branch;
use crate::study::module::Module;

/// Sums over branches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    pub branches: usize,
    pub executions: u128,
    pub hits: f64,
    /// The hits of the best possible static prediction.
    pub most_hits: u128,
    pub is_approximate: bool,
}

impl Sums {
    pub fn add(&mut self, counts: &counts::BranchCounts) {
        self.branches += 1;
        self.executions += u128::from(counts.executions());
        self.hits += counts.hits();
        self.most_hits += u128::from(counts.most_hits());
        self.is_approximate |= counts.is_approximate;
    }

    pub fn of(scored: &[Scored]) -> Self {
        let mut sums = Sums::default();
        scored.iter().for_each(|one| sums.add(one.counts));
        sums
    }

    /// Returns two numbers: the fraction of executions that are hits, and the same fraction for the best possible
    /// static prediction.
    pub fn shares(&self) -> [f64; 2] {
        [self.hits, self.most_hits as f64].map(|hits| hits / self.executions as f64)
    }

    /// The number of executions as text: `12,345`, or `~12,345` if the number is approximate.
    pub fn executions_in_words(&self) -> String {
        shares::count(self.executions, self.is_approximate)
    }
}

/// A line with the number of branches, the number of executions, and the fraction of executions that the predictor
/// `name` predicts correctly.
pub fn total(scored: &[Scored], name: &str) -> String {
    let sums = Sums::of(scored);
    let [hits, most] = sums.shares().map(shares::share);
    format!(
        "{} ran {}{}; without hints in the source, {name} predicts {hits} of the executions correctly, and the \
         best static prediction {most}",
        shares::plural(sums.branches, "branch"),
        if sums.is_approximate { "~" } else { "" },
        shares::plural(sums.executions, "time")
    )
}

/// The lines about the profile: its name and size, and how many functions and branches have counts. Functions in system
/// headers are not counted. Branches in system headers and calls that may throw are counted only if the user selects
/// them.
pub fn of_profile(program: &Program, modules: &[Module], branches: &[Branch]) -> String {
    let Some(profile) = &program.profile else { return String::new() };
    let functions = || modules.iter().flat_map(|module| &module.functions);
    let own = OwnFunctions::of(program, functions()).counts();
    let measured = functions().filter(|function| counts::is_measured(function));
    let entries = measured.filter_map(|function| Some(function.entry_count.as_ref()?.count.0));
    let largest_entry: u64 = entries.max().unwrap_or(0);
    let is_selected = |branch: &&Branch| {
        (program.show_system || !program.is_in_system(branch)) && !program.is_hidden_exception(branch)
    };
    let selected = || branches.iter().filter(is_selected);
    let counted = || selected().filter_map(|branch| branch.counts);
    let edges = counted().flat_map(|counts| counts.successors()).map(|one| one.count);
    let largest_edge = edges.max().unwrap_or(0);
    let mut text = format!("profile: {}, {}", profile.name, profile.kind.name());
    if let Some(totals) = &profile.totals {
        let largest = shares::grouped(totals.largest_count());
        text += &format!(", {}, largest counter {largest}", shares::plural(totals.functions, "function"));
    }
    let with_counts = counted().count();
    // A front-end profile has no counters for exceptions, so calls that may throw are not counted as branches.
    let has_counter = |branch: &&Branch| {
        branch.counts.is_some() || profile.kind != Kind::Source || !branch.is_exceptional()
    };
    let all_branches = selected().filter(has_counter).count();
    let (with_data, functions) = (shares::grouped(own.profiled), shares::plural(own.all, "own function"));
    let with_counts = shares::grouped(with_counts);
    let largest_counter = profile.totals.as_ref().map_or(u64::MAX, ProfileTotals::largest_count);
    let sum = if largest_edge > largest_counter { " (a sum of counters)" } else { "" };
    let (largest_entry, largest_edge) =
        (shares::plural(largest_entry, "call"), shares::grouped(largest_edge));
    text += &match profile.kind {
        Kind::Source | Kind::Ir => format!(
            "\nfound: {with_data} of {functions} have counts (at most {largest_entry} of a function); \
             {with_counts} of {} have counts above 0, at most {largest_edge} for a successor{sum}\n",
            shares::plural(all_branches, "branch"),
        ),
        Kind::Samples => format!(
            "\nfound: {with_data} of {functions} and {with_counts} of {} have samples; the others are unknown\n",
            shares::plural(all_branches, "branch"),
        ),
    };
    text
}
