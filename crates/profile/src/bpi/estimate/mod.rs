//! Estimated weights of blocks and cycles.
//!
//! Some blocks rarely run because of their own instructions: they end in `unreachable`, handle an exception, or contain
//! a `cold` call. Such a block gets a low weight. The weight is propagated to other blocks and cycles:
//!
//! - Dominators: if a block post-dominates one of its dominators, both blocks run equally often, and the dominator
//!   gets the weight of the block. Dominators in other cycles are skipped, because the number of iterations
//!   of a cycle is unknown.
//! - Blocks: if all successors of a block have weights, the block gets the highest of these weights.
//! - Cycles: if all exits of a cycle have weights, the cycle gets the highest of these weights. The predecessors of
//!   the cycle are then evaluated again.
//!
//! The first weight that a block gets is final. Blocks are therefore visited in LLVM's order.

use std::collections::BTreeSet;

use cranelift_entity::PrimaryMap;

use super::control_equivalence::{self, ClassPosition, ControlEquivalence};
use super::cycles::{Cycle, Cycles};
use super::estimated_weights::{cold_reason, initial_weight, weight, EstimatedWeights, Observer, Weighed};
use super::out_edges::OutEdges;
use crate::cfg::unstable::{put_back, take, ScratchSlot};
use crate::cfg::Block;
use crate::facts::BlockFacts;
use crate::rules::EstimateWeights;

/// Estimates the weights of all blocks and cycles.
///
/// In a few functions, the weight of a block can propagate to the block's dominators. Dominators and post-dominators
/// are computed only for these functions. `numbers` are the initial weights of blocks. `observer` is notified of every
/// weight.
///
/// LLVM: `BranchProbabilityInfo::computeEestimateBlockWeight`.
pub(super) fn estimate(
    cycles: Cycles,
    facts: &PrimaryMap<Block, BlockFacts>,
    numbers: &EstimateWeights,
    observer: &mut impl Observer,
) -> EstimatedWeights {
    let reverse_postorder = cycles.graph.tree().postorder().iter().rev();
    let mut initial = reverse_postorder
        .filter_map(|&block| Some((block, initial_weight(cold_reason(&facts[block])?, numbers))))
        .peekable();
    if initial.peek().is_none() {
        return EstimatedWeights::default();
    }
    let mut memory = take(&SCRATCH);
    memory.start(&cycles);
    let weights = EstimatedWeights::unknown(&cycles);
    let mut propagation = Propagation { observer, cycles, weights, memory };
    for (block, weight) in initial {
        propagation.spread_up(block, weight);
    }
    propagation.run();
    let Propagation { memory, weights, .. } = propagation;
    put_back(&SCRATCH, memory);
    weights
}

thread_local! {
    /// Memory that a finished propagation has allocated, and that the next propagation reuses.
    static SCRATCH: ScratchSlot<Box<Memory>> = const { ScratchSlot::new(Vec::new()) };
}

/// The state of the propagation.
struct Propagation<'a, O> {
    observer: &'a mut O,
    cycles: Cycles<'a>,
    weights: EstimatedWeights,
    memory: Box<Memory>,
}

/// The scratch memory of the propagation.
#[derive(Default)]
struct Memory {
    classes: Classes,
    out_edges: OutEdges,
    /// The positions in `classes` of the heads of ready cycles (see [`Cycles::heads`]). A cycle is ready if all its
    /// exits have weights, but the cycle itself has no weight.
    ready: BTreeSet<ClassPosition>,
    /// Blocks that must be evaluated, because they can now get a weight.
    pending_blocks: Vec<Block>,
    pending_cycles: Vec<Pending>,
}

impl Memory {
    /// Clears the memory. The next propagation then begins without any weights.
    fn start(&mut self, cycles: &Cycles) {
        self.classes.are_found = false;
        self.out_edges.start(cycles);
        self.ready.clear();
        self.pending_blocks.clear();
        self.pending_cycles.clear();
    }
}

