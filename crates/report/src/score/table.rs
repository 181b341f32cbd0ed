//! Writes the table of option `score`.

use std::collections::BTreeMap;

use super::measure::{Measure, Tally};
use crate::compared::{Branch, BranchKind};
use crate::WriteText;
use bpa_profile::bpi::Rule;

/// The maximum number of branches in the list of branches with the most avoidable mispredictions.
const COSTLIEST: usize = 20;

/// The sections of the table, with their headings.
const SECTIONS: [(BranchKind, &str); 3] = [
    (BranchKind::TwoWay, "two-way branches"),
    (BranchKind::Switch, "switches"),
    (BranchKind::Other, "other branches"),
];

/// Compares static predictions with a profile. The table contains sums over the branches of each kind and over the
/// branches that each rule predicts.
#[derive(Default)]
pub struct ScoreTable {
    rows: BTreeMap<(BranchKind, Rule), Tally>,
    costly: Vec<Costly>,
    never_ran: u64,
    unmeasured: u64,
}

/// A branch with avoidable mispredictions.
struct Costly {
    /// The number of mispredictions that the best fixed prediction would avoid.
    avoidable: f64,
    executions: u64,
    rule: Rule,
    measure: Measure,
    /// The position of the branch, as text.
    site: String,
}

impl ScoreTable {
    /// Adds a branch. `site` returns the position of the branch as text, and is called only if the list can contain the
    /// branch.
    pub fn add(&mut self, branch: &Branch, site: impl FnOnce() -> String) {
        if branch.executions == 0 {
            self.never_ran += 1;
            return;
        }
        let (executions, rule, measure) = (branch.executions, branch.rule, Measure::of(branch));
        self.rows.entry((branch.kind, rule)).or_default().add(executions, &measure);
        let avoidable = executions as f64 * (measure.perfect - measure.hits);
        if avoidable > 0.0 && avoidable > self.least_cost() {
            self.costly.push(Costly { avoidable, executions, rule, measure, site: site() });
            self.costly.sort_by(|one, other| other.avoidable.total_cmp(&one.avoidable));
            self.costly.truncate(COSTLIEST);
        }
    }

    /// Adds 1 to the number of functions without a profile.
    pub fn add_unmeasured(&mut self) {
        self.unmeasured += 1;
    }

    /// A branch is listed only if it has more avoidable mispredictions than this number.
    fn least_cost(&self) -> f64 {
        self.costly.get(COSTLIEST - 1).map_or(0.0, |costly| costly.avoidable)
    }

    /// Appends the table to `out`, below a heading with `title`.
    pub fn write(&self, title: &str, out: &mut Vec<u8>) {
        writeln!(out, "---- Score of {title} ----");
        for (kind, heading) in SECTIONS {
            self.write_section(kind, heading, out);
        }
        let (never_ran, unmeasured) = (self.never_ran, self.unmeasured);
        writeln!(out, "never ran: {never_ran} branches; no profile: {unmeasured} functions");
        self.write_costliest(out);
        out.push(b'\n');
    }

    fn write_section(&self, kind: BranchKind, heading: &str, out: &mut Vec<u8>) {
        let rows: Vec<_> = self.rows.iter().filter(|((of, _), _)| *of == kind).collect();
        if rows.is_empty() {
            return;
        }
        let all = rows.iter().map(|(_, tally)| **tally).fold(Tally::default(), Tally::and);
        writeln!(
            out,
            "{heading:<18} {:>8} {:>15} {:>7} {:>7} {:>7} {:>9} {:>7} {:>7} {:>9}",
            "branches", "executions", "share", "hits", "perfect", "predicted", "true", "KL bits", "avoidable"
        );
        for ((_, rule), tally) in &rows {
            write_row(&rule.to_string(), tally, &all, out);
        }
        write_row("all", &all, &all, out);
    }

    fn write_costliest(&self, out: &mut Vec<u8>) {
        if self.costly.is_empty() {
            return;
        }
        writeln!(
            out,
            "{:>15} {:>15} {:>9} {:>7}  {:<18} where",
            "costliest", "executions", "predicted", "true", "rule"
        );
        for Costly { avoidable, executions, rule, measure, site } in &self.costly {
            let [predicted, truth] = [measure.predicted, measure.truth].map(percent);
            writeln!(out, "{avoidable:>15.0} {executions:>15} {predicted:>9} {truth:>7}  {rule:<18} {site}");
        }
    }
}

fn write_row(name: &str, tally: &Tally, all: &Tally, out: &mut Vec<u8>) {
    let mean = tally.mean();
    let share = |part: f64, whole: f64| percent(if whole > 0.0 { part / whole } else { 0.0 });
    writeln!(
        out,
        "{name:<18} {:>8} {:>15.0} {:>7} {:>7} {:>7} {:>9} {:>7} {:>7.4} {:>9}",
        tally.branches,
        tally.executions,
        share(tally.executions, all.executions),
        percent(mean.hits),
        percent(mean.perfect),
        percent(mean.predicted),
        percent(mean.truth),
        mean.divergence,
        share(tally.avoidable(), all.avoidable()),
    );
}

fn percent(share: f64) -> String {
    format!("{:.2}%", share * 100.0)
}
