//! Control-equivalent blocks: of any two, one dominates the other and is post-dominated by it, so that both run as
//! often, but for cycles between them.
//!
//! A block that post-dominates its immediate dominator is equivalent to it, and is its immediate post-dominator: one
//! between the two would be passed on every way from the last pass of the dominator on, and dominate the block. So no block
//! has two such blocks below it in the dominator tree, every reached block is in one class, each class is a path down the
//! dominator tree, and those above a block in its class are the dominators that it post-dominates.
//!
//! What is in one natural loop or in one strongly connected component stands together in a class: a block between two
//! of its blocks is on every path from one to the other, also on those that stay in the cycle. So going up a class,
//! cycles are passed as a whole. If one is left behind by a block below that is not in it, then its header is in the
//! class too: the header reaches that block only through the cycle, as all of the cycle's blocks do.

use std::ops::Range;

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{entity_impl, PrimaryMap};

use super::cycles::{Cycle, Cycles};
use super::estimated_weights::Weighed;
use super::out_edges::OutEdges;
use crate::cfg::{refill_first, Block};

/// The place of a block in the list of all classes, in which each goes from the root down.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ClassPosition(u32);
entity_impl!(ClassPosition, "place");

impl ClassPosition {
    /// The place below.
    pub fn next(self) -> Self {
        ClassPosition(self.0 + 1)
    }
}

/// All classes of a function.
///
/// LLVM: `BranchProbabilityInfo::propagateEstimatedBlockWeight`.
#[derive(Default)]
pub(super) struct ControlEquivalence {
    places: PrimaryMap<Block, PackedOption<ClassPosition>>,
    entries: PrimaryMap<ClassPosition, ClassMember>,
    // What follows is needed while classes are found.
    /// The block below each block in its class.
    below: PrimaryMap<Block, PackedOption<Block>>,
    roots: Vec<Block>,
    /// Of each cycle, the last place listed.
    last: Vec<PackedOption<ClassPosition>>,
}

struct ClassMember {
    block: Block,
    /// The nearest place above whose block is in the same cycle.
    above: PackedOption<ClassPosition>,
    /// The first place of the class.
    root: ClassPosition,
}

