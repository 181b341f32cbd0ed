//! Facts about a function, and their parts without checks of the invariants.

use cranelift_entity::{EntityRef, PrimaryMap};

use super::{BlockFacts, Terminator, WeightIndex};
use crate::cfg::{Block, ControlFlow, Graph};

/// A function as plain data.
///
/// [`FunctionFacts::builder`] builds facts. `FunctionFacts::from(graph)` creates facts from a graph alone. All facts
/// satisfy these invariants:
///
/// - The graph has an entry, the lists of predecessors match the lists of successors, and each block has facts.
/// - Each block has a number of successors that is valid for its [`Terminator`].
/// - A block has either no branch weights, or one weight for each successor. A terminator has branch weights or other
///   profile metadata only if both conditions hold: it has several successors, and some LLVM version accepts branch
///   weights on it.
/// - Loop header weights are sorted by block. Each block has at most one header weight.
/// - Only a conditional branch has a [`Condition`](super::Condition) or a comparison with a constant.
/// - If a block never completes, its terminator is `unreachable` or a return. A block that ends in `unreachable` never
///   completes. If a block contains a call that does not return, the block never completes.
#[derive(Clone, Debug)]
pub struct FunctionFacts {
    pub(crate) graph: ControlFlow,
    pub(crate) blocks: PrimaryMap<Block, BlockFacts>,
    /// The valid branch weights of all blocks; see [`FunctionFacts::weights`].
    pub(crate) weight_pool: Vec<u32>,
    pub(crate) header_weights: Vec<(Block, u64)>,
    pub(crate) entry_count: Option<EntryCount>,
}

/// The number of entries into a function.
///
/// LLVM: `Function::ProfileCount`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryCount {
    /// The number of entries.
    pub count: u64,
    /// True if a pass estimated the count, and false if the count comes from a profile. LLVM's printers ignore
    /// estimated counts.
    pub synthetic: bool,
}

impl From<Graph> for FunctionFacts {
    /// Creates facts from a graph without other information. The number of successors of a block determines its
    /// terminator: `ret`, `br` or `switch`.
    ///
    /// The graph must have a block: analyses of the facts of an empty graph ([`Graph::default`]) panic.
    fn from(graph: Graph) -> Self {
        let facts = |block| BlockFacts {
            terminator: match graph.successors(block).len() {
                0 => Terminator::Return,
                1 => Terminator::Jump,
                2 => Terminator::Branch,
                _ => Terminator::Switch,
            },
            ..BlockFacts::default()
        };
        let blocks = graph.blocks().map(facts).collect();
        FunctionFacts::with_blocks(graph, blocks)
    }
}

impl FunctionFacts {
    /// Creates facts without weights or counts.
    pub(crate) fn with_blocks(graph: Graph, blocks: PrimaryMap<Block, BlockFacts>) -> Self {
        let (weight_pool, header_weights) = (Vec::new(), Vec::new());
        FunctionFacts { graph: graph.into(), blocks, weight_pool, header_weights, entry_count: None }
    }

    /// The control-flow graph and its analyses. If the function comes from LLVM, the blocks and successors have
    /// the same order as in LLVM.
    pub fn graph(&self) -> &ControlFlow {
        &self.graph
    }

    /// For each block, the properties that the rules use.
    pub fn blocks(&self) -> &PrimaryMap<Block, BlockFacts> {
        &self.blocks
    }

    /// The number of entries into the function, or `None` if the function has no count (`!prof` metadata of the
    /// function).
    pub fn entry_count(&self) -> Option<EntryCount> {
        self.entry_count
    }

    /// The valid branch weights of the terminator of `block`, one for each successor.
    ///
    /// # Panics
    ///
    /// Panics if the function does not have the block.
    #[inline(always)] // The analyses call this method for every branch.
    pub fn weights(&self, block: Block) -> Option<&[u32]> {
        let start = self.blocks[block].weights.expand()?.index();
        Some(&self.weight_pool[start..start + self.graph.successors(block).len()])
    }

