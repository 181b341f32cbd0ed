//! Errors in facts.

use super::Terminator;
use crate::cfg::{Block, GraphError};

/// The reason why facts are invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FactsError {
    /// The graph is invalid.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The caller sets a property of a block, but this block does not exist.
    #[error("{block} does not exist (number of blocks: {blocks})")]
    NoSuchBlock {
        /// The block that the graph does not contain.
        block: Block,
        /// The number of blocks.
        blocks: usize,
    },
    /// The number of blocks that the facts describe differs from the number of blocks in the graph.
    #[error("the facts have {facts} blocks, but the graph has {blocks}")]
    BlockCount {
        /// The number of blocks that the facts describe.
        facts: usize,
        /// The number of blocks in the graph.
        blocks: usize,
    },
    /// The terminator cannot have this number of successors.
    #[error("{block} ends in {terminator:?}; the number of its successors cannot be {successors}")]
    SuccessorCount {
        /// The block.
        block: Block,
        /// The terminator.
        terminator: Terminator,
        /// The number of successors.
        successors: usize,
    },
    /// A terminator with fewer than two successors has branch weights or other profile metadata.
    #[error("{block} has profile metadata, but its terminator is {terminator:?} (successors: {successors})")]
    NoChoice {
        /// The block.
        block: Block,
        /// The terminator.
        terminator: Terminator,
        /// The number of successors.
        successors: usize,
    },
    /// The number of branch weights differs from the number of successors.
    #[error("{block} has {successors} successors, but {weights} weights")]
    WeightCount {
        /// The block.
        block: Block,
        /// The number of weights.
        weights: usize,
        /// The number of successors.
        successors: usize,
    },
    /// The branch weights of a block go beyond the end of the pool.
    #[error("the weights of {block} begin at index {start}, but the length of the pool is {pool}")]
    WeightIndex {
        /// The block.
        block: Block,
        /// The index of the first weight of the block.
        start: u32,
        /// The number of weights in the pool.
        pool: usize,
    },
    /// A block has two sets of branch weights.
    #[error("{0} has branch weights already")]
    WeightsTwice(Block),
    /// A block has branch weights and other profile metadata. A terminator can have only one kind of profile metadata.
    #[error("{0} has branch weights, and profile metadata of another kind")]
    TwoProfiles(Block),
    /// A block has a condition, but does not end in a conditional branch.
    #[error("{block} has a condition, but ends in {terminator:?}")]
    NoTest {
        /// The block.
        block: Block,
        /// The terminator.
        terminator: Terminator,
    },
    /// A block has the property `NEVER_COMPLETES`, but ends in neither `unreachable` nor a return.
    #[error("{block} never completes, but its terminator is {terminator:?}")]
    Completes {
        /// The block.
        block: Block,
        /// The terminator.
        terminator: Terminator,
    },
    /// A block ends in `unreachable`, but does not have the property `NEVER_COMPLETES`.
    #[error("{0} ends in Unreachable, but lacks the property NEVER_COMPLETES")]
    UnreachableCompletes(Block),
    /// A block lacks the property `NEVER_COMPLETES`, although it contains a call that does not return.
    #[error("{0} contains a call that does not return, but lacks the property NEVER_COMPLETES")]
    NoreturnCompletes(Block),
    /// A block has two loop header weights.
    #[error("{0} has a loop header weight already")]
    HeaderWeightTwice(Block),
    /// Loop header weights are not in block order.
    #[error("the loop header weight of {block} comes after the weight of {before}")]
    HeaderWeightOrder {
        /// The block.
        block: Block,
        /// The previous block in the list. This block has a higher number than `block`.
        before: Block,
    },
}
