//! Estimated block and loop weights.
//!
//! Some blocks show by themselves that they rarely run: they end in `unreachable`, handle an exception, or
//! call something `cold`. Such a block gets a low weight, and the weight spreads to where it must hold too:
//!
//! - up the dominator tree, as long as the block post-dominates its dominator: then one runs exactly when the
//!   other does. Blocks of other cycles on the way are passed over, since how often a cycle turns is
//!   another question;
//! - to a block all of whose successors have a weight: it gets the highest of them;
//! - to a cycle all of whose exits have a weight: it gets the highest of them, and passes it on to the blocks
//!   in front of it.
//!
//! A weight once given stays, and blocks are taken in LLVM's order, because the first weight to arrive wins.

use cranelift_entity::PrimaryMap;

use super::chains::{Chains, Stretch};
use super::cycles::{Cycle, Cycles};
use super::exits::LoopExits;
use super::lookout::Lookout;
use super::provenance::Witness;
use crate::cfg::{table, Block, Dominators, Graph, Loop, PostDominators, Scc, SpanningTree};
use crate::facts::{BlockFacts, Marks};

/// Relative execution weights. They mean something only compared with each other.
pub(super) mod weight {
    /// Never runs: ends in `unreachable`.
    pub const ZERO: u32 = 0;
    /// The least that still runs: ends in a call that does not return, or handles an exception.
    pub const LOWEST: u32 = 1;
    /// Calls something `cold`.
    pub const COLD: u32 = 0xFFFF;
    /// Nothing is known; never stored, only assumed when edges are compared.
    pub const DEFAULT: u32 = 0xF_FFFF;
}

/// No weight yet. Above every real weight.
const UNKNOWN: u32 = u32::MAX;

/// The weights that blocks and cycles ended up with.
#[derive(Default)]
pub(super) struct EstimatedWeights {
    blocks: PrimaryMap<Block, u32>,
    natural: PrimaryMap<Loop, u32>,
    irreducible: PrimaryMap<Scc, u32>,
}

/// What an estimated weight belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weighed {
    Block(Block),
    Cycle(Cycle),
}

impl Weighed {
    /// What gives the edge from a block of `source` to `target` its weight: an edge into a cycle weighs what the
    /// cycle does, any other what its target does.
    pub fn by_edge(cycles: &Cycles, source: Cycle, target: Block) -> Self {
        let entered = cycles.of(target);
        if cycles.enters(source, entered) {
            Weighed::Cycle(entered)
        } else {
            Weighed::Block(target)
        }
    }
}

impl EstimatedWeights {
    /// The weight of `block`.
    fn of_block(&self, block: Block) -> Option<u32> {
        known(*self.blocks.get(block)?)
    }

    /// The weight of `cycle`.
    fn of_cycle(&self, cycle: Cycle) -> Option<u32> {
        match cycle {
            Cycle::None => None,
            Cycle::Natural(natural) => known(*self.natural.get(natural)?),
            Cycle::Irreducible(scc) => known(*self.irreducible.get(scc)?),
        }
    }

    /// The weight of a block or cycle.
    pub fn of(&self, weighed: Weighed) -> Option<u32> {
        match weighed {
            Weighed::Block(block) => self.of_block(block),
            Weighed::Cycle(cycle) => self.of_cycle(cycle),
        }
    }

    /// The weight of the edge from a block of `source` to `target`.
    pub fn of_edge(&self, cycles: &Cycles, source: Cycle, target: Block) -> Option<u32> {
        self.of(Weighed::by_edge(cycles, source, target))
    }

    fn set_cycle(&mut self, cycle: Cycle, weight: u32) {
        match cycle {
            Cycle::None => {}
            Cycle::Natural(natural) => self.natural[natural] = weight,
            Cycle::Irreducible(scc) => self.irreducible[scc] = weight,
        }
    }
}

fn known(weight: u32) -> Option<u32> {
    (weight != UNKNOWN).then_some(weight)
}

