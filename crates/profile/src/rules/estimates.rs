//! The weights of the rule for estimated weights.

use serde::Deserialize;

use super::numbers::{number, positive, ratio};

/// The weights that the cold-block and loop rules use. Only their ratios matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EstimateWeights {
    /// The weight of a block that ends in `unreachable`. A block with weight 0 never completes, and edges to it are
    /// capped whatever their metadata.
    #[serde(deserialize_with = "number")]
    pub unreachable: u32,
    /// The weight of such a block after a call that does not return.
    #[serde(deserialize_with = "number")]
    pub noreturn: u32,
    /// The weight of a block that runs only while an exception is propagated.
    #[serde(deserialize_with = "number")]
    pub unwind: u32,
    /// The weight of a block with a `cold` call.
    #[serde(deserialize_with = "number")]
    pub cold: u32,
    /// The weight of all other blocks.
    #[serde(deserialize_with = "positive")]
    pub default: u32,
    /// The ratio of staying in a loop to leaving it. The weight of an edge that leaves is multiplied by the second
    /// number and divided by the first.
    #[serde(rename = "loop", deserialize_with = "ratio")]
    pub around_loop: [u32; 2],
    /// The same for an edge to an unlikely successor: taking the edge makes the condition of the branch false in the
    /// next iteration.
    #[serde(deserialize_with = "ratio")]
    pub unlikely: [u32; 2],
}
