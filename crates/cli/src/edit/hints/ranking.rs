//! Ranks the source positions at which a hint would help, and sums the counts of all source positions.

use super::branches::MeasuredBranch;
use super::dialect::{self, Dialect};
use super::places::{places, Place, Sums};
use crate::program::focus::{Nearness, Spot};
use crate::program::functions::FunctionCounts;
use crate::program::Program;
use crate::study::source::Sources;
use bpa_schema::least_sure_share;

/// The source positions at which a hint improves the predictions for a program.
pub struct Ranking {
    /// The hints in descending order of avoided misses.
    pub hints: Vec<Hint>,
    /// The sums of executions and misses over all executed branches. Branches in system headers are included only if
    /// the user selects them.
    pub measured: Sums,
    /// The sums of executions and misses over the source positions in `hints`.
    pub wanted: Sums,
    /// The sums of counts over the source positions where a hint would help, but the language has no syntax for hints.
    pub inexpressible: Sums,
    /// The sums over hints that would be in system headers. The list `hints` omits these hints.
    pub system: Sums,
}

/// The numbers of unexecuted branches, functions, and profiled functions.
#[derive(Clone, Copy)]
pub struct Counts {
    pub never_ran_branches: usize,
    pub functions: FunctionCounts,
}

impl Ranking {
    pub fn new(branches: &[MeasuredBranch], program: &Program, flags: &[String]) -> Self {
        let sources = Sources::default();
        // If the user selects files or lines, the ranking includes branches in system headers.
        let is_named = program.selects_system();
        let is_own = |place: &Place| is_named || !branches[place.branches[0]].is_in_system;
        let nearness = |place: &Place, spot: &Spot| {
            let frame = branches[place.branches[0]].frame();
            frame.map_or(Nearness::Elsewhere, |frame| program.nearness(frame, false, spot, &sources))
        };
        let all = places(branches, &sources);
        let selected = program.focus.select(all, "executed branch", &program.paths, nearness);
        let (own, system): (Vec<Place>, Vec<Place>) = selected.into_iter().partition(is_own);
        let measured = Sums::of(own.iter());
        let hint = |place: Place| {
            let dialect = dialect::of(&place, branches, program, flags);
            Hint { place, dialect }
        };
        let all = own.into_iter().filter(Place::wants_hint).map(hint);
        let (hints, others): (Vec<Hint>, Vec<Hint>) =
            all.partition(|hint| hint.is_expressible(&branches[hint.place.branches[0]]));
        let sum = |hints: &[Hint]| Sums::of(hints.iter().map(|hint| &hint.place));
        Ranking {
            measured,
            wanted: sum(&hints),
            inexpressible: sum(&others),
            system: Sums::of(system.iter().filter(|place| place.wants_hint())),
            hints,
        }
    }
}

/// A source position at which a hint improves the predictions.
#[derive(Clone, Debug)]
pub struct Hint {
    pub place: Place,
    pub dialect: Dialect,
}

impl Hint {
    /// Returns true if the language has syntax for the hint. `branch` is the most executed branch at the source
    /// position of the hint.
    pub fn is_expressible(&self, branch: &MeasuredBranch) -> bool {
        match self.dialect {
            // The likely successor is not `default`: the hint needs the constant of a case.
            Dialect::BuiltinExpect if branch.is_switch => self.place.likely > 0,
            // Attributes and `cold_path` have no argument for the probability.
            Dialect::Attributes if branch.is_switch => self.place.share >= least_sure_share(),
            Dialect::Rust => self.place.share >= least_sure_share(),
            _ => true,
        }
    }
}