/// Why a block rarely runs, by what stands in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rarity {
    /// It ends in `unreachable`, or in a call to `llvm.experimental.deoptimize` and a `ret`.
    NeverCompletes,
    /// It does, after a call that does not return.
    NeverReturns,
    /// It runs only while an exception is on its way.
    ExceptionPath,
    /// It calls something `cold`.
    ColdCall,
}

impl Rarity {
    /// What the facts about a block say; the lowest reason wins.
    pub(super) fn of(facts: &BlockFacts) -> Option<Self> {
        let marks = facts.marks;
        if marks.has(Marks::NEVER_COMPLETES) {
            Some(if marks.has(Marks::NORETURN_CALL) { Rarity::NeverReturns } else { Rarity::NeverCompletes })
        } else if marks.has(Marks::EXCEPTION_PATH) {
            Some(Rarity::ExceptionPath)
        } else if marks.has(Marks::COLD_CALL) {
            Some(Rarity::ColdCall)
        } else {
            None
        }
    }

    /// The weight that such a block has by itself.
    ///
    /// That `unreachable` after a call that does not return weighs more than `unreachable` alone is LLVM's choice:
    /// such a path does run, once.
    pub(super) const fn weight(self) -> u32 {
        match self {
            Rarity::NeverCompletes => weight::ZERO,
            Rarity::NeverReturns | Rarity::ExceptionPath => weight::LOWEST,
            Rarity::ColdCall => weight::COLD,
        }
    }
}

/// Estimates the weights of all blocks and cycles.
///
/// `post_dominators` is computed for `graph` only if some block has a weight by itself: few functions need it.
/// `witness` is told of every weight.
pub(super) fn estimate(
    cycles: Cycles,
    facts: &PrimaryMap<Block, BlockFacts>,
    walk: &SpanningTree,
    dominators: &Dominators,
    post_dominators: &mut PostDominators,
    witness: &mut impl Witness,
) -> EstimatedWeights {
    let reverse_postorder = walk.postorder().iter().rev();
    let mut initial =
        reverse_postorder.filter_map(|&block| Some((block, Rarity::of(&facts[block])?.weight()))).peekable();
    if initial.peek().is_none() {
        return EstimatedWeights::default();
    }
    post_dominators.compute(cycles.graph);
    let chains = Chains::new(&cycles, walk, dominators, post_dominators);
    let mut propagation = Propagation::new(cycles, &chains, witness);
    for (block, weight) in initial {
        propagation.spread_up(block, weight);
    }
    propagation.run();
    propagation.weights
}

/// The state of the spreading.
struct Propagation<'a, W> {
    witness: &'a mut W,
    cycles: Cycles<'a>,
    graph: &'a Graph,
    chains: &'a Chains,
    weights: EstimatedWeights,
    /// Blocks with a successor whose weight became known.
    pending_blocks: Vec<Block>,
    /// Cycles with an exit whose weight became known.
    pending_cycles: Vec<Pending>,
    /// Found when the first natural loop is looked at.
    exits: Option<LoopExits>,
    /// Set up when the first cycles are passed.
    lookout: Option<Lookout>,
    block_scans: PrimaryMap<Block, Scan>,
    natural_scans: PrimaryMap<Loop, Scan>,
    irreducible_scans: PrimaryMap<Scc, Scan>,
}

/// Cycles to be looked at.
#[derive(Clone, Copy)]
enum Pending {
    One(Cycle),
    /// All that are left on a way up a chain, the topmost first. Written out, such ways would need memory for every
    /// cycle that any of them passes.
    Passed(Stretch),
}

/// How far the search for an edge without a weight has come. Weights do not change once known, so the next
/// search goes on from there, and a block with many successors is not looked through once for each.
#[derive(Clone, Copy, Default)]
struct Scan {
    /// Members of an irreducible cycle whose edges are all known; unused otherwise.
    members: u32,
    /// Edges of the block, exits of the loop, or edges of the cycle's next member that are known.
    edges: u32,
    /// The highest weight so far.
    highest: Option<u32>,
}

