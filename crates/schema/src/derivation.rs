//! Describes how an estimated weight is propagated from a block to other blocks and loops.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// The reason why a block rarely runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ColdReason {
    /// The block never completes.
    Unreachable,
    /// The block calls a function that does not return.
    Noreturn,
    /// The block runs only while an exception unwinds the stack.
    Unwind,
    /// The block contains a cold call.
    Cold,
}

/// A block or a loop with an estimated weight. Blocks are numbered in the order of the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum WeightOwner {
    /// A block.
    Block(usize),
    /// A natural loop, identified by the number of its header.
    Loop(usize),
    /// An irreducible cycle, identified by the number of its header. [`Function::cycles`](crate::Function::cycles) lists
    /// the blocks of the cycle.
    Cycle(usize),
}

/// The origin of an estimated weight, and the steps by which the weight was propagated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Derivation<'a> {
    /// The block from which the weight was propagated.
    pub origin: Origin<'a>,
    /// The number of omitted steps between `origin` and the first item of `steps`.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub left_out: u32,
    /// The last steps. The final step ends at the block or loop whose weight the derivation explains.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<DerivationStep>,
}

/// A block that rarely runs because of its own instructions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Origin<'a> {
    /// The block.
    pub block: usize,
    /// The reason why the block rarely runs.
    pub reason: ColdReason,
    /// The call that is cold or does not return. The field is only present if `reason` is `cold` or `noreturn`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<AttributedCall<'a>>,
    /// The instruction that handles an exception. The field is only present if `reason` is `unwind`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pad: Option<Cow<'a, str>>,
    /// Whether the block never completes because it ends in a deoptimization.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub deoptimizes: bool,
}

/// A call whose call site or callee has the attribute `cold` or `noreturn`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct AttributedCall<'a> {
    /// The callee as an operand, for example `@grow` or `%f`, or the text `inline assembly`.
    pub callee: Cow<'a, str>,
    /// Whether the call site has the attribute. Otherwise, only the callee has the attribute.
    pub is_call_site_attribute: bool,
}

/// One step of the propagation of a weight to another block or loop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct DerivationStep {
    /// The relation between the previous block or loop and the block or loop that gets the weight.
    pub via: Via,
    /// Whether the block or loop that gets the weight has only one successor or exit. If there are several, the weight
    /// comes from the likeliest successor or exit.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub only: bool,
    /// Whether the computed weight 0 was replaced by 1. LLVM replaces the weight 0 of a loop that never completes,
    /// because execution can enter the loop.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub raised: bool,
    /// The block or loop that gets the weight.
    pub to: WeightOwner,
}

/// The reason why a weight is propagated from one block or loop to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Via {
    /// The previous block post-dominates the block that gets the weight, and this block dominates the previous block.
    PostDominance,
    /// The previous block or loop is the likeliest successor of the block that gets the weight.
    Successor,
    /// The previous block or loop is the likeliest exit of the loop that gets the weight.
    Exit,
}
