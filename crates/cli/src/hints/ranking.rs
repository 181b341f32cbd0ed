//! Which places of a program want a hint, in which order, and what that is of all.

use super::branches::MeasuredBranch;
use super::dialect::{self, Dialect};
use super::places::{places, Place, Sums};
use super::wording;
use crate::functions::FunctionCounts;
use crate::program::Program;

/// A place that wants a hint.
#[derive(Clone, Debug)]
pub struct Hint {
    pub place: Place,
    pub dialect: Dialect,
}

/// The places of a program that want a hint.
pub struct Ranking {
    /// The one that avoids most misses first.
    pub hints: Vec<Hint>,
    /// All branches that ran: without those of system headers, unless they are wanted.
    pub measured: Sums,
    /// What `hints` come to.
    pub wanted: Sums,
    /// Places that would want a hint, but the language has none for them.
    pub inexpressible: Sums,
    /// Places in system headers that want a hint; none if they are among `hints`.
    pub system: Sums,
}

/// What else is known of a profile.
#[derive(Clone, Copy)]
pub struct Counts {
    pub never_ran_branches: usize,
    pub functions: FunctionCounts,
}

impl Ranking {
    pub fn new(branches: &[MeasuredBranch], program: &Program, flags: &[String]) -> Self {
        // Who names a place means it, wherever that is.
        let is_named = program.show_system || !program.focus.is_everything();
        let file = |place: &Place| {
            let frame = branches[place.branches[0]].frame()?;
            Some((program.paths.absolute(&frame.file), frame.line))
        };
        let is_own =
            |place: &Place| is_named || !file(place).is_some_and(|(file, _)| program.system.has(&file));
        let is_asked_for = |place: &Place| {
            program.focus.is_everything()
                || file(place).is_some_and(|(file, line)| program.focus.has(&file, line))
        };
        let (own, system): (Vec<Place>, Vec<Place>) =
            places(branches).into_iter().filter(is_asked_for).partition(is_own);
        let measured = Sums::of(own.iter());
        let hint = |place: Place| {
            let dialect = dialect::of(&place, branches, program, flags);
            Hint { place, dialect }
        };
        let all = own.into_iter().filter(Place::wants_hint).map(hint);
        let (hints, others): (Vec<Hint>, Vec<Hint>) =
            all.partition(|hint| wording::is_expressible(hint, &branches[hint.place.branches[0]]));
        let sum = |hints: &[Hint]| Sums::of(hints.iter().map(|hint| &hint.place));
        Ranking {
            measured,
            wanted: sum(&hints),
            inexpressible: sum(&others),
            system: Sums::of(system.iter().filter(|place| place.wants_hint())),
            hints,
        }
    }

    /// What the first `count` hints come to.
    pub fn shown(&self, count: usize) -> Sums {
        Sums::of(self.hints[..count].iter().map(|hint| &hint.place))
    }
}