impl Scan {
    /// Goes on along the edges of one block that count; false at the first without a weight.
    fn advance(&mut self, targets: &[Block], weight_of: impl Fn(Block) -> Option<Option<u32>>) -> bool {
        for &target in &targets[self.edges as usize..] {
            if let Some(counted) = weight_of(target) {
                let Some(weight) = counted else { return false };
                self.highest = self.highest.max(Some(weight));
            }
            self.edges += 1;
        }
        true
    }
}

impl<'a, W: Witness> Propagation<'a, W> {
    fn new(cycles: Cycles<'a>, chains: &'a Chains, witness: &'a mut W) -> Self {
        let blocks = cycles.graph.block_count();
        let (natural, irreducible) = (cycles.loops.count(), cycles.sccs.count());
        Propagation {
            witness,
            cycles,
            graph: cycles.graph,
            chains,
            weights: EstimatedWeights {
                blocks: table(blocks, UNKNOWN),
                natural: table(natural, UNKNOWN),
                irreducible: table(irreducible, UNKNOWN),
            },
            pending_blocks: Vec::new(),
            pending_cycles: Vec::new(),
            exits: None,
            lookout: None,
            block_scans: table(blocks, Scan::default()),
            natural_scans: table(natural, Scan::default()),
            irreducible_scans: table(irreducible, Scan::default()),
        }
    }

    /// Works until no weight is left to spread: cycles first, whenever there are any.
    fn run(&mut self) {
        loop {
            while let Some(pending) = self.pending_cycles.pop() {
                match pending {
                    Pending::One(cycle) => self.weigh_cycle(cycle),
                    Pending::Passed(way) => self.weigh_passed(way),
                }
            }
            // All pending blocks are worked off before the next look at cycles.
            while let Some(block) = self.pending_blocks.pop() {
                self.weigh_block(block);
            }
            if self.pending_cycles.is_empty() {
                return;
            }
        }
    }

    fn weigh_cycle(&mut self, cycle: Cycle) {
        if self.weights.of_cycle(cycle).is_some() {
            return;
        }
        let Some(highest) = self.highest_exit(cycle) else {
            self.await_exit(cycle);
            return;
        };
        // What is never left is still entered, once.
        self.weights.set_cycle(cycle, highest.max(weight::LOWEST));
        self.witness.cycle_weighed(cycle);
        self.tell(Weighed::Cycle(cycle));
        let pending = &mut self.pending_blocks;
        self.cycles.for_each_entry(cycle, |block| pending.push(block));
    }

    /// Looks at the cycles that are left on `way`, the topmost first.
    fn weigh_passed(&mut self, mut way: Stretch) {
        self.lookout.get_or_insert_with(|| Lookout::new(&self.cycles, self.chains.passages()));
        while let Some(passage) = self.lookout.as_mut().and_then(|lookout| lookout.next(way)) {
            self.weigh_cycle(self.chains.passages()[passage as usize].cycle);
            way.first = passage + 1;
        }
    }

    /// Has the lookout wait for the first exit of `cycle` whose weight is not known.
    fn await_exit(&mut self, cycle: Cycle) {
        let Some(lookout) = self.lookout.as_mut().filter(|lookout| !lookout.waits(&self.cycles, cycle))
        else {
            return;
        };
        let exit = match cycle {
            Cycle::None => None,
            Cycle::Natural(natural) => {
                let exits = self.exits.as_ref().map(|exits| exits.of(natural));
                exits.and_then(|exits| exits.get(self.natural_scans[natural].edges as usize))
            }
            Cycle::Irreducible(scc) => {
                let Scan { members, edges, .. } = self.irreducible_scans[scc];
                let member = self.cycles.sccs.members(scc).get(members as usize);
                member.and_then(|&member| self.graph.successors(member).get(edges as usize))
            }
        };
        // A cycle without exits gets no weight.
        let Some(&target) = exit else { return };
        lookout.wait(&self.cycles, cycle, Weighed::by_edge(&self.cycles, cycle, target));
    }

