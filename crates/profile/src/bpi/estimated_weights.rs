//! Estimated weights of blocks and cycles: the initial weights, the tables, and their observers.

use bpa_schema::ColdReason;
use cranelift_entity::PrimaryMap;

use super::cycles::{Cycle, Cycles};
use crate::cfg::unstable::{put_back, refill_first, take, ScratchSlot};
use crate::cfg::{Block, Loop, Scc};
use crate::facts::{BlockFacts, BlockProperties};
use crate::rules::EstimateWeights;

/// Weights that have the same meaning in all rule sets.
pub(super) mod weight {
    /// The weight of a block that never runs, because it ends in `unreachable`.
    ///
    /// LLVM: `BlockExecWeight::ZERO`.
    pub(crate) const ZERO: u32 = 0;
    /// The lowest possible weight of a block that can run.
    ///
    /// LLVM: `BlockExecWeight::LOWEST_NON_ZERO`.
    pub(crate) const LOWEST: u32 = 1;
}

/// A block or cycle with an estimated weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weighed {
    Block(Block),
    Cycle(Cycle),
}

impl Weighed {
    /// The block or cycle that determines the weight of an edge. The edge leads from a block in the cycle `source` to
    /// the block `target`. If the edge enters a cycle, the result is this cycle. Otherwise the result is `target`.
    ///
    /// LLVM: `BranchProbabilityInfo::getEstimatedEdgeWeight`.
    pub(crate) fn by_edge(cycles: &Cycles, source: Cycle, target: Block) -> Self {
        Self::by_edge_into(cycles, source, target, cycles.of(target))
    }

    /// Returns the same result as [`by_edge`](Self::by_edge). `entered` is the innermost cycle around `target`.
    #[inline(always)] // `weigh_edges` calls this function often.
    pub(crate) fn by_edge_into(cycles: &Cycles, source: Cycle, target: Block, entered: Cycle) -> Self {
        if cycles.enters(source, entered) {
            Weighed::Cycle(entered)
        } else {
            Weighed::Block(target)
        }
    }
}

/// A value for each block and each cycle of a function.
#[derive(Default)]
pub(super) struct PerWeighed<T> {
    blocks: PrimaryMap<Block, T>,
    natural: PrimaryMap<Loop, T>,
    irreducible: PrimaryMap<Scc, T>,
}

impl<T: Clone + Default> PerWeighed<T> {
    /// Creates a table with one value for all blocks and cycles.
    pub(crate) fn new(cycles: &Cycles, value: T) -> Self {
        let mut all = PerWeighed::default();
        all.refill(cycles, value);
        all
    }

    /// Sets the values of all blocks and cycles to `value`.
    pub(crate) fn refill(&mut self, cycles: &Cycles, value: T) {
        refill_first(&mut self.blocks, cycles.graph.block_count(), value.clone());
        refill_first(&mut self.natural, cycles.loops.count(), value.clone());
        refill_first(&mut self.irreducible, cycles.sccs.count(), value);
    }
}

impl<T> PerWeighed<T> {
    /// The value of a block or cycle. The result is `None` if `weighed` is [`Cycle::None`], or if the table is empty.
    pub(crate) fn get(&self, weighed: Weighed) -> Option<&T> {
        match weighed {
            Weighed::Block(block) => self.blocks.get(block),
            Weighed::Cycle(Cycle::None) => None,
            Weighed::Cycle(Cycle::Nested(natural)) => self.natural.get(natural),
            Weighed::Cycle(Cycle::Component(scc)) => self.irreducible.get(scc),
        }
    }

    /// Returns a mutable reference to the value of a block or cycle.
    pub(crate) fn get_mut(&mut self, weighed: Weighed) -> Option<&mut T> {
        match weighed {
            Weighed::Block(block) => self.blocks.get_mut(block),
            Weighed::Cycle(Cycle::None) => None,
            Weighed::Cycle(Cycle::Nested(natural)) => self.natural.get_mut(natural),
            Weighed::Cycle(Cycle::Component(scc)) => self.irreducible.get_mut(scc),
        }
    }
}

/// The table entry that represents a missing weight. All weights are less than this number.
const UNKNOWN: u32 = u32::MAX;

