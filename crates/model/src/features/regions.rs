//! Adds up the statistics of all blocks that a block dominates.

use cranelift_entity::PrimaryMap;

use super::statistics::{BlockStatistics, FunctionStatistics};
use bpa_profile::cfg::Block;
use bpa_profile::profile::Profile;

/// Statistics of a block and of all blocks that it dominates, added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DominatedStatistics {
    pub blocks: u32,
    pub instructions: u32,
    pub phis: u32,
    pub arithmetic: u32,
    pub calls: u32,
    pub text_calls: u32,
    pub loads: u32,
    pub stores: u32,
    /// The number of headers of natural loops.
    pub loops: u32,
    /// The number of blocks without successors.
    pub ends: u32,
}

impl DominatedStatistics {
    /// The sums over an empty set of blocks.
    pub(crate) const NONE: DominatedStatistics = DominatedStatistics {
        blocks: 0,
        instructions: 0,
        phis: 0,
        arithmetic: 0,
        calls: 0,
        text_calls: 0,
        loads: 0,
        stores: 0,
        loops: 0,
        ends: 0,
    };

    fn of_block(statistics: &BlockStatistics, is_header: bool, is_end: bool) -> Self {
        DominatedStatistics {
            blocks: 1,
            instructions: statistics.instructions,
            phis: statistics.phis,
            arithmetic: statistics.arithmetic,
            calls: statistics.calls,
            text_calls: statistics.text_calls,
            loads: statistics.loads,
            stores: statistics.stores,
            loops: is_header.into(),
            ends: is_end.into(),
        }
    }

    fn add(&mut self, other: DominatedStatistics) {
        let DominatedStatistics {
            blocks,
            instructions,
            phis,
            arithmetic,
            calls,
            text_calls,
            loads,
            stores,
            loops,
            ends,
        } = other;
        self.blocks += blocks;
        self.instructions += instructions;
        self.phis += phis;
        self.arithmetic += arithmetic;
        self.calls += calls;
        self.text_calls += text_calls;
        self.loads += loads;
        self.stores += stores;
        self.loops += loops;
        self.ends += ends;
    }
}

/// For each block, the sums of the statistics of all blocks that it dominates. If a block is unreachable from the
/// entry, its sums are its own statistics.
pub(super) fn regions(
    profile: &Profile,
    statistics: &FunctionStatistics,
) -> PrimaryMap<Block, DominatedStatistics> {
    let (graph, loops, dominators) = (profile.graph(), profile.loops(), profile.dominators());
    let own = graph.blocks().zip(statistics.blocks.values()).map(|(block, own)| {
        DominatedStatistics::of_block(own, loops.is_header(block), graph.successors(block).is_empty())
    });
    let mut regions: PrimaryMap<Block, DominatedStatistics> = own.collect();
    // In postorder, a block precedes the blocks that dominate it.
    for &block in graph.tree().postorder() {
        if let Some(above) = dominators.idom(block) {
            let region = regions[block];
            regions[above].add(region);
        }
    }
    regions
}
