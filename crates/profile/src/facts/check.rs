//! What holds of every set of facts, and is taken for granted by the analyses.

use cranelift_entity::EntityRef;

use super::{BlockFacts, Condition, FactsError, FunctionFacts, Marks, Terminator};
use crate::cfg::Block;

impl FunctionFacts {
    /// Whether these can be the facts of a function. What [`FunctionFacts::builder`] builds always can.
    ///
    /// - The graph has an entry, predecessors mirror successors, and there are facts about each block.
    /// - A block has as many successors as its [`Terminator`] can have.
    /// - Branch weights are one for each successor, and they or a profile of another kind stand on a terminator with a
    ///   choice, which [may carry](Terminator::may_carry_weights) them in some version of LLVM.
    /// - Loop header weights are in block order, at most one a block.
    /// - Only a two-way branch has a [`Condition`], and compares with a constant.
    /// - A block never completes only if it ends in `unreachable` or a return, and always if in `unreachable`. Only
    ///   such blocks are marked as having a call that does not return.
    ///
    /// # Errors
    ///
    /// Says which entry is wrong: the first in block order.
    pub fn check(&self) -> Result<(), FactsError> {
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

    /// Branch weights or another kind of profile.
    fn check_profile(&self, block: Block, facts: &BlockFacts, successors: usize) -> Result<(), FactsError> {
        let terminator = facts.terminator;
        let is_other = facts.marks.has(Marks::OTHER_PROFILE);
        if (is_other || facts.weights.is_some()) && !(terminator.may_carry_weights(true) && successors > 1) {
            return Err(FactsError::NoChoice { block, terminator, successors });
        }
        let Some(start) = facts.weights.expand() else { return Ok(()) };
        if is_other {
            return Err(FactsError::TwoProfiles(block));
        }
        let pool = self.weight_pool.len();
        if pool.checked_sub(start.index()).is_none_or(|behind| behind < successors) {
            return Err(FactsError::WeightPlace { block, start: start.as_u32(), pool });
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

/// What the terminator tests.
fn check_test(block: Block, facts: &BlockFacts) -> Result<(), FactsError> {
    let tests = facts.condition != Condition::Opaque || facts.marks.has(Marks::COMPARES_WITH_CONSTANT);
    match facts.terminator {
        terminator if tests && terminator != Terminator::Branch => {
            Err(FactsError::NoTest { block, terminator })
        }
        _ => Ok(()),
    }
}

/// Whether the block completes.
fn check_end(block: Block, facts: &BlockFacts) -> Result<(), FactsError> {
    let never_completes = facts.marks.has(Marks::NEVER_COMPLETES);
    match facts.terminator {
        Terminator::Unreachable if !never_completes => Err(FactsError::UnmarkedUnreachable(block)),
        Terminator::Unreachable | Terminator::Return => Ok(()),
        terminator if never_completes => Err(FactsError::Completes { block, terminator }),
        _ => Ok(()),
    }?;
    match never_completes || !facts.marks.has(Marks::NORETURN_CALL) {
        true => Ok(()),
        false => Err(FactsError::NoreturnCompletes(block)),
    }
}