/// The estimated weights of blocks and cycles. In an empty table, no block or cycle has a weight.
#[derive(Default)]
pub(super) struct EstimatedWeights(PerWeighed<u32>);

thread_local! {
    /// Memory that a dropped [`EstimatedWeights`] has allocated, and that the next `EstimatedWeights` reuses.
    static SCRATCH: ScratchSlot<PerWeighed<u32>> = const { ScratchSlot::new(Vec::new()) };
}

impl Drop for EstimatedWeights {
    fn drop(&mut self) {
        if !self.is_empty() {
            put_back(&SCRATCH, std::mem::take(&mut self.0));
        }
    }
}

impl EstimatedWeights {
    /// Creates a table in which no block or cycle has a weight.
    pub(crate) fn unknown(cycles: &Cycles) -> Self {
        let mut weights = take(&SCRATCH);
        weights.refill(cycles, UNKNOWN);
        EstimatedWeights(weights)
    }

    /// Whether the table is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.blocks.is_empty()
    }

    /// The weight of a block or cycle.
    ///
    /// LLVM: `BranchProbabilityInfo::getEstimatedBlockWeight`,
    /// `BranchProbabilityInfo::getEstimatedLoopWeight`.
    pub(crate) fn of(&self, weighed: Weighed) -> Option<u32> {
        self.0.get(weighed).copied().filter(|&weight| weight != UNKNOWN)
    }

    /// The weight of the edge from a block in the cycle `source` to the block `target`.
    ///
    /// LLVM: `BranchProbabilityInfo::getEstimatedEdgeWeight`.
    pub(crate) fn of_edge(&self, cycles: &Cycles, source: Cycle, target: Block) -> Option<u32> {
        self.of(Weighed::by_edge(cycles, source, target))
    }

    /// Sets the item of each edge in `list` to the weight of this edge. If no block has a weight, the list does not
    /// change.
    pub(crate) fn list_edges(&self, cycles: &Cycles, list: &mut [Option<u32>]) {
        if self.is_empty() {
            return;
        }
        for block in cycles.graph.blocks() {
            let source = cycles.of(block);
            let items = &mut list[cycles.graph.edges(block)];
            for (item, &target) in items.iter_mut().zip(cycles.graph.successors(block)) {
                *item = self.of_edge(cycles, source, target);
            }
        }
    }

    /// Sets the weight of a block or cycle.
    pub(crate) fn set(&mut self, weighed: Weighed, weight: u32) {
        if let Some(entry) = self.0.get_mut(weighed) {
            *entry = weight;
        }
    }
}

/// Observes each assignment of a weight. The observer `()` ignores the weights.
pub(super) trait Observer {
    /// `block` gets the weight of `source`. `source` is the block itself, or a block that post-dominates it.
    fn block_weighed(&mut self, block: Block, source: Block);
    /// `cycle` gets a weight that is computed from the weights of its exits.
    fn cycle_weighed(&mut self, cycle: Cycle);
}

impl Observer for () {
    fn block_weighed(&mut self, _: Block, _: Block) {}
    fn cycle_weighed(&mut self, _: Cycle) {}
}

/// The reason why the block that `facts` describes rarely runs. If there are several reasons, returns the reason
/// with the lowest weight.
///
/// LLVM: `BranchProbabilityInfo::getInitialEstimatedBlockWeight`.
pub(super) fn cold_reason(facts: &BlockFacts) -> Option<ColdReason> {
    let properties = facts.properties;
    if properties.has(BlockProperties::NEVER_COMPLETES) {
        Some(if properties.has(BlockProperties::NORETURN_CALL) {
            ColdReason::Noreturn
        } else {
            ColdReason::Unreachable
        })
    } else if properties.has(BlockProperties::EXCEPTION_PATH) {
        Some(ColdReason::Unwind)
    } else if properties.has(BlockProperties::COLD_CALL) {
        Some(ColdReason::Cold)
    } else {
        None
    }
}

/// The initial weight of a rarely executed block. `reason` is the reason why the block rarely runs.
pub(super) const fn initial_weight(reason: ColdReason, numbers: &EstimateWeights) -> u32 {
    match reason {
        ColdReason::Unreachable => numbers.unreachable,
        ColdReason::Noreturn => numbers.noreturn,
        ColdReason::Unwind => numbers.unwind,
        ColdReason::Cold => numbers.cold,
    }
}