impl ControlEquivalence {
    /// Finds the classes of the blocks that the entry reaches.
    pub fn compute(&mut self, cycles: &Cycles) {
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

    /// The place of `block`, if the entry reaches it.
    pub fn place(&self, block: Block) -> Option<ClassPosition> {
        self.places[block].expand()
    }

    /// The block at `place`.
    pub fn block(&self, place: ClassPosition) -> Block {
        self.entries[place].block
    }

    /// The nearest place above `place` whose block is in the same cycle.
    ///
    /// LLVM: `BranchProbabilityInfo::isLoopEnteringExitingEdge`.
    pub fn above(&self, place: ClassPosition) -> Option<ClassPosition> {
        self.entries[place].above.expand()
    }

    /// The places above `place` up to that one, or to the root of the class.
    pub fn between(&self, place: ClassPosition) -> Range<ClassPosition> {
        let entry = &self.entries[place];
        entry.above.expand().map_or(entry.root, ClassPosition::next)..place
    }
}

/// Whether `block` is the first of its class, where that takes neither dominators nor post-dominators to see; else false.
///
/// That is so if no predecessor is in a cycle with the block, and an edge leads elsewhere from each, or out of the
/// outermost cycle around it. One of these components leads to none of the others: from where its other edge leads, no
/// way comes to `block`, but one leaves the function or goes on for ever. And what dominates `block` leads there.
pub(super) fn is_root(cycles: &Cycles, edges: &OutEdges, block: Block) -> bool {
    let graph = cycles.graph;
    let before = graph.predecessors(block);
    let leads_elsewhere = |&source: &Block| match cycles.component_left(source, block) {
        None => false,
        // A switch is not looked through for each of its edges.
        Some(Cycle::None) => {
            let targets = graph.successors(source);
            [targets.first(), targets.last()] != [Some(&block); 2]
        }
        // Which of the edges to the block come from the cycle is not asked: mostly there is one.
        Some(cycle) => edges.count(Weighed::Cycle(cycle)) > before.len(),
    };
    let is_reached = |block: &&Block| graph.tree().reaches(**block);
    is_reached(&&block) && before.iter().filter(is_reached).all(leads_elsewhere)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::cycles::Cycle;
    use super::super::test_support::{draw, pictures, Drawn};
    use super::{is_root, ClassPosition, ControlEquivalence, OutEdges};
    use crate::cfg::test_support::config;
    use crate::cfg::Block;

    /// Where the block `name` stands.
    fn place(drawn: &Drawn, classes: &ControlEquivalence, name: &str) -> ClassPosition {
        classes.place(drawn.block(name)).expect("it is reached")
    }

    /// The arms of a diamond are classes of their own; a loop's body that may be skipped is one too.
    #[test]
    fn what_runs_exactly_as_often_is_one_class() {
        let drawn = draw("entry -> l r; l -> m; m -> j; r -> j; j -> h; h -> body end; body -> h; end");
        let classes = drawn.control_equivalence();
        let names = ["entry", "j", "h", "end", "l", "m", "body", "r"];
        let places: Vec<u32> = names.iter().map(|name| place(&drawn, &classes, name).as_u32()).collect();
        // entry .. end, l .. m, r and body, in the order of the walk from the entry.
        assert_eq!(places, [0, 1, 2, 3, 4, 5, 6, 7]);
    }

    /// From i up to o, the header of the loop around, nothing is passed; from x up to the entry, three loops are.
    #[test]
    fn the_path_up_has_blocks_of_one_cycle() {
        let drawn = draw("entry -> a; a -> a o; o -> i; i -> i l; l -> o x; x");
        let classes = drawn.control_equivalence();
        let place = |name: &str| place(&drawn, &classes, name);
        let above = |name: &str| classes.above(place(name));
        assert_eq!((above("x"), classes.between(place("x"))), (Some(place("entry")), place("a")..place("x")));
        assert_eq!((above("l"), classes.between(place("l"))), (Some(place("o")), place("i")..place("l")));
        assert_eq!((above("i"), classes.between(place("i"))), (None, place("entry")..place("i")));
        assert_eq!((above("entry"), classes.between(place("entry")).is_empty()), (None, true));
    }

    /// The loop leads to cold by one edge, and by another one to end: cold is a root. So is in, but it is not seen to be, as
    /// it is in the loop; and what all ways lead to is none.
    #[test]
    fn roots_are_found_behind_branches_and_cycles() {
        let drawn = draw(
            "entry -> head rare; head -> in latch; in -> cold latch; latch -> head end; rare -> end; cold -> end; end",
        );
        let cycles = drawn.cycles();
        let mut edges = OutEdges::default();
        edges.start(&cycles);
        let seen = |name| is_root(&cycles, &edges, drawn.block(name));
        assert_eq!(["entry", "rare", "cold", "in", "end"].map(seen), [true, true, true, false, false]);
    }

    proptest! {
        #![proptest_config(config())]

        /// Above a block in its class are the dominators that it post-dominates, each above its own.
        #[test]
        fn an_equivalence_class_is_post_dominated_by_its_last_block(picture in pictures()) {
            let drawn = draw(&picture);
            let (classes, graph) = (drawn.control_equivalence(), &drawn.function.graph);
            let post_dominators = drawn.function.graph.post_dominators();
            for block in drawn.function.graph.blocks() {
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

        /// What is seen without them is so.
        #[test]
        fn a_root_that_is_found_is_one(picture in pictures()) {
            let drawn = draw(&picture);
            let (classes, cycles) = (drawn.control_equivalence(), drawn.cycles());
            let mut edges = OutEdges::default();
            edges.start(&cycles);
            for block in drawn.function.graph.blocks().filter(|&block| is_root(&cycles, &edges, block)) {
                let place = classes.place(block).expect("it is reached");
                prop_assert!(classes.entries[place].root == place);
            }
        }

        /// Nothing between a block and the one above is in its cycle; and the loops that are left on the way have
        /// their headers there.
        #[test]
        fn short_paths_agree_with_long_paths(picture in pictures()) {
            let drawn = draw(&picture);
            let (classes, cycles) = (drawn.control_equivalence(), drawn.cycles());
            for block in drawn.function.graph.blocks() {
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
