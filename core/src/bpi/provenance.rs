//! Where estimated weights come from.
//!
//! Weights are estimated in one go and tell nothing of their past. Whoever wants to know it has a witness hear, while
//! the weights are estimated once more, of each the moment it is given; all else follows from the weights themselves,
//! which do not change once they are known.

use cranelift_entity::PrimaryMap;

use super::cycles::{Cycle, Cycles};
use super::estimate::{weight, EstimatedWeights, Rarity, Weighed};
use super::exits::LoopExits;
use crate::cfg::{table, Block, Loop, Scc};
use crate::facts::BlockFacts;

/// Hears of every weight when it is given. The witness `()` hears nothing and costs nothing.
pub(super) trait Witness {
    /// `block` has the weight of `source`: that is itself, or a block that post-dominates it.
    fn block_weighed(&mut self, block: Block, source: Block);
    /// `cycle` has the weight of its exits.
    fn cycle_weighed(&mut self, cycle: Cycle);
}

impl Witness for () {
    fn block_weighed(&mut self, _: Block, _: Block) {}
    fn cycle_weighed(&mut self, _: Cycle) {}
}

/// What a witness has heard, in order.
#[derive(Default)]
pub(super) struct Record(Vec<Given>);

/// A weight that was given to something; to a block, on behalf of another one or itself.
#[derive(Clone, Copy)]
enum Given {
    ToBlock { block: Block, source: Block },
    ToCycle(Cycle),
}

impl Witness for Record {
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

/// One step back from a weight.
#[derive(Clone, Copy)]
struct Link {
    cause: Cause,
    /// The block that has the weight by itself.
    origin: Block,
    /// How many steps away that is.
    steps: u32,
}

/// The past of every estimated weight of a function.
pub(super) struct Provenance {
    blocks: PrimaryMap<Block, Option<Link>>,
    natural: PrimaryMap<Loop, Option<Link>>,
    irreducible: PrimaryMap<Scc, Option<Link>>,
}

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
        let mut provenance = Provenance {
            blocks: table(cycles.graph.block_count(), None),
            natural: table(cycles.loops.count(), None),
            irreducible: table(cycles.sccs.count(), None),
        };
        let heaviest = Heaviest { cycles, weights };
        for &given in &record.0 {
            let (weighed, cause) = match given {
                Given::ToBlock { block, source } if source != block => {
                    (Weighed::Block(block), Cause::PostDominator(source))
                }
                Given::ToBlock { block, .. } if Rarity::of(&facts[block]).is_some() => {
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
        let link = match (before, weighed) {
            (Some(before), _) => {
                let Link { origin, steps, .. } = self.link(before).expect("a cause has a weight itself");
                Some(Link { cause, origin, steps: steps + 1 })
            }
            (None, Weighed::Block(origin)) => Some(Link { cause, origin, steps: 0 }),
            (None, Weighed::Cycle(_)) => None,
        };
        match weighed {
            Weighed::Block(block) => self.blocks[block] = link,
            Weighed::Cycle(Cycle::Natural(natural)) => self.natural[natural] = link,
            Weighed::Cycle(Cycle::Irreducible(scc)) => self.irreducible[scc] = link,
            Weighed::Cycle(Cycle::None) => {}
        }
    }

    fn link(&self, weighed: Weighed) -> Option<Link> {
        match weighed {
            Weighed::Block(block) => self.blocks[block],
            Weighed::Cycle(Cycle::Natural(natural)) => self.natural[natural],
            Weighed::Cycle(Cycle::Irreducible(scc)) => self.irreducible[scc],
            Weighed::Cycle(Cycle::None) => None,
        }
    }

    /// The block that the weight of `weighed` comes from; none if it has no weight.
    pub fn origin(&self, weighed: Weighed) -> Option<Block> {
        Some(self.link(weighed)?.origin)
    }

    /// What gave `weighed` its weight, and how many steps before that there are.
    pub fn cause(&self, weighed: Weighed) -> Option<(Cause, u32)> {
        let link = self.link(weighed)?;
        Some((link.cause, link.steps))
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
            Cycle::Irreducible(scc) => {
                let targets = sccs.members(scc).iter().flat_map(|&member| graph.successors(member)).copied();
                self.among(cycle, targets.filter(|&target| sccs.of(target) != Some(scc)))
            }
            Cycle::Natural(natural) => self.among(cycle, exits.of(natural).iter().copied()),
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
