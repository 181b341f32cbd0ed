//! Computes the dominators of the reachable blocks.

use std::sync::OnceLock;

use super::dominator_tree::DominatorTree;
use super::scratch::refill_with;
use super::{Adjacency, Block, Graph, SpanningTree};
use cranelift_entity::PrimaryMap;

/// The dominator tree. Block A dominates B if every path from the entry to B contains A.
///
/// # Panics
///
/// Methods with a block as argument panic if the graph does not have this block.
///
/// LLVM: `DominatorTree`.
#[derive(Default)]
pub struct Dominators {
    tree: DominatorTree,
    numbers: PrimaryMap<Block, Option<u32>>,
    blocks: Vec<Block>,
    as_graph: OnceLock<Graph>,
}

impl Dominators {
    /// Computes the dominator tree of `graph` from its depth-first walk `walk`.
    pub(crate) fn compute(&mut self, graph: &Graph, walk: &SpanningTree) {
        refill_with(&mut self.numbers, graph.blocks().map(|block| walk.number(block)));
        self.blocks.clear();
        self.blocks.extend_from_slice(walk.preorder());
        self.tree.compute(walk.parents(), |vertex| {
            let block = walk.preorder()[vertex as usize];
            graph.predecessors(block).iter().filter_map(|&predecessor| walk.number(predecessor))
        });
        self.as_graph.take();
    }

    /// The immediate dominator of `block`, or `None` for the entry and unreachable blocks.
    ///
    /// LLVM: `DomTreeNodeBase::getIDom`.
    pub fn idom(&self, block: Block) -> Option<Block> {
        let idom = self.tree.idom(self.numbers[block]?)?;
        Some(self.blocks[idom as usize])
    }

    /// The blocks that `block` immediately dominates, in layout order. An unreachable block dominates no blocks. The
    /// first call builds a table for all blocks.
    ///
    /// LLVM: `DomTreeNodeBase::children`.
    pub fn children(&self, block: Block) -> &[Block] {
        self.tree().predecessors(block)
    }

    /// The dominator tree as a graph, with an edge from each block to its immediate dominator. The children of a block
    /// in the tree are therefore its predecessors in the graph.
    pub(crate) fn tree(&self) -> &Graph {
        self.as_graph.get_or_init(|| edges_up(self.numbers.keys(), |block| self.idom(block)))
    }

    /// The nearest common dominator of `one` and `other`, or `None` if one of these blocks is unreachable. The time is
    /// linear in the number of tree edges between these blocks and the result.
    ///
    /// LLVM: `DominatorTreeBase::findNearestCommonDominator`.
    pub fn nearest_common(&self, one: Block, other: Block) -> Option<Block> {
        let common = self.tree.nearest_common(self.numbers[one]?, self.numbers[other]?);
        Some(self.blocks[common as usize])
    }

    /// Whether `block` is reachable from the entry. The tree contains exactly the reachable blocks.
    ///
    /// LLVM: `DominatorTreeBase::isReachableFromEntry`.
    pub fn contains(&self, block: Block) -> bool {
        self.numbers[block].is_some()
    }

    /// Whether the block `above` dominates the block `below`. If one of them is unreachable, the result is false.
    ///
    /// LLVM: `DominatorTreeBase::dominates`.
    pub fn dominates(&self, above: Block, below: Block) -> bool {
        match (self.numbers[above], self.numbers[below]) {
            (Some(above), Some(below)) => self.tree.dominates(above, below),
            _ => false,
        }
    }
}

