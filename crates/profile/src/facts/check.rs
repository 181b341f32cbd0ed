//! Checks that the facts of a function do not contradict each other.

use cranelift_entity::EntityRef;

use super::{BlockFacts, BlockProperties, Condition, FactsError, FunctionFacts, Terminator};
use crate::cfg::Block;

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