    /// Sets the branch weights of the terminator of `block`, one for each successor. Replaces earlier weights.
    ///
    /// # Panics
    ///
    /// Panics if the function does not have the block, or if the number of weights differs from the number of
    /// successors. Also panics if 2^32 weights have been set since the last call of
    /// [`forget_weights`](Self::forget_weights).
    pub fn set_weights(&mut self, block: Block, weights: &[u32]) {
        assert_eq!(
            weights.len(),
            self.graph.successors(block).len(),
            "the number of weights of {block} differs from the number of its successors"
        );
        let start = WeightIndex::new(self.weight_pool.len());
        self.weight_pool.extend_from_slice(weights);
        assert!(self.weight_pool.len() <= u32::MAX as usize, "the function has 2^32 weights or more");
        self.blocks[block].weights = start.into();
    }

    /// Removes the branch weights of all terminators.
    pub fn forget_weights(&mut self) {
        self.weight_pool.clear();
        self.blocks.values_mut().for_each(|facts| facts.weights = None.into());
    }

    /// Removes all profile data: branch weights, loop header weights, and the entry count. Without these data,
    /// predictions are static.
    pub fn forget_profile(&mut self) {
        self.forget_weights();
        self.header_weights.clear();
        self.entry_count = None;
    }

    /// Sets an entry count and header weights for tests, without checks.
    #[cfg(feature = "test-support")]
    pub fn set_profile(&mut self, entry_count: Option<EntryCount>, header_weights: Vec<(Block, u64)>) {
        self.entry_count = entry_count;
        self.header_weights = header_weights;
    }

    /// Whether the facts contain data from a profile.
    pub fn has_profile(&self) -> bool {
        !self.weight_pool.is_empty() || !self.header_weights.is_empty() || self.entry_count.is_some()
    }

    /// Loop header weights (`!irr_loop` metadata), in block order.
    pub fn header_weights(&self) -> &[(Block, u64)] {
        &self.header_weights
    }

    /// The loop header weight of `block`.
    pub fn header_weight(&self, block: Block) -> Option<u64> {
        header_weight(&self.header_weights, block)
    }

    /// The number of entries into the function according to a profile. Ignores estimated counts, like LLVM's printers.
    pub fn measured_entries(&self) -> Option<u64> {
        self.entry_count.filter(|entries| !entries.synthetic).map(|entries| entries.count)
    }
}

/// The weight of `block` in a list of header weights. The list must be sorted by block.
pub(crate) fn header_weight(header_weights: &[(Block, u64)], block: Block) -> Option<u64> {
    let place = header_weights.binary_search_by_key(&block, |&(block, _)| block).ok()?;
    Some(header_weights[place].1)
}

/// The parts of a function's facts. This type is for code that guarantees the invariants and needs more speed than
/// [`FunctionFacts::builder`].
#[derive(Clone, Debug, Default)]
pub struct FactsParts {
    /// The graph.
    pub graph: Graph,
    /// For each block, the properties that the rules use.
    pub blocks: PrimaryMap<Block, BlockFacts>,
    /// The branch weights of all blocks, one for each successor. The weights of a block are adjacent, and
    /// [`BlockFacts::weights`] is the index of the first weight of the block.
    pub weight_pool: Vec<u32>,
    /// Loop header weights, sorted by block.
    pub header_weights: Vec<(Block, u64)>,
    /// The number of entries into the function.
    pub entry_count: Option<EntryCount>,
}

