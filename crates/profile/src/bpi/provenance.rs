//! Where estimated weights come from.
//!
//! Weights are estimated in one go and tell nothing of their past. Whoever wants to know it has an observer told of
//! each when it is given, while the weights are estimated once more; all else follows from the weights themselves,
//! which do not change once they are known.

use cranelift_entity::PrimaryMap;

use super::cold_reason::ColdReason;
use super::cycles::{Cycle, Cycles};
use super::estimated_weights::{weight, EstimatedWeights, PerWeighed, Weighed};
use super::exits::LoopExits;
use super::observer::Observer;
use crate::cfg::Block;
use crate::facts::BlockFacts;

/// What an observer was told, in order.
#[derive(Default)]
pub(super) struct Record(Vec<Given>);

/// A weight that was given to something; to a block, on behalf of another one or itself.
#[derive(Clone, Copy)]
enum Given {
    ToBlock { block: Block, source: Block },
    ToCycle(Cycle),
}

impl Observer for Record {
    fn block_weighed(&mut self, block: Block, source: Block) {
        self.0.push(Given::ToBlock { block, source });
    }

    fn cycle_weighed(&mut self, cycle: Cycle) {
        self.0.push(Given::ToCycle(cycle));
    }
}

/// What gave something its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// What stands in the block.
    Itself,
    /// A block that post-dominates this one, and is dominated by it.
    PostDominator(Block),
    /// The heaviest of the block's successors; `only` if it has one.
    Successor { heaviest: Weighed, only: bool },
    /// The heaviest of the cycle's exits; `only` if all lead to one block. A weight of 0 is `raised` to 1.
    Exit { heaviest: Weighed, only: bool, raised: bool },
}

/// How something came to its weight.
#[derive(Clone, Copy)]
struct Past {
    cause: Cause,
    /// The block that has the weight by itself.
    origin: Block,
    /// How many steps away that is.
    steps: u32,
}

/// The past of every estimated weight of a function.
pub(super) struct Provenance(PerWeighed<Option<Past>>);

impl Provenance {
    /// Works out the causes of the `weights` that were given as `record` says.
    ///
    /// A cause was there before what it caused, so that every step back is short.
    pub fn new(
        record: &Record,
        cycles: &Cycles,
        facts: &PrimaryMap<Block, BlockFacts>,
        weights: &EstimatedWeights,
    ) -> Self {
        let exits = LoopExits::new(cycles);
        let mut provenance = Provenance(PerWeighed::new(cycles, None));
        let heaviest = Heaviest { cycles, weights };
        for &given in &record.0 {
            let (weighed, cause) = match given {
                Given::ToBlock { block, source } if source != block => {
                    (Weighed::Block(block), Cause::PostDominator(source))
                }
                Given::ToBlock { block, .. } if ColdReason::of(&facts[block]).is_some() => {
                    (Weighed::Block(block), Cause::Itself)
                }
                Given::ToBlock { block, .. } => (Weighed::Block(block), heaviest.after_block(block)),
                Given::ToCycle(cycle) => (Weighed::Cycle(cycle), heaviest.after_cycle(cycle, &exits)),
            };
            provenance.add(weighed, cause);
        }
        provenance
    }

    fn add(&mut self, weighed: Weighed, cause: Cause) {
        let before = match cause {
            Cause::Itself => None,
            Cause::PostDominator(block) => Some(Weighed::Block(block)),
            Cause::Successor { heaviest, .. } | Cause::Exit { heaviest, .. } => Some(heaviest),
        };
        let past = match (before, weighed) {
            (Some(before), _) => {
                let Past { origin, steps, .. } = self.past(before).expect("a cause has a weight itself");
                Some(Past { cause, origin, steps: steps + 1 })
            }
            (None, Weighed::Block(origin)) => Some(Past { cause, origin, steps: 0 }),
            (None, Weighed::Cycle(_)) => None,
        };
        if let Some(entry) = self.0.get_mut(weighed) {
            *entry = past;
        }
    }

    fn past(&self, weighed: Weighed) -> Option<Past> {
        *self.0.get(weighed)?
    }

    /// The block that the weight of `weighed` comes from; none if it has no weight.
    pub fn origin(&self, weighed: Weighed) -> Option<Block> {
        Some(self.past(weighed)?.origin)
    }

    /// What gave `weighed` its weight, and how many steps before that there are.
    pub fn cause(&self, weighed: Weighed) -> Option<(Cause, u32)> {
        let past = self.past(weighed)?;
        Some((past.cause, past.steps))
    }
}

/// Finds what a weight that is the highest of several is that of.
struct Heaviest<'a> {
    cycles: &'a Cycles<'a>,
    weights: &'a EstimatedWeights,
}

impl Heaviest<'_> {
    fn after_block(&self, block: Block) -> Cause {
        let targets = self.cycles.graph.successors(block).iter().copied();
        let (heaviest, only) = self.among(self.cycles.of(block), targets);
        Cause::Successor { heaviest, only }
    }

    fn after_cycle(&self, cycle: Cycle, exits: &LoopExits) -> Cause {
        let Cycles { graph, sccs, .. } = self.cycles;
        let (heaviest, only) = match cycle {
            Cycle::Component(scc) => {
                let targets = sccs.members(scc).iter().flat_map(|&member| graph.successors(member)).copied();
                self.among(cycle, targets.filter(|&target| sccs.of(target) != Some(scc)))
            }
            Cycle::Nested(natural) => self.among(cycle, exits.of(natural).iter().copied()),
            Cycle::None => unreachable!("only cycles have exits"),
        };
        Cause::Exit { heaviest, only, raised: self.weights.of(heaviest) == Some(weight::ZERO) }
    }

    /// The heaviest end of the edges from `source` to `targets`, the first of equals, and whether all have the same.
    fn among(&self, source: Cycle, targets: impl Iterator<Item = Block>) -> (Weighed, bool) {
        let mut ends = targets.map(|target| Weighed::by_edge(self.cycles, source, target));
        let first = ends.next().expect("a weight of edges needs an edge");
        ends.fold((first, true), |(heaviest, only), end| {
            let heavier = self.weights.of(end) > self.weights.of(heaviest);
            (if heavier { end } else { heaviest }, only && end == first)
        })
    }
}