/// The graph with an edge from each block to its parent in a tree. `above` returns the parent of a block. The
/// predecessors of a block are its children, in the order of `blocks`.
pub(super) fn edges_up(blocks: impl Iterator<Item = Block>, above: impl Fn(Block) -> Option<Block>) -> Graph {
    let mut rows = Adjacency::default();
    for block in blocks {
        above(block).into_iter().for_each(|above| rows.push(above));
        rows.end_row();
    }
    let children = rows.transposed();
    Graph::from_adjacency(rows, children)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::naive;
    use super::super::test_support::{config, from_picture, pictures};

    /// The function is an if-else. Neither `left` nor `right` dominates `end`, because both have an edge to `end`.
    #[test]
    fn only_the_entry_of_a_diamond_dominates_its_end() {
        let (_, control_flow, block) =
            from_picture("entry -> left right; left -> end; right -> end; end -> after; after");
        let dominators = control_flow.dominators();
        assert_eq!(dominators.idom(block("entry")), None);
        assert_eq!(dominators.idom(block("left")), Some(block("entry")));
        assert_eq!(dominators.idom(block("end")), Some(block("entry")));
        assert_eq!(dominators.idom(block("after")), Some(block("end")));
        assert!(dominators.dominates(block("entry"), block("after")));
        assert!(!dominators.dominates(block("left"), block("end")));
        assert!(!dominators.dominates(block("after"), block("end")));
        assert!(dominators.dominates(block("left"), block("left")));
    }

    #[test]
    fn the_tree_is_a_graph_from_blocks_to_their_dominators() {
        let (_, control_flow, block) =
            from_picture("entry -> left right; left -> end; right -> end; end; dead -> end");
        let tree = control_flow.dominators().tree();
        assert_eq!(tree.predecessors(block("entry")), ["left", "right", "end"].map(&block));
        assert_eq!(tree.predecessors(block("left")), []);
        assert_eq!((tree.successors(block("entry")), tree.successors(block("dead"))), (&[][..], &[][..]));
    }

    /// The block `entry` has two successors, and its successor `left` has two successors, too.
    #[test]
    fn the_nearest_common_dominator_is_the_last_common_block_of_all_paths() {
        let (_, control_flow, block) = from_picture(
            "entry -> left right; left -> a b; a -> join; b -> join; join -> end; right -> end; end; dead -> end",
        );
        let dominators = control_flow.dominators();
        let nearest = |one, other| dominators.nearest_common(block(one), block(other));
        assert_eq!(nearest("a", "b"), Some(block("left")));
        assert_eq!(nearest("a", "right"), Some(block("entry")));
        assert_eq!(nearest("join", "left"), Some(block("left")));
        assert_eq!(nearest("b", "b"), Some(block("b")));
        assert_eq!((nearest("a", "dead"), nearest("dead", "dead")), (None, None));
        assert_eq!(dominators.children(block("left")), ["a", "b", "join"].map(&block));
        assert_eq!(dominators.children(block("dead")), []);
    }

    /// In two nested loops, each header dominates all blocks of its loop, and the exit block.
    #[test]
    fn loop_headers_dominate_their_loops() {
        let (_, control_flow, block) = from_picture(
            "entry -> outer; outer -> inner exit; inner -> body; body -> inner latch; latch -> outer; exit",
        );
        let dominators = control_flow.dominators();
        let path = ["entry", "outer", "inner", "body", "latch"];
        for (place, name) in path.iter().enumerate().skip(1) {
            assert_eq!(dominators.idom(block(name)), Some(block(path[place - 1])), "{name}");
        }
        assert_eq!(dominators.idom(block("exit")), Some(block("outer")));
        assert!(!dominators.dominates(block("inner"), block("exit")));
    }

    /// In a cycle with the entries `a` and `b`, neither entry dominates the other entry.
    #[test]
    fn an_irreducible_cycle_is_dominated_from_outside() {
        let (_, control_flow, block) = from_picture("entry -> a b; a -> b; b -> a exit; exit");
        let dominators = control_flow.dominators();
        assert_eq!(dominators.idom(block("a")), Some(block("entry")));
        assert_eq!(dominators.idom(block("b")), Some(block("entry")));
        assert_eq!(dominators.idom(block("exit")), Some(block("b")));
    }

    /// The semidominator `b` of `d` does not dominate `d`, because of the edge `entry -> c`.
    #[test]
    fn an_edge_into_a_ladder_moves_the_dominator_up() {
        let (_, control_flow, block) = from_picture("entry -> a c; a -> b; b -> c d; c -> d; d");
        assert_eq!(control_flow.dominators().idom(block("d")), Some(block("entry")));
        assert_eq!(control_flow.dominators().idom(block("c")), Some(block("entry")));
        assert_eq!(control_flow.dominators().idom(block("b")), Some(block("a")));
    }

    /// The block `dead` has an edge to `end`, but is unreachable. The block `dead` does not change the dominators of
    /// `end`. Unlike a reachable block, `dead` does not dominate itself.
    #[test]
    fn unreachable_blocks_do_not_count() {
        let (_, control_flow, block) = from_picture("entry -> a; a -> end; dead -> end; end");
        let dominators = control_flow.dominators();
        assert_eq!(dominators.idom(block("end")), Some(block("a")));
        assert_eq!(dominators.idom(block("dead")), None);
        assert!(!dominators.contains(block("dead")));
        assert!(!dominators.dominates(block("dead"), block("dead")));
        assert!(!dominators.dominates(block("entry"), block("dead")));
        assert!(!dominators.dominates(block("dead"), block("end")));
    }

    proptest! {
        #![proptest_config(config())]

        #[test]
        fn dominators_match_their_definition(picture in pictures()) {
            let (_, control_flow, _) = from_picture(&picture);
            naive::check_dominators(&control_flow);
        }
    }
}
