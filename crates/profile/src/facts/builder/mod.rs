//! Builder of facts.

use super::{BlockFacts, BlockProperties, Condition, EntryCount, FactsError, FunctionFacts, Terminator};
use crate::cfg::{Block, Graph};

/// Builds the facts of a function, and checks them.
///
/// A new builder has only the graph. The default terminators follow from the numbers of successors:
/// [`Terminator::Return`], [`Jump`](Terminator::Jump), [`Branch`](Terminator::Branch) and
/// [`Switch`](Terminator::Switch). If a fact about a block is set twice, the last value is used. Branch weights and
/// header weights can be set only once.
///
/// ```
/// use bpa_profile::cfg::parse_graph;
/// use bpa_profile::facts::{Condition, FunctionFacts};
///
/// let (graph, block) = parse_graph("entry -> fail work; fail; work -> work done; done").unwrap();
/// let mut facts = FunctionFacts::builder(graph);
/// facts.condition(block("entry"), Condition::Pointer { unequal: false });
/// facts.unreachable(block("fail")).cold_call(block("fail"));
/// facts.weights(block("work"), &[99, 1]);
/// let facts = facts.build()?;
/// assert_eq!(facts.weights(block("work")), Some(&[99, 1][..]));
///
/// let (graph, block) = parse_graph("entry -> left right; left; right").unwrap();
/// let mut facts = FunctionFacts::builder(graph);
/// facts.weights(block("entry"), &[1, 2, 3]);
/// assert_eq!(facts.build().unwrap_err().to_string(), "bb0 has 2 successors, but 3 weights");
/// # Ok::<(), bpa_profile::facts::FactsError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "call `build()` to create the facts"]
pub struct FunctionFactsBuilder {
    facts: FunctionFacts,
    /// The first error, if there is one.
    error: Option<FactsError>,
}

impl FunctionFacts {
    /// Creates a builder with only the graph of a function.
    pub fn builder(graph: Graph) -> FunctionFactsBuilder {
        FunctionFactsBuilder { facts: FunctionFacts::from(graph), error: None }
    }
}

impl FunctionFactsBuilder {
    /// Sets the terminator of `block`.
    pub fn terminator(&mut self, block: Block, terminator: Terminator) -> &mut Self {
        self.edit(block, |facts| facts.terminator = terminator)
    }

    /// Sets the terminator [`Terminator::Unreachable`]: `block` ends in `unreachable` or in a trap.
    pub fn unreachable(&mut self, block: Block) -> &mut Self {
        self.terminator(block, Terminator::Unreachable)
    }

    /// Records that `block` ends in a call to `llvm.experimental.deoptimize` and a return. Such a block never
    /// completes, because execution continues in an interpreter. This call is not necessary for
    /// blocks that end in `unreachable`.
    pub fn deoptimizes(&mut self, block: Block) -> &mut Self {
        self.add_property(block, BlockProperties::NEVER_COMPLETES)
    }

    /// Records that `block` has a call that does not return. `block` must end in `unreachable`, or
    /// [`deoptimizes`](Self::deoptimizes) must also be called for `block`. The block can run once. It therefore gets a
    /// higher weight than an `unreachable` block without a `noreturn` call.
    pub fn noreturn_call(&mut self, block: Block) -> &mut Self {
        self.add_property(block, BlockProperties::NORETURN_CALL)
    }

    /// Records that `block` has a cold call, or is a cold block.
    pub fn cold_call(&mut self, block: Block) -> &mut Self {
        self.add_property(block, BlockProperties::COLD_CALL)
    }

    /// Records that `block` is a cleanup or a handler, which runs only during exception handling.
    pub fn exception_path(&mut self, block: Block) -> &mut Self {
        self.add_property(block, BlockProperties::EXCEPTION_PATH)
    }

    /// Sets the condition of the conditional branch at the end of `block`.
    pub fn condition(&mut self, block: Block, condition: Condition) -> &mut Self {
        self.edit(block, |facts| facts.condition = condition)
    }

    /// Records that `block` ends in a branch on a comparison with a constant.
    /// If the block is in a loop, [`LoopConditions`](super::LoopConditions) can find the value that the branch compares
    /// in the next iteration.
    pub fn compares_with_constant(&mut self, block: Block) -> &mut Self {
        self.add_property(block, BlockProperties::COMPARES_WITH_CONSTANT)
    }

    /// Sets the branch weights of `block`, one for each successor in order. Parallel edges have separate weights. The
    /// weights are counts or ratios. No other rule applies to a block with weights. However, the probability of an edge
    /// to a block that never completes is at most 2^-31.
    pub fn weights(&mut self, block: Block, weights: &[u32]) -> &mut Self {
        if !self.exists(block) {
            return self;
        }
        let successors = self.facts.graph.successors(block).len();
        if self.facts.blocks[block].weights.is_some() {
            self.record_error(FactsError::WeightsTwice(block));
        } else if weights.len() != successors {
            self.record_error(FactsError::WeightCount { block, weights: weights.len(), successors });
        } else {
            self.facts.set_weights(block, weights);
        }
        self
    }

    /// Records that the terminator of `block` has profile metadata that is not branch weights. Such metadata must not
    /// be overwritten.
    pub fn other_profile(&mut self, block: Block) -> &mut Self {
        self.add_property(block, BlockProperties::OTHER_PROFILE)
    }

    /// Sets the weight of `block`, which is an entry of a cycle. The mass of an irreducible cycle is distributed among
    /// its entries in proportion to their weights. Only the ratios of weights matter. A weight of a block that is no
    /// such entry has no effect. If the sum of the weights of a cycle exceeds 2^64 - 1, the ratios can be lost.
    pub fn header_weight(&mut self, block: Block, weight: u64) -> &mut Self {
        if self.exists(block) {
            self.facts.header_weights.push((block, weight));
        }
        self
    }

    /// Sets the number of entries into the function.
    pub fn entry_count(&mut self, entries: EntryCount) -> &mut Self {
        self.facts.entry_count = Some(entries);
        self
    }

    /// Checks the facts and returns them.
    ///
    /// # Errors
    ///
    /// Returns the first error of a setter. If no setter had an error, returns the first violated invariant of
    /// [`FunctionFacts`].
    pub fn build(self) -> Result<FunctionFacts, FactsError> {
        let FunctionFactsBuilder { mut facts, error } = self;
        if let Some(error) = error {
            return Err(error);
        }
        for block in facts.blocks.values_mut().filter(|block| block.terminator == Terminator::Unreachable) {
            block.properties.add(BlockProperties::NEVER_COMPLETES);
        }
        facts.header_weights.sort_by_key(|&(block, _)| block);
        facts.check()?;
        Ok(facts)
    }

    fn add_property(&mut self, block: Block, property: BlockProperties) -> &mut Self {
        self.edit(block, |facts| facts.properties.add(property))
    }

    fn edit(&mut self, block: Block, edit: impl FnOnce(&mut BlockFacts)) -> &mut Self {
        if self.exists(block) {
            edit(&mut self.facts.blocks[block]);
        }
        self
    }

    /// Whether `block` exists. If the block does not exist, records an error.
    fn exists(&mut self, block: Block) -> bool {
        let exists = self.facts.blocks.is_valid(block);
        if !exists {
            self.record_error(FactsError::NoSuchBlock { block, blocks: self.facts.blocks.len() });
        }
        exists
    }

    fn record_error(&mut self, error: FactsError) {
        self.error.get_or_insert(error);
    }
}

#[cfg(test)]
mod tests;
