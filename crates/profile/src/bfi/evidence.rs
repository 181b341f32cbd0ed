//! Evidence: the weights of edges and headers. The frequency analysis distributes mass in proportion to these weights.

use crate::bpi::Probability;
use crate::cfg::Block;
use crate::facts;

/// The input of the frequency analysis: edge weights, header weights, and the numbers of loop iterations.
#[derive(Clone, Copy)]
pub(super) enum Evidence<'a> {
    /// Edge probabilities and `irr_loop` header weights. The mass that returns to a header determines the number of
    /// iterations.
    Given { probabilities: &'a [Probability], header_weights: &'a [(Block, u64)] },
    /// No evidence: all edges of a block have the same weight, and every loop has one iteration.
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

    /// The weight of `block` from `irr_loop` metadata, relative to the other headers of its irreducible region.
    pub(crate) fn header_weight(self, block: Block) -> Option<u64> {
        let Evidence::Given { header_weights, .. } = self else { return None };
        facts::header_weight(header_weights, block)
    }

    /// Whether the edge probabilities determine the number of iterations of a loop. If the result is false, every loop
    /// has one iteration.
    pub(crate) fn loops_repeat(self) -> bool {
        matches!(self, Evidence::Given { .. })
    }
}
