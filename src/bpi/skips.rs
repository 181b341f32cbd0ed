//! Short ways up the dominator tree.
//!
//! From a block of a loop, a weight spreads up to the loop's header and no further: what dominates the header is
//! outside. Still the way goes on, since cycles that it passes are to be looked at. The cycles around the block are
//! not passed in that sense, so that their blocks, level upon level in a deep nest, can be stepped over.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::PrimaryMap;

use super::cycles::{Cycle, Cycles};
use crate::cfg::{table, Block, Dominators, Loop, SpanningTree};

/// Where to go on, up the dominator tree, from blocks of cycles that hold the block one comes from.
pub(super) struct Skips<'a> {
    cycles: Cycles<'a>,
    /// For each reached block, the nearest dominator in another cycle than its own.
    elsewhere: PrimaryMap<Block, PackedOption<Block>>,
    /// For each loop, the nearest dominator of its header in a cycle that does not hold it.
    above: PrimaryMap<Loop, PackedOption<Block>>,
}

impl<'a> Skips<'a> {
    /// Finds the short ways of a function.
    pub fn new(cycles: Cycles<'a>, walk: &SpanningTree, dominators: &Dominators) -> Self {
        let mut elsewhere = table(cycles.graph.block_count(), None.into());
        for &block in walk.preorder() {
            if let Some(dominator) = dominators.idom(block) {
                let same = cycles.of(dominator) == cycles.of(block);
                elsewhere[block] = if same { elsewhere[dominator] } else { dominator.into() };
            }
        }
        let above = table(cycles.loops.count(), None.into());
        let mut skips = Skips { cycles, elsewhere, above };
        // Outer loops come first: the ways out of them are known.
        for natural in cycles.loops.loops() {
            let dominator = dominators.idom(cycles.loops.header(natural));
            let next = dominator.and_then(|dominator| match skips.holds(dominator, natural) {
                true => skips.beyond(dominator),
                false => Some(dominator),
            });
            skips.above[natural] = next.into();
        }
        skips
    }

    /// The nearest dominator of `block` in a cycle that does not hold the cycle of `block`.
    pub fn beyond(&self, block: Block) -> Option<Block> {
        let dominator = self.elsewhere[block].expand()?;
        match self.cycles.of(block) {
            Cycle::Natural(natural) if self.holds(dominator, natural) => self.above[natural].expand(),
            _ => Some(dominator),
        }
    }

    /// Whether the cycle of `block` holds `natural`, or `block` is in no cycle.
    fn holds(&self, block: Block, natural: Loop) -> bool {
        match self.cycles.of(block) {
            Cycle::None => true,
            Cycle::Natural(other) => self.cycles.loops.contains(other, natural),
            Cycle::Irreducible(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_support::draw;
    use super::Skips;

    /// Two loops in a row inside a loop, and a loop in front of that: from the second and from the block between, the
    /// way goes on in the first, and from the outer loop's header in the one in front.
    #[test]
    fn levels_around_are_stepped_over_and_loops_beside_are_not() {
        let drawn = draw(
            "entry -> before; before -> before outer; outer -> one; one -> one between; between -> two; \
             two -> two latch; latch -> outer end; end",
        );
        let skips = Skips::new(drawn.cycles(), &drawn.workspace.tree, &drawn.workspace.dominators);
        let beyond = |name: &str| skips.beyond(drawn.block(name));
        assert_eq!(beyond("between"), Some(drawn.block("one")));
        assert_eq!(beyond("outer"), Some(drawn.block("before")));
        assert_eq!(beyond("two"), Some(drawn.block("one")));
        assert_eq!(beyond("before"), None);
    }
}
