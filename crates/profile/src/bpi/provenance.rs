//! The origins of estimated weights.
//!
//! Estimated weights do not record their origin. To find the origin, the weights are estimated again with an observer
//! that records each assignment. A weight never changes after its assignment. The recorded assignments and the
//! weights at the end of the analysis are therefore sufficient to find the cause of each weight.

use cranelift_entity::PrimaryMap;

use super::cycles::{Cycle, Cycles, LoopExits};
use super::estimated_weights::{cold_reason, weight, EstimatedWeights, Observer, PerWeighed, Weighed};
use crate::cfg::Block;
use crate::facts::BlockFacts;

/// The recorded assignments of weights, in the order in which they happened.
#[derive(Default)]
pub(super) struct Record(Vec<Assignment>);

/// An assignment of a weight to a block, or to a cycle. The weight of `block` comes from the block `source`.
#[derive(Clone, Copy)]
enum Assignment {
    ToBlock { block: Block, source: Block },
    ToCycle(Cycle),
}

impl Observer for Record {
    fn block_weighed(&mut self, block: Block, source: Block) {
        self.0.push(Assignment::ToBlock { block, source });
    }

    fn cycle_weighed(&mut self, cycle: Cycle) {
        self.0.push(Assignment::ToCycle(cycle));
    }
}

/// The cause of the weight of a block or cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WeightCause {
    /// The weight follows from the instructions of the block.
    Itself,
    /// A block that post-dominates this block, and that this block dominates.
    PostDominator(Block),
    /// The successor with the highest weight. `only` is true if all edges lead to this successor.
    Successor { heaviest: Weighed, only: bool },
    /// The exit with the highest weight. `only` is true if all exits lead to one block. `raised` is true if the weight
    /// is 1 instead of 0.
    Exit { heaviest: Weighed, only: bool, raised: bool },
}

/// The cause and the origin of the weight of a block or cycle.
#[derive(Clone, Copy)]
struct History {
    cause: WeightCause,
    /// The block that first got this weight. The weight was then propagated to other blocks.
    origin: Block,
    /// The number of steps from the origin.
    steps: u32,
}

/// The cause of every estimated weight of a function.
pub(super) struct Provenance(PerWeighed<Option<History>>);

impl Provenance {
    /// Finds the cause of each weight in `weights`. `record` must contain the assignments of these weights, in order.
    ///
    /// If the weight of block A causes the weight of block B, then A gets its weight before B. Therefore, the cause of
    /// A's weight is known when B is visited.
    pub(crate) fn new(
        record: &Record,
        cycles: &Cycles,
        facts: &PrimaryMap<Block, BlockFacts>,
        weights: &EstimatedWeights,
    ) -> Self {
        let exits = LoopExits::new(cycles);
        let mut provenance = Provenance(PerWeighed::new(cycles, None));
        let heaviest = Heaviest { cycles, weights };
        for &assignment in &record.0 {
            let (weighed, cause) = match assignment {
                Assignment::ToBlock { block, source } if source != block => {
                    (Weighed::Block(block), WeightCause::PostDominator(source))
                }
                Assignment::ToBlock { block, .. } if cold_reason(&facts[block]).is_some() => {
                    (Weighed::Block(block), WeightCause::Itself)
                }
                Assignment::ToBlock { block, .. } => (Weighed::Block(block), heaviest.after_block(block)),
                Assignment::ToCycle(cycle) => (Weighed::Cycle(cycle), heaviest.after_cycle(cycle, &exits)),
            };
            provenance.add(weighed, cause);
        }
        provenance
    }

    fn add(&mut self, weighed: Weighed, cause: WeightCause) {
        let before = match cause {
            WeightCause::Itself => None,
            WeightCause::PostDominator(block) => Some(Weighed::Block(block)),
            WeightCause::Successor { heaviest, .. } | WeightCause::Exit { heaviest, .. } => Some(heaviest),
        };
        let history = match (before, weighed) {
            (Some(before), _) => {
                let History { origin, steps, .. } =
                    self.history(before).expect("every earlier weight has a history");
                Some(History { cause, origin, steps: steps + 1 })
            }
            (None, Weighed::Block(origin)) => Some(History { cause, origin, steps: 0 }),
            (None, Weighed::Cycle(_)) => None,
        };
        if let Some(entry) = self.0.get_mut(weighed) {
            *entry = history;
        }
    }

    fn history(&self, weighed: Weighed) -> Option<History> {
        *self.0.get(weighed)?
    }

    /// The block from which the weight of `weighed` was propagated, or `None` if `weighed` has no weight.
    pub(crate) fn origin(&self, weighed: Weighed) -> Option<Block> {
        Some(self.history(weighed)?.origin)
    }

    /// The cause of the weight of a block or cycle, and the number of steps in which the weight propagated to it.
    pub(crate) fn cause(&self, weighed: Weighed) -> Option<(WeightCause, u32)> {
        let history = self.history(weighed)?;
        Some((history.cause, history.steps))
    }
}

/// Finds the successor or exit that has the highest weight.
struct Heaviest<'a> {
    cycles: &'a Cycles<'a>,
    weights: &'a EstimatedWeights,
}

impl Heaviest<'_> {
    fn after_block(&self, block: Block) -> WeightCause {
        let targets = self.cycles.graph.successors(block).iter().copied();
        let (heaviest, only) = self.among(self.cycles.of(block), targets);
        WeightCause::Successor { heaviest, only }
    }

    fn after_cycle(&self, cycle: Cycle, exits: &LoopExits) -> WeightCause {
        let Cycles { graph, sccs, .. } = self.cycles;
        let (heaviest, only) = match cycle {
            Cycle::Component(scc) => {
                let targets = sccs.members(scc).iter().flat_map(|&member| graph.successors(member)).copied();
                self.among(cycle, targets.filter(|&target| sccs.of(target) != Some(scc)))
            }
            Cycle::Nested(natural) => self.among(cycle, exits.of(natural).iter().copied()),
            Cycle::None => unreachable!("only cycles have exits"),
        };
        WeightCause::Exit { heaviest, only, raised: self.weights.of(heaviest) == Some(weight::ZERO) }
    }

    /// Finds the destination with the highest weight among the edges from `source` to `targets`. Also returns whether
    /// all edges from `source` to `targets` lead to this destination. A destination is a block or cycle. If several
    /// destinations have the highest weight, returns the first.
    fn among(&self, source: Cycle, targets: impl Iterator<Item = Block>) -> (Weighed, bool) {
        let mut ends = targets.map(|target| Weighed::by_edge(self.cycles, source, target));
        let first = ends.next().expect("there is an edge with a weight");
        ends.fold((first, true), |(heaviest, only), end| {
            let heavier = self.weights.of(end) > self.weights.of(heaviest);
            (if heavier { end } else { heaviest }, only && end == first)
        })
    }
}
