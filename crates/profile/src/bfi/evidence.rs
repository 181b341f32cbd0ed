//! What mass is divided by.

use crate::bpi::Probability;
use crate::cfg::Block;
use crate::facts;

/// What says which way mass goes and how often loops repeat.
#[derive(Clone, Copy)]
pub(super) enum Evidence<'a> {
    /// Edge probabilities, `irr_loop` header weights, and loops that repeat as their masses say.
    Given { probabilities: &'a [Probability], header_weights: &'a [(Block, u64)] },
    /// Nothing: every branch is even, and a loop is passed once.
    Absent,
}

impl Evidence<'_> {
    /// The weight of the edge at `place` in per-edge tables.
    ///
    /// LLVM: `getWeightFromBranchProb`.
    pub fn edge_weight(self, place: usize) -> u64 {
        match self {
            Evidence::Given { probabilities, .. } => probabilities[place].numerator().into(),
            Evidence::Absent => 1,
        }
    }

    /// The weight of `block` among the headers of an irreducible region.
    pub fn header_weight(self, block: Block) -> Option<u64> {
        let Evidence::Given { header_weights, .. } = self else { return None };
        facts::header_weight(header_weights, block)
    }

    /// Whether mass that comes back to a header makes the loop repeat.
    pub fn loops_repeat(self) -> bool {
        matches!(self, Evidence::Given { .. })
    }
}
