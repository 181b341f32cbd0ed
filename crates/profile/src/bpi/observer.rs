//! Observers are notified when a block or a cycle gets an estimated weight.

use super::cycles::Cycle;
use crate::cfg::Block;

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
