//! How a weight came to a place, step by step.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// Why a block rarely runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ColdReason {
    /// It never completes.
    Unreachable,
    /// It calls what does not return.
    Noreturn,
    /// It runs only while an exception unwinds the stack.
    Unwind,
    /// It calls what is cold.
    Cold,
}

/// A place that can have a weight. Blocks are numbers, in the order of the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// A block.
    Block(usize),
    /// The natural loop of this header.
    Loop(usize),
    /// The irreducible loop of which this is the first block.
    Cycle(usize),
}

/// How a weight came to a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Derivation<'a> {
    /// The block that has the weight by itself.
    pub origin: Origin<'a>,
    /// How many steps after that are left out, because there are many.
    #[serde(default, skip_serializing_if = "crate::is_zero")]
    pub left_out: u32,
    /// The last steps, up to the place in question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
}

/// A block that rarely runs, by what is in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Origin<'a> {
    /// The block.
    pub block: usize,
    /// Why it rarely runs.
    pub reason: ColdReason,
    /// The call that is cold or does not return.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<MarkedCall<'a>>,
    /// The instruction that handles an exception.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pad: Option<Cow<'a, str>>,
    /// Whether it never completes because of a deoptimization.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub deoptimizes: bool,
}

/// A call that an attribute marks, or the function that it calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct MarkedCall<'a> {
    /// What is called, as an operand: `@grow`, `%f`; or `inline assembly`.
    pub callee: Cow<'a, str>,
    /// Whether the call has the attribute, and not the function alone.
    pub is_marked_here: bool,
}

/// How a weight went on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Step {
    /// By which relation.
    pub via: Via,
    /// Whether it is the only successor or exit, and not only the likeliest.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub only: bool,
    /// Whether the weight went from 0 to 1: a loop that never completes is still entered.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub raised: bool,
    /// The place that has the weight then.
    pub to: Place,
}

/// Why a weight holds in another place, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Via {
    /// The place before post-dominates this one, which dominates it.
    PostDominance,
    /// The place before is the likeliest successor.
    Successor,
    /// The place before is the likeliest exit of the loop.
    Exit,
}
