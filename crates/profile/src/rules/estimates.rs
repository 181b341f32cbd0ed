//! The numbers of estimated weights.

use serde::Deserialize;

use super::numbers::{number, positive, ratio};

/// By which numbers estimated weights tell. Weights mean something only compared with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EstimateWeights {
    /// Of a block that ends in `unreachable`. What weighs 0 never completes, and metadata is not believed that leads
    /// there.
    #[serde(deserialize_with = "number")]
    pub unreachable: u32,
    /// Of one that does so after a call that does not return.
    #[serde(deserialize_with = "number")]
    pub noreturn: u32,
    /// Of one that runs only while an exception is on its way.
    #[serde(deserialize_with = "number")]
    pub unwind: u32,
    /// Of one with a call marked `cold`.
    #[serde(deserialize_with = "number")]
    pub cold: u32,
    /// Of one of which nothing is known.
    #[serde(deserialize_with = "positive")]
    pub default: u32,
    /// How a loop divides: staying to leaving. An edge that leaves has the weight that it had otherwise, times the
    /// second and divided by the first.
    #[serde(rename = "loop", deserialize_with = "ratio")]
    pub around_loop: [u32; 2],
    /// The same for an edge to an unlikely successor: going there makes the condition of the branch false next time.
    #[serde(deserialize_with = "ratio")]
    pub unlikely: [u32; 2],
}
