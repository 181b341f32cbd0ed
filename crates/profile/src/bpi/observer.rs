//! Observes which estimated weights are assigned.

use super::cycles::Cycle;
use crate::cfg::Block;

/// Is notified of every weight when it is assigned. The observer `()` does nothing and costs nothing.
pub(super) trait Observer {
    /// `block` got the weight of `source`: the block itself, or a block that post-dominates it.
    fn block_weighed(&mut self, block: Block, source: Block);
    /// `cycle` got the weight of its exits.
    fn cycle_weighed(&mut self, cycle: Cycle);
}

impl Observer for () {
    fn block_weighed(&mut self, _: Block, _: Block) {}
    fn cycle_weighed(&mut self, _: Cycle) {}
}
