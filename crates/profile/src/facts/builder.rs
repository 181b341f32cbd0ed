//! Facts put together one by one and checked.

use super::{BlockFacts, Condition, EntryCount, FactsError, FunctionFacts, Marks, Terminator};
use crate::cfg::{Block, Graph};

/// The facts of a function under construction.
///
/// Nothing is known at first but the graph, and terminators are as their successors are many: [`Terminator::Return`],
/// [`Jump`](Terminator::Jump), [`Branch`](Terminator::Branch) and [`Switch`](Terminator::Switch). What is said twice
/// of a block holds as said last, but for branch weights and header weights, which are said once.
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
#[must_use = "build() makes the facts"]
pub struct FunctionFactsBuilder {
    facts: FunctionFacts,
    /// The first thing said that cannot be kept.
    fault: Option<FactsError>,
}

impl FunctionFacts {
    /// Begins with the facts of a function of which nothing is known but its graph.
    pub fn builder(graph: Graph) -> FunctionFactsBuilder {
        FunctionFactsBuilder { facts: FunctionFacts::from(graph), fault: None }
    }
}

impl FunctionFactsBuilder {
    /// What ends `block`.
    pub fn terminator(&mut self, block: Block, terminator: Terminator) -> &mut Self {
        self.edit(block, |facts| facts.terminator = terminator)
    }

    /// `block` ends where execution cannot be, or in a trap: [`Terminator::Unreachable`].
    pub fn unreachable(&mut self, block: Block) -> &mut Self {
        self.terminator(block, Terminator::Unreachable)
    }

    /// `block` never completes although it ends in a return: optimised code gives up there and leaves the rest to
    /// other code. What ends in `unreachable` never completes anyway.
    pub fn deoptimizes(&mut self, block: Block) -> &mut Self {
        self.mark(block, Marks::NEVER_COMPLETES)
    }

    /// `block`, which never completes, contains a call that does not return. Such a path does run, once, and so weighs
    /// more than one that is just `unreachable`.
    pub fn noreturn_call(&mut self, block: Block) -> &mut Self {
        self.mark(block, Marks::NORETURN_CALL)
    }

    /// `block` contains a call that is marked as rarely made, or is itself marked as rarely run.
    pub fn cold_call(&mut self, block: Block) -> &mut Self {
        self.mark(block, Marks::COLD_CALL)
    }

    /// `block` runs only while an exception is on its way: it cleans up or catches.
    pub fn exception_path(&mut self, block: Block) -> &mut Self {
        self.mark(block, Marks::EXCEPTION_PATH)
    }

    /// What the two-way branch at the end of `block` tests.
    pub fn condition(&mut self, block: Block, condition: Condition) -> &mut Self {
        self.edit(block, |facts| facts.condition = condition)
    }

    /// `block` ends in a two-way branch on a value compared with a constant, and
    /// [`LoopConditions`](super::LoopConditions) have an answer for it.
    pub fn compares_with_constant(&mut self, block: Block) -> &mut Self {
        self.mark(block, Marks::COMPARES_WITH_CONSTANT)
    }

    /// How often each successor of `block` was taken, or how often relative to the others: one number for each, in
    /// order, parallel edges apart. What rules say of other blocks has no say here, except that an edge to
    /// `unreachable` is hardly ever taken.
    pub fn weights(&mut self, block: Block, weights: &[u32]) -> &mut Self {
        if !self.exists(block) {
            return self;
        }
        let successors = self.facts.graph.successors(block).len();
        if self.facts.blocks[block].weights.is_some() {
            self.complain(FactsError::WeightsTwice(block));
        } else if weights.len() != successors {
            self.complain(FactsError::WeightCount { block, weights: weights.len(), successors });
        } else {
            self.facts.set_weights(block, weights);
        }
        self
    }

    /// The terminator of `block` carries profile metadata of another kind than branch weights, which is not to be
    /// overwritten.
    pub fn other_profile(&mut self, block: Block) -> &mut Self {
        self.mark(block, Marks::OTHER_PROFILE)
    }

    /// How often `block`, one of the blocks by which a cycle is entered, was reached relative to the other such blocks:
    /// that decides how an irreducible cycle shares out what comes in.
    pub fn header_weight(&mut self, block: Block, weight: u64) -> &mut Self {
        if self.exists(block) {
            self.facts.header_weights.push((block, weight));
        }
        self
    }

    /// How often the function was entered.
    pub fn entry_count(&mut self, entries: EntryCount) -> &mut Self {
        self.facts.entry_count = Some(entries);
        self
    }

    /// The facts.
    ///
    /// # Errors
    ///
    /// Says which entry is wrong: the first that could not be kept, or else the first of those that
    /// [`FunctionFacts::check`] finds.
    pub fn build(self) -> Result<FunctionFacts, FactsError> {
        let FunctionFactsBuilder { mut facts, fault } = self;
        if let Some(fault) = fault {
            return Err(fault);
        }
        for block in facts.blocks.values_mut().filter(|block| block.terminator == Terminator::Unreachable) {
            block.marks.add(Marks::NEVER_COMPLETES);
        }
        facts.header_weights.sort_by_key(|&(block, _)| block);
        facts.check()?;
        Ok(facts)
    }

    fn mark(&mut self, block: Block, mark: Marks) -> &mut Self {
        self.edit(block, |facts| facts.marks.add(mark))
    }

    fn edit(&mut self, block: Block, edit: impl FnOnce(&mut BlockFacts)) -> &mut Self {
        if self.exists(block) {
            edit(&mut self.facts.blocks[block]);
        }
        self
    }

    /// Whether there is such a block; it is a fault to speak of another.
    fn exists(&mut self, block: Block) -> bool {
        let exists = self.facts.blocks.is_valid(block);
        if !exists {
            self.complain(FactsError::NoSuchBlock { block, blocks: self.facts.blocks.len() });
        }
        exists
    }

    fn complain(&mut self, fault: FactsError) {
        self.fault.get_or_insert(fault);
    }
}

#[cfg(test)]
mod tests;
