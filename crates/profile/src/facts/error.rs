//! Errors in facts.

use super::Terminator;
use crate::cfg::{Block, GraphError};

/// A violated invariant of facts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FactsError {
    /// The graph is invalid.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A fact is about a block that does not exist.
    #[error("{block} does not exist (number of blocks: {blocks})")]
    NoSuchBlock {
        /// The block that does not exist.
        block: Block,
        /// The number of blocks.
        blocks: usize,
    },
    /// The numbers of blocks in facts and graph differ.
    #[error("there are facts about {facts} blocks, but {blocks} blocks")]
    BlockCount {
        /// The number of blocks with facts.
        facts: usize,
        /// The number of blocks in the graph.
        blocks: usize,
    },
    /// The terminator cannot have this number of successors.
    #[error("{block} ends in {terminator:?}, which does not have {successors} successors")]
    SuccessorCount {
        /// The block.
        block: Block,
        /// The terminator.
        terminator: Terminator,
        /// The number of successors.
        successors: usize,
    },
    /// Branch weights, or another kind of profile, are on a terminator without several successors.
    #[error("{block} carries a profile, but ends in {terminator:?} with {successors} successors")]
    NoChoice {
        /// The block.
        block: Block,
        /// The terminator.
        terminator: Terminator,
        /// The number of successors.
        successors: usize,
    },
    /// The numbers of branch weights and successors differ.
    #[error("{block} has {successors} successors, but {weights} weights")]
    WeightCount {
        /// The block.
        block: Block,
        /// The number of weights.
        weights: usize,
        /// The number of successors.
        successors: usize,
    },
    /// Branch weights are beyond the end of the pool.
    #[error("the weights of {block} begin at index {start} of a pool of {pool} weights")]
    WeightIndex {
        /// The block.
        block: Block,
        /// The index of its first weight.
        start: u32,
        /// The number of weights in the pool.
        pool: usize,
    },
    /// A block has two sets of branch weights.
    #[error("{0} has branch weights already")]
    WeightsTwice(Block),
    /// A block has both branch weights and another kind of profile metadata, but a terminator carries only one.
    #[error("{0} has branch weights, and a profile of another kind")]
    TwoProfiles(Block),
    /// A terminator that is no two-way branch has a condition.
    #[error("{block} tests a condition, but ends in {terminator:?}")]
    NoTest {
        /// The block.
        block: Block,
        /// The terminator.
        terminator: Terminator,
    },
    /// A block that never completes does not end in `unreachable` or a return.
    #[error("{block} never completes, but ends in {terminator:?}")]
    Completes {
        /// The block.
        block: Block,
        /// The terminator.
        terminator: Terminator,
    },
    /// A block ends in `unreachable`, but does not have the property that it never completes.
    #[error("{0} ends in Unreachable, but lacks the property NEVER_COMPLETES")]
    UnreachableCompletes(Block),
    /// A block contains a call that does not return, but completes.
    #[error("{0} contains a call that does not return, but completes")]
    NoreturnCompletes(Block),
    /// A block has two loop header weights.
    #[error("{0} has a loop header weight already")]
    HeaderWeightTwice(Block),
    /// Loop header weights are not in block order.
    #[error("the loop header weight of {block} comes after the weight of {before}")]
    HeaderWeightOrder {
        /// The block.
        block: Block,
        /// The previous block in the list, which has a higher number.
        before: Block,
    },
}
