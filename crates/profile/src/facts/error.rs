//! Errors in facts, and the checks that find them.

use cranelift_entity::EntityRef;

use super::{BlockFacts, BlockProperties, Condition, FunctionFacts, Terminator};
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

impl FunctionFacts {
    /// Checks the invariants of [`FunctionFacts`]. The analyses rely on these invariants.
    ///
    /// # Errors
    ///
    /// If an invariant is violated, returns the first violation in the order of the blocks.
    pub(crate) fn check(&self) -> Result<(), FactsError> {
        self.graph.check()?;
        let (facts, blocks) = (self.blocks.len(), self.graph.block_count());
        if facts != blocks {
            return Err(FactsError::BlockCount { facts, blocks });
        }
        self.blocks.iter().try_for_each(|(block, facts)| self.check_block(block, facts))?;
        self.check_header_weights()
    }

    fn check_block(&self, block: Block, facts: &BlockFacts) -> Result<(), FactsError> {
        let successors = self.graph.successors(block).len();
        let terminator = facts.terminator;
        if !terminator.can_have(successors) {
            return Err(FactsError::SuccessorCount { block, terminator, successors });
        }
        check_test(block, facts)?;
        check_end(block, facts)?;
        self.check_profile(block, facts, successors)
    }

    /// Checks branch weights and other profile metadata.
    fn check_profile(&self, block: Block, facts: &BlockFacts, successors: usize) -> Result<(), FactsError> {
        let terminator = facts.terminator;
        let is_other = facts.properties.has(BlockProperties::OTHER_PROFILE);
        if (is_other || facts.weights.is_some()) && !(terminator.may_carry_weights(true) && successors > 1) {
            return Err(FactsError::NoChoice { block, terminator, successors });
        }
        let Some(start) = facts.weights.expand() else { return Ok(()) };
        if is_other {
            return Err(FactsError::TwoProfiles(block));
        }
        let pool = self.weight_pool.len();
        if pool.checked_sub(start.index()).is_none_or(|behind| behind < successors) {
            return Err(FactsError::WeightIndex { block, start: start.as_u32(), pool });
        }
        Ok(())
    }

    fn check_header_weights(&self) -> Result<(), FactsError> {
        let blocks = self.graph.block_count();
        for pair in self.header_weights.windows(2) {
            let [(before, _), (block, _)] = *pair else { unreachable!("windows of 2") };
            if before == block {
                return Err(FactsError::HeaderWeightTwice(block));
            }
            if before > block {
                return Err(FactsError::HeaderWeightOrder { block, before });
            }
        }
        match self.header_weights.last() {
            Some(&(block, _)) if block.as_u32() as usize >= blocks => {
                Err(FactsError::NoSuchBlock { block, blocks })
            }
            _ => Ok(()),
        }
    }
}

/// Checks the condition of the terminator.
fn check_test(block: Block, facts: &BlockFacts) -> Result<(), FactsError> {
    let tests =
        facts.condition != Condition::Opaque || facts.properties.has(BlockProperties::COMPARES_WITH_CONSTANT);
    match facts.terminator {
        terminator if tests && terminator != Terminator::Branch => {
            Err(FactsError::NoTest { block, terminator })
        }
        _ => Ok(()),
    }
}

/// Checks that `NEVER_COMPLETES` does not contradict the terminator or the property `NORETURN_CALL` of the block.
fn check_end(block: Block, facts: &BlockFacts) -> Result<(), FactsError> {
    let never_completes = facts.properties.has(BlockProperties::NEVER_COMPLETES);
    match facts.terminator {
        Terminator::Unreachable if !never_completes => Err(FactsError::UnreachableCompletes(block)),
        Terminator::Unreachable | Terminator::Return => Ok(()),
        terminator if never_completes => Err(FactsError::Completes { block, terminator }),
        _ => Ok(()),
    }?;
    match never_completes || !facts.properties.has(BlockProperties::NORETURN_CALL) {
        true => Ok(()),
        false => Err(FactsError::NoreturnCompletes(block)),
    }
}
