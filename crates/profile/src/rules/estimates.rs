//! The weights that the rule `estimated weights` uses.

use serde::Deserialize;

use super::numbers::{number, positive, ratio};

/// The numbers that a rules file gives for LLVM's estimated weights. Only the ratios of these numbers matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EstimateWeights {
    /// The weight of a block that ends in `unreachable`. A block with weight 0 never completes. The probability of an
    /// edge to the block is at most 2^-31, even if the branch has branch weights.
    #[serde(deserialize_with = "number")]
    pub unreachable: u32,
    /// The weight of a block that ends in `unreachable` after a call that does not return.
    #[serde(deserialize_with = "number")]
    pub noreturn: u32,
    /// The weight of a block that runs only during exception handling.
    #[serde(deserialize_with = "number")]
    pub unwind: u32,
    /// The weight of a block with a `cold` call.
    #[serde(deserialize_with = "number")]
    pub cold: u32,
    /// The weight of a block to which no other weight applies.
    #[serde(deserialize_with = "positive")]
    pub default: u32,
    /// The pair `[inside, leaves]`: the weight of an edge inside a loop, and the weight of an edge that leaves the
    /// loop. The estimated weight of an edge that leaves the loop is multiplied by `leaves / inside`.
    #[serde(rename = "loop", deserialize_with = "ratio")]
    pub around_loop: [u32; 2],
    /// The pair `[usual, unlikely]`: the weight of a usual successor, and the weight of an unlikely successor. The
    /// estimated weight of an edge to an unlikely successor is multiplied by `unlikely / usual`. A successor is
    /// unlikely if the branch cannot go to this successor in two successive iterations.
    #[serde(deserialize_with = "ratio")]
    pub unlikely: [u32; 2],
}
