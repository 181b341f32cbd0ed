//! Why a block rarely runs.

use crate::facts::{BlockFacts, Marks};
use crate::rules::EstimateWeights;

/// Why a block rarely runs, by what stands in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColdReason {
    /// It ends in `unreachable`, or in a call to `llvm.experimental.deoptimize` and a `ret`.
    NeverCompletes,
    /// It does, after a call that does not return.
    NeverReturns,
    /// It runs only while an exception is on its way.
    ExceptionPath,
    /// It calls something `cold`.
    ColdCall,
}

impl ColdReason {
    /// What the facts about a block say; the lowest reason wins.
    ///
    /// LLVM: `BranchProbabilityInfo::getInitialEstimatedBlockWeight`.
    pub(super) fn of(facts: &BlockFacts) -> Option<Self> {
        let marks = facts.marks;
        if marks.has(Marks::NEVER_COMPLETES) {
            Some(if marks.has(Marks::NORETURN_CALL) {
                ColdReason::NeverReturns
            } else {
                ColdReason::NeverCompletes
            })
        } else if marks.has(Marks::EXCEPTION_PATH) {
            Some(ColdReason::ExceptionPath)
        } else if marks.has(Marks::COLD_CALL) {
            Some(ColdReason::ColdCall)
        } else {
            None
        }
    }

    /// The weight that such a block has by itself.
    pub(super) const fn weight(self, numbers: &EstimateWeights) -> u32 {
        match self {
            ColdReason::NeverCompletes => numbers.unreachable,
            ColdReason::NeverReturns => numbers.noreturn,
            ColdReason::ExceptionPath => numbers.unwind,
            ColdReason::ColdCall => numbers.cold,
        }
    }
}
