//! The weights that mass is split by.

use crate::bpi::Probability;
use crate::cfg::Block;
use crate::facts;

/// What determines how mass is split and how often loops iterate.
#[derive(Clone, Copy)]
pub(super) enum Evidence<'a> {
    /// Edge probabilities and `irr_loop` header weights; loops iterate as their masses imply.
    Given { probabilities: &'a [Probability], header_weights: &'a [(Block, u64)] },
    /// None: every branch is even, and every loop has one iteration.
    Absent,
}

impl Evidence<'_> {
    /// The weight of the edge with index `place` in per-edge tables.
    ///
    /// LLVM: `getWeightFromBranchProb`.
    pub(crate) fn edge_weight(self, place: usize) -> u64 {
        match self {
            Evidence::Given { probabilities, .. } => probabilities[place].numerator().into(),
            Evidence::Absent => 1,
        }
    }

    /// The weight of `block` among the headers of an irreducible region.
    pub(crate) fn header_weight(self, block: Block) -> Option<u64> {
        let Evidence::Given { header_weights, .. } = self else { return None };
        facts::header_weight(header_weights, block)
    }

    /// Whether mass that returns to a header makes the loop iterate.
    pub(crate) fn loops_repeat(self) -> bool {
        matches!(self, Evidence::Given { .. })
    }
}
