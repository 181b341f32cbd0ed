//! Classes of control-equivalent blocks. Blocks A and B are control-equivalent if A dominates B and B post-dominates A.
//! If every cycle contains both A and B or neither of them, A and B run equally often.
//!
//! 1. Let A be the immediate dominator of B. If B post-dominates A, then A and B are equivalent, and B is the immediate
//!    post-dominator of A. Otherwise, a third block would be on every path from A to B, and A would not be the
//!    immediate dominator of B.
//! 2. Hence a block is equivalent to at most one of its children in the dominator tree. Every reachable block is in
//!    exactly one class.
//! 3. The blocks of an equivalence class form a path in the dominator tree: each block is a child of the previous
//!    block. The blocks above a block B on this path are exactly the dominators of B that B post-dominates.
//!
//! Consider two blocks of a class that are in the same natural loop or strongly connected component. Let X be a third
//! block of the class, below the first block and above the second block. Every path from the first block to the second
//! block contains X, including the paths inside the cycle. X is therefore in the cycle too, or in an inner cycle.
//! If a walk visits the blocks of one class from bottom to top, it therefore enters and leaves each cycle at most once.
//!
//! Let X and B be two blocks of a class, and let X dominate B. Claim: if X is in a natural loop, and B is outside the
//! loop, then the class also contains the header of the loop. Proof: the header dominates X. X can reach the header
//! inside the loop, and B post-dominates X, so B also post-dominates the header.

use std::ops::Range;

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{entity_impl, PrimaryMap};

use super::cycles::{Cycle, Cycles};
use super::estimated_weights::Weighed;
use super::out_edges::OutEdges;
use crate::cfg::unstable::refill_first;
use crate::cfg::Block;

/// An index in the list of all blocks, sorted by equivalence class. The blocks of a class are adjacent, and the root of
/// the class comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ClassPosition(u32);
entity_impl!(ClassPosition, "place");

impl ClassPosition {
    /// The next index.
    pub(crate) fn next(self) -> Self {
        ClassPosition(self.0 + 1)
    }
}

/// The classes of control-equivalent blocks in a function.
///
/// LLVM: `BranchProbabilityInfo::propagateEstimatedBlockWeight`.
#[derive(Default)]
pub(super) struct ControlEquivalence {
    places: PrimaryMap<Block, PackedOption<ClassPosition>>,
    entries: PrimaryMap<ClassPosition, ClassMember>,
    // The fields below are scratch data of [`compute`](Self::compute).
    /// For each block, the next block of its class.
    below: PrimaryMap<Block, PackedOption<Block>>,
    roots: Vec<Block>,
    /// For each cycle, the position of the most recently listed block of this cycle.
    last: Vec<PackedOption<ClassPosition>>,
}

struct ClassMember {
    block: Block,
    /// The position of the nearest block above this block, among the blocks of the same class and the same cycle.
    above: PackedOption<ClassPosition>,
    /// The position of the root of the class.
    root: ClassPosition,
}

impl ControlEquivalence {
    /// Divides the reachable blocks into equivalence classes.
    pub(crate) fn compute(&mut self, cycles: &Cycles) {
        let graph = cycles.graph;
        let (walk, dominators, post_dominators) = (graph.tree(), graph.dominators(), graph.post_dominators());
        refill_first(&mut self.below, graph.block_count(), None.into());
        self.roots.clear();
        for &block in walk.preorder() {
            match dominators.idom(block) {
                Some(above) if post_dominators.ipdom(above) == Some(block) => {
                    self.below[above] = block.into();
                }
                _ => self.roots.push(block),
            }
        }
        refill_first(&mut self.places, graph.block_count(), None.into());
        self.last.clear();
        self.last.resize(cycles.count(), None.into());
        self.entries.clear();
        for &block in &self.roots {
            let root = self.entries.next_key();
            for block in std::iter::successors(Some(block), |&block| self.below[block].expand()) {
                let place = self.entries.next_key();
                let last = &mut self.last[cycles.index(cycles.of(block))];
                let above = std::mem::replace(last, place.into());
                let above = above.expand().filter(|&above| above >= root).into();
                self.places[block] = place.into();
                self.entries.push(ClassMember { block, above, root });
            }
        }
    }

    /// The position of `block`, or `None` if the block is unreachable.
    pub(crate) fn place(&self, block: Block) -> Option<ClassPosition> {
        self.places[block].expand()
    }

    /// The block at the position `place`.
    pub(crate) fn block(&self, place: ClassPosition) -> Block {
        self.entries[place].block
    }

    /// Returns the position of the nearest block above `place`, among the blocks of the same class and the same cycle.
    ///
    /// LLVM: `BranchProbabilityInfo::isLoopEnteringExitingEdge`.
    pub(crate) fn above(&self, place: ClassPosition) -> Option<ClassPosition> {
        self.entries[place].above.expand()
    }

    /// The positions between `above(place)` and `place`, without these two positions. If `above(place)` is `None`, the
    /// range starts at the root of the class.
    pub(crate) fn between(&self, place: ClassPosition) -> Range<ClassPosition> {
        let entry = &self.entries[place];
        entry.above.expand().map_or(entry.root, ClassPosition::next)..place
    }
}

