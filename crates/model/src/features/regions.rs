//! Sums of the statistics of all blocks that a block dominates.

use cranelift_entity::PrimaryMap;

use super::contents::{BlockContents, FunctionContents};
use bpa_profile::cfg::{table, Block};
use bpa_profile::profile::Profile;

/// The sums over all blocks that one block dominates, including the block itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DominatedContents {
    pub blocks: u32,
    pub calls: u32,
    pub text_calls: u32,
    pub loads: u32,
    pub stores: u32,
    /// The number of headers of natural loops.
    pub loops: u32,
    /// The number of blocks without successors.
    pub ends: u32,
}

impl DominatedContents {
    /// The sums over no blocks.
    pub const NONE: DominatedContents =
        DominatedContents { blocks: 0, calls: 0, text_calls: 0, loads: 0, stores: 0, loops: 0, ends: 0 };

    fn of_block(contents: &BlockContents, is_header: bool, is_end: bool) -> Self {
        DominatedContents {
            blocks: 1,
            calls: contents.calls,
            text_calls: contents.text_calls,
            loads: contents.loads,
            stores: contents.stores,
            loops: is_header.into(),
            ends: is_end.into(),
        }
    }

    fn add(&mut self, other: DominatedContents) {
        let DominatedContents { blocks, calls, text_calls, loads, stores, loops, ends } = other;
        self.blocks += blocks;
        self.calls += calls;
        self.text_calls += text_calls;
        self.loads += loads;
        self.stores += stores;
        self.loops += loops;
        self.ends += ends;
    }
}

/// The sums for each block. A block that is unreachable from the entry has sums of 0.
pub(super) fn regions(
    profile: &Profile,
    contents: &FunctionContents,
) -> PrimaryMap<Block, DominatedContents> {
    let (graph, loops, dominators) = (profile.graph(), profile.loops(), profile.dominators());
    let mut regions = table(graph.block_count(), DominatedContents::default());
    // In postorder, a block precedes the blocks that dominate it.
    for &block in graph.tree().postorder() {
        let is_end = graph.successors(block).is_empty();
        regions[block].add(DominatedContents::of_block(
            &contents.blocks[block],
            loops.is_header(block),
            is_end,
        ));
        if let Some(above) = dominators.idom(block) {
            let region = regions[block];
            regions[above].add(region);
        }
    }
    regions
}
