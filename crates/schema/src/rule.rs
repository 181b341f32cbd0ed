//! The rules.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The rule that decided the probabilities of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// The block has one successor.
    Single,
    /// Branch-weight metadata.
    Metadata,
    /// A model that was trained on profiles.
    Learned,
    /// Weights that LLVM estimates for loops, and for cold, unreachable and exceptional blocks.
    #[serde(rename = "estimated weights")]
    EstimatedWeights,
    /// Two pointers are compared.
    Pointer,
    /// A number is compared with a constant, or strings are compared.
    Constant,
    /// Floating-point numbers are compared.
    #[serde(rename = "floating point")]
    FloatingPoint,
    /// No rule applies: all successors are equally likely.
    #[default]
    Even,
    /// A pass set the probabilities when it changed the function.
    Update,
}

/// Prints the name of the rule, as in JSON.
impl fmt::Display for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(out)
    }
}
