//! Finds the reason why a block rarely runs, if the reason is a property of the block itself.

use bpa_schema::ColdReason;

use crate::facts::{BlockFacts, BlockProperties};
use crate::rules::EstimateWeights;

/// The reason why the block that `facts` describes rarely runs. If there are several reasons, returns the reason
/// with the lowest weight.
///
/// LLVM: `BranchProbabilityInfo::getInitialEstimatedBlockWeight`.
pub(super) fn cold_reason(facts: &BlockFacts) -> Option<ColdReason> {
    let properties = facts.properties;
    if properties.has(BlockProperties::NEVER_COMPLETES) {
        Some(if properties.has(BlockProperties::NORETURN_CALL) {
            ColdReason::Noreturn
        } else {
            ColdReason::Unreachable
        })
    } else if properties.has(BlockProperties::EXCEPTION_PATH) {
        Some(ColdReason::Unwind)
    } else if properties.has(BlockProperties::COLD_CALL) {
        Some(ColdReason::Cold)
    } else {
        None
    }
}

/// The initial weight of a rarely executed block. `reason` is the reason why the block rarely runs.
pub(super) const fn initial_weight(reason: ColdReason, numbers: &EstimateWeights) -> u32 {
    match reason {
        ColdReason::Unreachable => numbers.unreachable,
        ColdReason::Noreturn => numbers.noreturn,
        ColdReason::Unwind => numbers.unwind,
        ColdReason::Cold => numbers.cold,
    }
}
