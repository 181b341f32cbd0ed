//! What can be wrong with facts.

use super::Terminator;
use crate::cfg::{Block, GraphError};

/// Why some facts cannot be those of a function.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FactsError {
    /// The graph is none.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// Something is said of a block that the graph does not have.
    #[error("{block} does not exist (number of blocks: {blocks})")]
    NoSuchBlock {
        /// The block that does not exist.
        block: Block,
        /// How many blocks there are.
        blocks: usize,
    },
    /// There are facts about more or fewer blocks than the graph has.
    #[error("there are facts about {facts} blocks, but {blocks} blocks")]
    BlockCount {
        /// Of how many blocks something is said.
        facts: usize,
        /// How many blocks there are.
        blocks: usize,
    },
    /// A terminator of this kind has another number of successors.
    #[error("{block} ends in {terminator:?}, which does not have {successors} successors")]
    SuccessorCount {
        /// The block.
        block: Block,
        /// What ends it.
        terminator: Terminator,
        /// How many successors it has.
        successors: usize,
    },
    /// Branch weights, or profile metadata of another kind, on a terminator with no choice.
    #[error("{block} carries a profile, but ends in {terminator:?} with {successors} successors")]
    NoChoice {
        /// The block.
        block: Block,
        /// What ends it.
        terminator: Terminator,
        /// How many successors it has.
        successors: usize,
    },
    /// Another number of branch weights than of successors.
    #[error("{block} has {successors} successors, but {weights} weights")]
    WeightCount {
        /// The block.
        block: Block,
        /// How many weights there are.
        weights: usize,
        /// How many successors there are.
        successors: usize,
    },
    /// Weights beyond the end of the pool.
    #[error("the weights of {block} begin at place {start} of a pool of {pool}")]
    WeightPlace {
        /// The block.
        block: Block,
        /// Where its weights begin.
        start: u32,
        /// How many weights there are of all blocks.
        pool: usize,
    },
    /// A block has two sets of branch weights.
    #[error("{0} has branch weights already")]
    WeightsTwice(Block),
    /// A block has both branch weights and profile metadata of another kind, of which a terminator carries one.
    #[error("{0} has branch weights, and a profile of another kind")]
    TwoProfiles(Block),
    /// Only two-way branches test a condition.
    #[error("{block} tests a condition, but ends in {terminator:?}")]
    NoTest {
        /// The block.
        block: Block,
        /// What ends it.
        terminator: Terminator,
    },
    /// A block that never completes goes nowhere.
    #[error("{block} never completes, but ends in {terminator:?}")]
    Completes {
        /// The block.
        block: Block,
        /// What ends it.
        terminator: Terminator,
    },
    /// A block that ends in `unreachable` is not marked as one that never completes.
    #[error("{0} ends in Unreachable, but is not marked as never completing")]
    UnmarkedUnreachable(Block),
    /// A block that completes does not contain a call that does not return.
    #[error("{0} contains a call that does not return, and yet completes")]
    NoreturnCompletes(Block),
    /// A block has two loop header weights.
    #[error("{0} has a loop header weight already")]
    HeaderWeightTwice(Block),
    /// Loop header weights are not in block order.
    #[error("the loop header weight of {block} stands behind that of {before}")]
    HeaderWeightOrder {
        /// The block.
        block: Block,
        /// The block before it in the list, which has the higher number.
        before: Block,
    },
}
