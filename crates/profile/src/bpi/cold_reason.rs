//! The reason why a block rarely runs.

use crate::facts::{BlockFacts, BlockProperties};
use crate::rules::EstimateWeights;

/// The reason why a block rarely runs, from the block's own instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColdReason {
    /// The block ends in `unreachable`, or in a call to `llvm.experimental.deoptimize` and a `ret`.
    NeverCompletes,
    /// The block ends in `unreachable` after a call that does not return.
    NeverReturns,
    /// The block runs only during exception handling.
    ExceptionPath,
    /// The block contains a `cold` call.
    ColdCall,
}

impl ColdReason {
    /// The reason that follows from the facts about a block. If there are several reasons, returns the reason with the
    /// lowest weight.
    ///
    /// LLVM: `BranchProbabilityInfo::getInitialEstimatedBlockWeight`.
    pub(super) fn of(facts: &BlockFacts) -> Option<Self> {
        let properties = facts.properties;
        if properties.has(BlockProperties::NEVER_COMPLETES) {
            Some(if properties.has(BlockProperties::NORETURN_CALL) {
                ColdReason::NeverReturns
            } else {
                ColdReason::NeverCompletes
            })
        } else if properties.has(BlockProperties::EXCEPTION_PATH) {
            Some(ColdReason::ExceptionPath)
        } else if properties.has(BlockProperties::COLD_CALL) {
            Some(ColdReason::ColdCall)
        } else {
            None
        }
    }

    /// The weight of a block with this reason.
    pub(super) const fn weight(self, numbers: &EstimateWeights) -> u32 {
        match self {
            ColdReason::NeverCompletes => numbers.unreachable,
            ColdReason::NeverReturns => numbers.noreturn,
            ColdReason::ExceptionPath => numbers.unwind,
            ColdReason::ColdCall => numbers.cold,
        }
    }
}