impl FunctionFacts {
    /// Creates facts from parts, without checking the invariants of [`FunctionFacts`].
    ///
    /// # Panics
    ///
    /// If an invariant is violated, a debug build panics. In a release build, analyses of such facts can panic or have
    /// meaningless results.
    pub fn from_parts_unchecked(parts: FactsParts) -> Self {
        let FactsParts { graph, blocks, weight_pool, header_weights, entry_count } = parts;
        let facts = FunctionFacts { graph: graph.into(), blocks, weight_pool, header_weights, entry_count };
        debug_assert_eq!(facts.check(), Ok(()));
        facts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfg::parse_graph;
    use crate::facts::{Condition, Terminator, WeightIndex};

    /// The blocks `a` and `c` have weights, and `b` has no weights.
    fn weighed() -> (FunctionFacts, [Block; 3]) {
        let (graph, block) = parse_graph("a -> b c; b; c -> a b").expect("the text is a valid graph");
        let blocks = graph.blocks().map(|_| BlockFacts::default()).collect();
        let mut facts = FunctionFacts::with_blocks(graph, blocks);
        let [a, b, c] = ["a", "b", "c"].map(block);
        facts.set_weights(c, &[3, 4]);
        facts.set_weights(a, &[1, 2]);
        (facts, [a, b, c])
    }

    #[test]
    fn each_block_has_its_own_weights() {
        let (facts, blocks) = weighed();
        assert_eq!(blocks.map(|block| facts.weights(block)), [Some(&[1, 2][..]), None, Some(&[3, 4])]);
    }

    #[test]
    fn removed_weights_can_be_replaced() {
        let (mut facts, [a, b, c]) = weighed();
        facts.forget_weights();
        assert_eq!([a, b, c].map(|block| facts.weights(block)), [None; 3]);
        assert!(facts.weight_pool.is_empty());
        facts.set_weights(c, &[5, 6]);
        assert_eq!([a, c].map(|block| facts.weights(block)), [None, Some(&[5, 6][..])]);
    }

    #[test]
    fn forget_profile_removes_all_profile_data() {
        let (mut facts, blocks) = weighed();
        facts.header_weights = vec![(blocks[0], 7)];
        facts.entry_count = Some(EntryCount { count: 3, synthetic: false });
        facts.forget_profile();
        assert_eq!(blocks.map(|block| facts.weights(block)), [None; 3]);
        assert_eq!((facts.header_weights(), facts.entry_count()), (&[][..], None));
    }

    #[test]
    fn header_weights_are_found_by_block() {
        let (mut facts, [a, b, c]) = weighed();
        facts.header_weights = vec![(a, 7), (c, 0)];
        assert_eq!([a, b, c].map(|block| facts.header_weight(block)), [Some(7), None, Some(0)]);
    }

    /// Facts about `a -> b c; b; c`.
    fn parts() -> FactsParts {
        let (graph, _) = parse_graph("a -> b c; b; c").expect("the text is a valid graph");
        let weights = WeightIndex::from_u32(1).into();
        let branch = BlockFacts { terminator: Terminator::Branch, weights, ..BlockFacts::default() };
        let end = BlockFacts::default();
        FactsParts {
            graph,
            blocks: [branch, end, end].into_iter().collect(),
            weight_pool: vec![9, 7, 8],
            header_weights: vec![(Block::from_u32(1), 3)],
            entry_count: Some(EntryCount { count: 4, synthetic: false }),
        }
    }

    #[test]
    fn parts_are_not_changed() {
        let facts = FunctionFacts::from_parts_unchecked(parts());
        let [a, b] = [0, 1].map(Block::from_u32);
        assert_eq!((facts.graph().block_count(), facts.blocks().len()), (3, 3));
        assert_eq!(facts.weights(a), Some(&[7, 8][..]));
        assert_eq!((facts.header_weights(), facts.header_weight(b)), (&[(b, 3)][..], Some(3)));
        assert_eq!(facts.entry_count(), Some(EntryCount { count: 4, synthetic: false }));
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "WeightIndex")]
    fn a_debug_build_checks_the_parts() {
        FunctionFacts::from_parts_unchecked(FactsParts { weight_pool: vec![9, 7], ..parts() });
    }

    #[test]
    fn the_builder_makes_the_same_facts() {
        let [a, b] = [0, 1].map(Block::from_u32);
        let mut builder = FunctionFacts::builder(parts().graph);
        builder
            .weights(a, &[7, 8])
            .header_weight(b, 3)
            .entry_count(EntryCount { count: 4, synthetic: false });
        let (built, taken) = (builder.build().unwrap(), FunctionFacts::from_parts_unchecked(parts()));
        for block in built.graph().blocks() {
            let [one, other] = [&built, &taken].map(|facts| facts.blocks()[block]);
            assert_eq!(
                (one.terminator, one.properties, one.condition),
                (other.terminator, other.properties, other.condition)
            );
            assert_eq!(one.condition, Condition::Opaque);
            assert_eq!(built.weights(block), taken.weights(block));
        }
        assert_eq!(
            (built.header_weights(), built.entry_count()),
            (taken.header_weights(), taken.entry_count())
        );
    }
}
