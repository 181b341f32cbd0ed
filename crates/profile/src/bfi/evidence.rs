//! Evidence: the weights by which mass is distributed.

use crate::bpi::Probability;
use crate::cfg::Block;
use crate::facts;

/// The weights of edges and headers, and whether loops iterate.
#[derive(Clone, Copy)]
pub(super) enum Evidence<'a> {
    /// Edge probabilities and `irr_loop` header weights. The masses determine the iterations of loops.
    Given { probabilities: &'a [Probability], header_weights: &'a [(Block, u64)] },
    /// No evidence: every branch is even, and every loop has one iteration.
    Absent,
}

impl Evidence<'_> {
    /// The weight of the edge with index `place`.
    ///
    /// LLVM: `getWeightFromBranchProb`.
    pub(crate) fn edge_weight(self, place: usize) -> u64 {
        match self {
            Evidence::Given { probabilities, .. } => probabilities[place].numerator().into(),
            Evidence::Absent => 1,
        }
    }

    /// The weight of `block` among the headers of an irreducible region, if its `irr_loop` metadata has one.
    pub(crate) fn header_weight(self, block: Block) -> Option<u64> {
        let Evidence::Given { header_weights, .. } = self else { return None };
        facts::header_weight(header_weights, block)
    }

    /// Whether loops can have more than one iteration.
    pub(crate) fn loops_repeat(self) -> bool {
        matches!(self, Evidence::Given { .. })
    }
}
