//! Who is told of estimated weights while they are given.

use super::cycles::Cycle;
use crate::cfg::Block;

/// Is told of every weight when it is given. The observer `()` does nothing and costs nothing.
pub(super) trait Observer {
    /// `block` has the weight of `source`: that is itself, or a block that post-dominates it.
    fn block_weighed(&mut self, block: Block, source: Block);
    /// `cycle` has the weight of its exits.
    fn cycle_weighed(&mut self, cycle: Cycle);
}

impl Observer for () {
    fn block_weighed(&mut self, _: Block, _: Block) {}
    fn cycle_weighed(&mut self, _: Cycle) {}
}
