//! Branches: terminators with several successors.

use crate::profile::BranchCounts;
use crate::program::Module;
use bpa_schema::{Edge, Function, Position, Reason, ScoredBranch, Terminator, WHOLE};

/// The terminator of a block with several successors.
pub struct Branch<'a> {
    pub function: &'a Function<'a>,
    pub block: usize,
    /// From the block, in the order of its successors.
    pub edges: &'a [Edge<'a>],
    /// How often it runs for each time its function is called.
    pub frequency: f64,
    /// Estimated calls of its function in one run of the program.
    pub calls: f64,
    pub scored: Option<&'a ScoredBranch<'a>>,
    /// How often each successor was taken, by a profile; none if the branch never ran.
    pub counts: Option<&'a BranchCounts>,
    /// The index of its unit.
    pub unit: usize,
}

/// A successor of a branch, reached by one edge or several.
#[derive(Clone, Debug, PartialEq)]
pub struct Successor<'a> {
    pub to: usize,
    /// Over 2^31.
    pub numerator: u32,
    /// Why it is as likely as that: of several edges, the first one.
    pub why: Option<&'a Reason<'a>>,
}

impl<'a> Branch<'a> {
    /// All branches of `module`.
    pub fn all(module: &'a Module) -> impl Iterator<Item = Branch<'a>> {
        module.functions.iter().flat_map(|function| Branch::of(module, function))
    }

    /// Those of `function`, a function of `module`.
    pub fn of(module: &'a Module, function: &'a Function<'a>) -> Vec<Branch<'a>> {
        let calls = module.calls.get(&*function.function).map_or(1.0, |calls| calls.calls.value);
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

    /// How often it ran, by a measured profile, or runs where the program is run once, as is estimated.
    pub fn runs(&self) -> f64 {
        self.executions().unwrap_or(self.calls * self.frequency)
    }

    /// Whether another module may have another function of the same name.
    pub fn is_local(&self) -> bool {
        self.scored.is_some_and(|scored| scored.place.local)
    }

    /// How often it ran, by a measured profile.
    pub fn executions(&self) -> Option<f64> {
        self.scored.map(|_| self.counts.map_or(0.0, |counts| counts.executions() as f64))
    }

    /// Identifies the branch in the program, in other predictions as well.
    pub fn key(&self) -> (usize, &'a str, usize) {
        (self.unit, &self.function.function, self.block)
    }

    /// Whether it is a call that returns or throws, rather than a condition.
    pub fn is_exceptional(&self) -> bool {
        let terminator = self.function.blocks[self.block].terminator;
        matches!(terminator, Some(Terminator::Invoke | Terminator::CatchSwitch))
    }

    /// Its place in the source.
    pub fn position(&self) -> Option<&'a Position<'a>> {
        self.function.blocks[self.block].source.as_ref()
    }

    pub fn successors(&self) -> Vec<Successor<'a>> {
        let mut successors: Vec<Successor> = Vec::new();
        for edge in self.edges {
            match successors.iter_mut().find(|successor| successor.to == edge.to) {
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

    /// Why the static prediction of going to block `to` is what it is, also where there is a measured profile.
    pub fn predicted_reason(&self, to: usize) -> Option<&'a Reason<'a>> {
        let scored = self.scored.and_then(|scored| scored.edges.iter().find(|edge| edge.to == to));
        let own = || self.edges.iter().find(|edge| edge.to == to)?.why.as_deref();
        scored.and_then(|edge| edge.why.as_deref()).or_else(own)
    }

    /// Whether going to `to` starts the next iteration of the innermost loop around the branch, or leaves that loop.
    pub fn loop_effect(&self, to: usize) -> Option<LoopEffect> {
        let loops = &self.function.loops;
        let around = |block: usize| {
            std::iter::successors(self.function.blocks[block].innermost, |&place| loops[place].parent)
        };
        let mut of_target = around(to);
        let innermost = around(self.block).next()?;
        if loops[innermost].headers.contains(&to) {
            return Some(LoopEffect::NextIteration);
        }
        (!of_target.any(|place| place == innermost)).then_some(LoopEffect::Exit)
    }
}

/// How often a branch with these counts ran for each call of `function`. Frequencies that LLVM derives from samples are far
/// off where no sample hit the exit of a loop.
fn measured_frequency(function: &Function, counts: &BranchCounts) -> Option<f64> {
    let entries = function.entry_count.as_ref().filter(|entries| !entries.synthetic)?.count.0;
    (counts.is_approximate && entries > 0).then(|| counts.executions() as f64 / entries as f64)
}

/// What taking a successor means for the loop around a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopEffect {
    NextIteration,
    Exit,
}
