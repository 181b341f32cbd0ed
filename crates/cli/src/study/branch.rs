//! Branches: terminators with several distinct successors.

use crate::base::graph::{loop_contains, successor_places};
use crate::counts::{self, BranchCounts};
use crate::study::module::Module;
use bpa_schema::{Edge, Function, Position, Reason, ScoredBranch, Terminator, WHOLE};

/// A terminator with several distinct successors.
pub struct Branch<'a> {
    pub function: &'a Function<'a>,
    pub block: usize,
    /// The outgoing edges, in the order of the block's successors.
    pub edges: &'a [Edge<'a>],
    /// The number of executions per call of the function.
    pub frequency: f64,
    /// The estimated number of calls of the function in one run of the program.
    pub calls: f64,
    pub scored: Option<&'a ScoredBranch<'a>>,
    /// The profiled counts of the successors. `None` if the branch never ran.
    pub counts: Option<&'a BranchCounts>,
    /// The index of the compilation unit.
    pub unit: usize,
}

/// A successor of a branch. Several edges of the branch can have the same successor.
#[derive(Clone, Debug, PartialEq)]
pub struct Successor<'a> {
    pub to: usize,
    /// The sum of the predicted probabilities of all edges to this successor, as a multiple of 2^-31.
    pub numerator: u32,
    /// The reason for the predicted probability of the first edge to this successor.
    pub why: Option<&'a Reason<'a>>,
}

impl<'a> Branch<'a> {
    /// All branches of `module`.
    pub fn all(module: &'a Module) -> impl Iterator<Item = Branch<'a>> {
        module.functions.iter().flat_map(|function| Branch::of(module, function))
    }

    /// The branches of `function` in `module`.
    pub fn of(module: &'a Module, function: &'a Function<'a>) -> Vec<Branch<'a>> {
        let calls = module.calls.get(&*function.function).map_or(1.0, |estimate| estimate.calls);
        let by_block = function.edges.chunk_by(|one, other| one.from == other.from);
        let branch = |edges: &'a [Edge<'a>]| {
            let block = edges.first()?.from;
            let is_choice = edges.iter().any(|edge| edge.to != edges[0].to);
            let key = || (function.function.to_string(), block);
            let (scored, counts) = match is_choice {
                true => (module.scored.get(&key()), module.counts.get(&key())),
                false => return None,
            };
            let frequency = counts.and_then(|counts| measured_frequency(function, counts));
            let frequency = frequency.unwrap_or_else(|| function.blocks[block].times_per_call());
            Some(Branch { function, unit: module.unit, block, edges, frequency, calls, scored, counts })
        };
        by_block.filter_map(branch).collect()
    }

    /// The number of executions in the profile, or the estimated number in one run of the program if there is no
    /// profile.
    pub fn runs(&self) -> f64 {
        self.executions().unwrap_or(self.calls * self.frequency)
    }

    /// Returns true if the function is local to its module. Another module may have a different function with the same
    /// name.
    pub fn is_local(&self) -> bool {
        self.scored.is_some_and(|scored| scored.place.local)
    }

    /// Returns true if the module is optimised. If there is a profile, the module is analysed before optimisation.
    pub fn is_optimised(&self) -> bool {
        self.scored.is_none()
    }

    /// The profiled number of executions.
    pub fn executions(&self) -> Option<f64> {
        self.scored.map(|_| self.counts.map_or(0.0, |counts| counts.executions() as f64))
    }

    /// Identifies the branch in the program. The key does not depend on the prediction.
    pub fn key(&self) -> (usize, &'a str, usize) {
        (self.unit, &self.function.function, self.block)
    }

    /// Returns true for an `invoke`, and for branches that search the handler of an exception. These branches are not
    /// conditions in the source.
    pub fn is_exceptional(&self) -> bool {
        let block = &self.function.blocks[self.block];
        let is_exceptional = matches!(block.terminator, Some(Terminator::Invoke | Terminator::CatchSwitch));
        is_exceptional || block.searches_handler
    }

    /// The position of the branch in the source.
    pub fn position(&self) -> Option<&'a Position> {
        self.function.blocks[self.block].source.as_ref()
    }

    pub fn successors(&self) -> Vec<Successor<'a>> {
        let mut successors: Vec<Successor> = Vec::new();
        for (edge, place) in self.edges.iter().zip(successor_places(self.edges.iter().map(|edge| edge.to))) {
            match successors.get_mut(place) {
                Some(successor) => {
                    successor.numerator = successor.numerator.saturating_add(edge.numerator).min(WHOLE)
                }
                None => successors.push(Successor {
                    to: edge.to,
                    numerator: edge.numerator,
                    why: edge.why.as_deref(),
                }),
            }
        }
        successors
    }

    /// The successor that is not `to`, if the branch has two successors and `to` is one of them.
    pub fn other_successor(&self, to: usize) -> Option<usize> {
        let mut others = self.edges.iter().map(|edge| edge.to).filter(|&other| other != to);
        let other = others.next()?;
        let has_two = others.all(|next| next == other) && self.edges.iter().any(|edge| edge.to == to);
        has_two.then_some(other)
    }

    /// The probability of the first successor.
    pub fn first_probability(&self) -> Option<f64> {
        self.successors().first().map(|first| f64::from(first.numerator) / f64::from(WHOLE))
    }

    /// The reason for the static prediction of the edge to block `to`. The reason is the same with and without a
    /// profile.
    pub fn predicted_reason(&self, to: usize) -> Option<&'a Reason<'a>> {
        let scored = self.scored.and_then(|scored| scored.edges.iter().find(|edge| edge.to == to));
        let own = || self.edges.iter().find(|edge| edge.to == to)?.why.as_deref();
        scored.and_then(|edge| edge.why.as_deref()).or_else(own)
    }

    /// Whether the edge to `to` starts the next iteration of the innermost loop around the branch, or leaves this loop.
    /// The result is `None` if the edge stays inside an iteration, or if no loop contains the branch.
    pub fn loop_effect(&self, to: usize) -> Option<LoopEffect> {
        let innermost = self.function.blocks[self.block].innermost?;
        if self.function.loops[innermost].headers.contains(&to) {
            return Some(LoopEffect::NextIteration);
        }
        (!loop_contains(self.function, innermost, to)).then_some(LoopEffect::Exit)
    }
}

/// The profiled number of executions of a branch per call of `function`. Returns `None` if `counts` are exact, or if
/// the profile has no entry count of `function`. Counts of a sample profile are approximate. For such counts, LLVM's
/// block frequency is far too high or too low if no sample hit the exit of a loop.
fn measured_frequency(function: &Function, counts: &BranchCounts) -> Option<f64> {
    let entries = counts::entries(function)?;
    (counts.is_approximate && entries > 0).then(|| counts.executions() as f64 / entries as f64)
}

/// The effect of an edge on the loop around a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopEffect {
    NextIteration,
    Exit,
}