/// The classes of control-equivalent blocks of a function. The classes are computed on first use.
#[derive(Default)]
struct Classes {
    all: ControlEquivalence,
    are_found: bool,
}

impl Classes {
    /// Returns the classes of control-equivalent blocks. The first call for a function computes the classes. For one
    /// function, all calls must have the same argument `cycles`.
    fn of(&mut self, cycles: &Cycles) -> &ControlEquivalence {
        if !self.are_found {
            self.all.compute(cycles);
            self.are_found = true;
        }
        &self.all
    }
}

/// Cycles that must be evaluated, because they can now get a weight.
enum Pending {
    /// An exit of this cycle got a weight.
    Exited(Cycle),
    /// A weight was propagated from a block to earlier blocks of the block's equivalence class. Therefore the cycles of
    /// these earlier blocks must be evaluated. Only the range of the blocks is stored, because lists of the cycles
    /// could need memory quadratic in the size of the function. The range does not include the block at the position
    /// `below`, and ends directly before this block. If an earlier block of the class is in the same cycle as the block
    /// at `below`, the range starts after the nearest such block. Otherwise the range starts at the root of the class.
    Passed { first: ClassPosition, below: ClassPosition },
}

impl<O: Observer> Propagation<'_, O> {
    /// Propagates weights until no further block or cycle gets a weight. Pending cycles are evaluated before pending
    /// blocks.
    ///
    /// LLVM: `BranchProbabilityInfo::computeEestimateBlockWeight`.
    fn run(&mut self) {
        loop {
            while let Some(pending) = self.memory.pending_cycles.pop() {
                match pending {
                    Pending::Exited(cycle) => self.weigh_cycle(cycle),
                    Pending::Passed { first, below } => self.weigh_passed(first, below),
                }
            }
            // Evaluate all pending blocks before the next pending cycle.
            while let Some(block) = self.memory.pending_blocks.pop() {
                self.weigh_block(block);
            }
            if self.memory.pending_cycles.is_empty() {
                return;
            }
        }
    }

    /// Evaluates the cycles of the blocks at the positions `first..below`, in ascending order of positions. A cycle
    /// that also contains the block at `below` is not evaluated.
    ///
    /// If several of these blocks are in one cycle, LLVM evaluates the cycle once for each of the blocks. This method
    /// evaluates the cycle only for the first of these blocks. The result is the same: before the walk
    /// leaves the cycle, it visits only inner cycles, and no exit of the cycle leads to an inner cycle. The walk does
    /// not go back: it does not evaluate a cycle that becomes ready only after the walk has left the cycle.
    ///
    /// LLVM: `BranchProbabilityInfo::propagateEstimatedBlockWeight`.
    fn weigh_passed(&mut self, mut first: ClassPosition, below: ClassPosition) {
        let cycles = self.cycles;
        let inside = cycles.of(self.memory.classes.of(&cycles).block(below));
        while let Some(&place) = self.memory.ready.range(first..below).next() {
            let passed = cycles.of(self.memory.classes.of(&cycles).block(place));
            if cycles.exits(passed, inside) {
                self.weigh_cycle(passed);
            }
            first = place.next();
        }
    }

    /// LLVM: `BranchProbabilityInfo::computeEestimateBlockWeight`.
    fn weigh_cycle(&mut self, cycle: Cycle) {
        let Some(highest) = self.highest_out_edge(Weighed::Cycle(cycle)) else { return };
        // Execution can enter a loop even if every exit edge leads to a block that never completes. The weight of the
        // loop is therefore above 0.
        let weight = highest.max(weight::LOWEST);
        self.weights.set(Weighed::Cycle(cycle), weight);
        self.observer.cycle_weighed(cycle);
        let cycles = self.cycles;
        for head in cycles.heads(cycle) {
            let Memory { classes, ready, .. } = &mut *self.memory;
            if !ready.is_empty() {
                classes.of(&cycles).place(head).map(|place| ready.remove(&place));
            }
            let sources = cycles.graph.predecessors(head).iter();
            for &source in sources.filter(|&&source| cycles.enters(cycles.of(source), cycle)) {
                self.note_edge(source, head, weight);
            }
        }
        cycles.for_each_entry(cycle, |block| self.memory.pending_blocks.push(block));
    }

    /// LLVM: `BranchProbabilityInfo::computeEestimateBlockWeight`.
    fn weigh_block(&mut self, block: Block) {
        if let Some(highest) = self.highest_out_edge(Weighed::Block(block)) {
            self.spread_up(block, highest);
        }
    }

    /// The highest weight of the outgoing edges of a block or cycle. The result is `None` in three cases: the block or
    /// cycle already has a weight, there is no outgoing edge, or an outgoing edge has no weight.
    fn highest_out_edge(&self, weighed: Weighed) -> Option<u32> {
        if self.weights.of(weighed).is_some() {
            return None;
        }
        self.memory.out_edges.highest(weighed)
    }

    /// Assigns `weight` to `source`, and to all dominators of `source` that are in the same equivalence class and the
    /// same cycle.
    ///
    /// LLVM: `BranchProbabilityInfo::propagateEstimatedBlockWeight`.
    fn spread_up(&mut self, source: Block, weight: u32) {
        let cycles = self.cycles;
        let Memory { classes, out_edges, .. } = &*self.memory;
        if !classes.are_found && control_equivalence::is_root(&cycles, out_edges, source) {
            self.assign_if_new(source, source, weight);
            return;
        }
        let mut next = self.memory.classes.of(&cycles).place(source);
        while let Some(place) = next {
            let classes = self.memory.classes.of(&cycles);
            let (block, passed, above) = (classes.block(place), classes.between(place), classes.above(place));
            if !self.assign_if_new(block, source, weight) {
                // The block already had a weight. This weight was already propagated up the dominator tree.
                return;
            }
            if !passed.is_empty() {
                self.memory.pending_cycles.push(Pending::Passed { first: passed.start, below: place });
            }
            next = above;
        }
    }

    /// Sets the weight of `block` to `weight`, which is also the weight of `source`. Returns false if `block` already
    /// has a weight.
    fn assign_if_new(&mut self, block: Block, source: Block, weight: u32) -> bool {
        let is_new = self.weights.of(Weighed::Block(block)).is_none();
        if is_new {
            self.observer.block_weighed(block, source);
            self.assign(block, weight);
        }
        is_new
    }

    /// Sets the weight of `block`. If other blocks and cycles can now get a weight, adds them to the pending lists.
    ///
    /// LLVM: `BranchProbabilityInfo::updateEstimatedBlockWeight`.
    fn assign(&mut self, block: Block, weight: u32) {
        self.weights.set(Weighed::Block(block), weight);
        let cycle = self.cycles.of(block);
        for &predecessor in self.cycles.graph.predecessors(block) {
            let from = self.cycles.of(predecessor);
            if !self.cycles.enters(from, cycle) {
                self.note_edge(predecessor, block, weight);
            }
            if self.cycles.exits(from, cycle) {
                self.memory.pending_cycles.push(Pending::Exited(from));
            } else {
                self.memory.pending_blocks.push(predecessor);
            }
        }
    }

    /// Records that the edge from `source` to `target` has a weight.
    fn note_edge(&mut self, source: Block, target: Block, weight: u32) {
        let (cycles, Memory { classes, out_edges, ready, .. }) = (self.cycles, &mut *self.memory);
        out_edges.add(&cycles, (source, target), weight, |cycle| {
            let classes = classes.of(&cycles);
            ready.extend(cycles.heads(cycle).filter_map(|head| classes.place(head)));
        });
    }
}

#[cfg(test)]
mod tests;
