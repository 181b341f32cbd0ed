//! The parts of a function's facts, without checks of the invariants.

use cranelift_entity::PrimaryMap;

use super::{BlockFacts, EntryCount, FunctionFacts};
use crate::cfg::{Block, Graph};

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