/// Returns true only if `block` is the root of its class. Returns false for every other block, and also for a root that
/// this function cannot identify without dominators and post-dominators.
///
/// For a reachable predecessor P of `block`, let S be the outermost cycle around P, or P alone if P is in no cycle.
/// `block` is a root if two conditions are true for every P. First, S does not contain `block`. Second, an edge leaves
/// S to a block other than `block`. Proof:
/// 1. Consider the strongly connected components that contain the predecessors. At least one of these components
///    reaches none of the other components. Let C be such a component.
/// 2. C has an edge to a block X other than `block`. No path leads from X to `block`. Otherwise, the component C would
///    reach another component that contains a predecessor of `block`. Every path from X therefore leaves the function
///    or never ends.
/// 3. Every dominator of `block` reaches C, and therefore X. Hence `block` post-dominates none of its dominators.
pub(super) fn is_root(cycles: &Cycles, edges: &OutEdges, block: Block) -> bool {
    let graph = cycles.graph;
    let before = graph.predecessors(block);
    let leads_elsewhere = |&source: &Block| match cycles.component_left(source, block) {
        None => false,
        // Only the first and last edge of a switch are checked.
        Some(Cycle::None) => {
            let targets = graph.successors(source);
            [targets.first(), targets.last()] != [Some(&block); 2]
        }
        // Some predecessors of `block` can be outside the cycle. In this case, the result can be false although the
        // cycle has an edge to another block.
        Some(cycle) => edges.count(Weighed::Cycle(cycle)) > before.len(),
    };
    let is_reached = |block: &&Block| graph.tree().reaches(**block);
    is_reached(&&block) && before.iter().filter(is_reached).all(leads_elsewhere)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::cycles::Cycle;
    use super::super::test_support::{parse_function, pictures};
    use super::{is_root, ClassPosition, OutEdges};
    use crate::cfg::test_support::config;
    use crate::cfg::Block;

    proptest! {
        #![proptest_config(config())]

        /// For a block B, the blocks of its class from the root to B are exactly the dominators of B that B
        /// post-dominates. Both lists have the same order.
        #[test]
        fn classes_are_dominators_that_a_block_post_dominates(picture in pictures()) {
            let parsed = parse_function(&picture);
            let (classes, graph) = (parsed.control_equivalence(), &parsed.function.graph);
            let post_dominators = parsed.function.graph.post_dominators();
            for block in parsed.function.graph.blocks() {
                let Some(place) = classes.place(block) else { continue };
                let mut expected = Vec::new();
                let mut above = Some(block);
                while let Some(dominator) = above.filter(|&above| post_dominators.post_dominates(block, above)) {
                    expected.push(dominator);
                    above = graph.dominators().idom(dominator);
                }
                let root = classes.entries[place].root.as_u32();
                let found = (root..=place.as_u32()).rev().map(|place| classes.block(ClassPosition::from_u32(place)));
                prop_assert!(found.eq(expected));
            }
        }

        /// The search without dominators reports a block as a root only if the block is the root of its class.
        #[test]
        fn roots_found_without_dominators_are_roots(picture in pictures()) {
            let parsed = parse_function(&picture);
            let (classes, cycles) = (parsed.control_equivalence(), parsed.cycles());
            let mut edges = OutEdges::default();
            edges.start(&cycles);
            for block in parsed.function.graph.blocks().filter(|&block| is_root(&cycles, &edges, block)) {
                let place = classes.place(block).expect("the block is reachable");
                prop_assert!(classes.entries[place].root == place);
            }
        }

        /// Let B be a block, and let A be the block at the position that `above` returns for B. In the class, no block
        /// between A and B is in the same cycle as B. If a block between A and B is in a loop that does not contain B,
        /// the header of this loop is also between A and B.
        #[test]
        fn the_position_above_is_the_nearest_in_the_same_cycle(picture in pictures()) {
            let parsed = parse_function(&picture);
            let (classes, cycles) = (parsed.control_equivalence(), parsed.cycles());
            for block in parsed.function.graph.blocks() {
                let Some(place) = classes.place(block) else { continue };
                let inside = cycles.of(block);
                let cycle_at = |place: u32| cycles.of(classes.block(ClassPosition::from_u32(place)));
                prop_assert!(classes.above(place).is_none_or(|above| cycles.of(classes.block(above)) == inside));
                let between = classes.between(place);
                let places = || between.start.as_u32()..between.end.as_u32();
                prop_assert!(places().all(|place| cycle_at(place) != inside));
                let headers: Vec<Block> = places().map(|place| classes.block(ClassPosition::from_u32(place))).collect();
                for passed in places().map(cycle_at).filter(|&passed| cycles.exits(passed, inside)) {
                    if let Cycle::Nested(natural) = passed {
                        prop_assert!(headers.contains(&cycles.loops.header(natural)), "{natural} before {block}");
                    }
                }
            }
        }
    }
}