    /// Has the cycles looked at again that waited for `known` and can be weighed now.
    fn tell(&mut self, known: Weighed) {
        let Some(lookout) = &mut self.lookout else { return };
        let mut released = lookout.release(&self.cycles, known);
        while let Some(cycle) =
            self.lookout.as_mut().and_then(|l| l.next_released(&self.cycles, &mut released))
        {
            if self.highest_exit(cycle).is_none() {
                self.await_exit(cycle);
            } else if let Some(lookout) = &mut self.lookout {
                lookout.announce(&self.cycles, cycle);
            }
        }
    }

    fn weigh_block(&mut self, block: Block) {
        if self.weights.of_block(block).is_some() {
            return;
        }
        if let Some(highest) = self.highest_successor(block) {
            self.spread_up(block, highest);
        }
    }

    /// The highest weight of all exits of `cycle`, if all have one and there are any.
    fn highest_exit(&mut self, cycle: Cycle) -> Option<u32> {
        let scc = match cycle {
            Cycle::None => return None,
            Cycle::Natural(natural) => return self.highest_loop_exit(natural),
            Cycle::Irreducible(scc) => scc,
        };
        let scan = &mut self.irreducible_scans[scc];
        let exit_weight = |target: Block| {
            let leaves = self.cycles.sccs.of(target) != Some(scc);
            leaves.then(|| self.weights.of_edge(&self.cycles, cycle, target))
        };
        for &member in &self.cycles.sccs.members(scc)[scan.members as usize..] {
            if !scan.advance(self.graph.successors(member), exit_weight) {
                return None;
            }
            scan.members += 1;
            scan.edges = 0;
        }
        scan.highest
    }

    fn highest_loop_exit(&mut self, natural: Loop) -> Option<u32> {
        let exits = self.exits.get_or_insert_with(|| LoopExits::new(&self.cycles)).of(natural);
        let scan = &mut self.natural_scans[natural];
        let inside = Cycle::Natural(natural);
        let exit_weight = |target| Some(self.weights.of_edge(&self.cycles, inside, target));
        scan.advance(exits, exit_weight).then_some(scan.highest)?
    }

    /// The highest weight of all edges out of `block`, if all have one and there are any.
    fn highest_successor(&mut self, block: Block) -> Option<u32> {
        let cycle = self.cycles.of(block);
        let scan = &mut self.block_scans[block];
        let edge_weight = |target| Some(self.weights.of_edge(&self.cycles, cycle, target));
        scan.advance(self.graph.successors(block), edge_weight).then_some(scan.highest)?
    }

    /// Gives `weight` to `source` and to the blocks above it in its chain that are in the same cycle.
    fn spread_up(&mut self, source: Block, weight: u32) {
        let mut next = self.chains.link(source);
        while let Some(link) = next {
            let block = self.chains.block(link);
            if self.weights.of_block(block).is_some() {
                // Whoever came first went all the way up.
                return;
            }
            self.witness.block_weighed(block, source);
            self.assign(block, weight);
            let (above, passed) = self.chains.up(link);
            self.pending_cycles.extend(passed.map(Pending::Passed));
            next = above;
        }
    }

    /// Sets the weight of `block` and remembers whom that may help.
    fn assign(&mut self, block: Block, weight: u32) {
        self.weights.blocks[block] = weight;
        self.tell(Weighed::Block(block));
        let cycle = self.cycles.of(block);
        for &predecessor in self.graph.predecessors(block) {
            let from = self.cycles.of(predecessor);
            if self.cycles.exits(from, cycle) {
                if self.weights.of_cycle(from).is_none() {
                    self.pending_cycles.push(Pending::One(from));
                }
            } else if self.weights.of_block(predecessor).is_none() {
                self.pending_blocks.push(predecessor);
            }
        }
    }
}

#[cfg(test)]
mod tests;
