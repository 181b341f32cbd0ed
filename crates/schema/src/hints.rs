//! Lines of `rust-bpi<hints;json>`.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Digits, Format, Position, Rule};

/// A line of `rust-bpi<hints;json>`: one branch for which a hint would avoid mispredictions. docs/src/reference/json.md
/// explains the fields.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Hint<'a> {
    /// The version of the format.
    pub format: Format,
    /// The module's name.
    pub module: Cow<'a, str>,
    /// The name of the function in the source.
    pub function: Cow<'a, str>,
    /// The name of the function in the IR.
    pub symbol: Cow<'a, str>,
    /// The name of the block that ends with the branch, in the form of an operand: `%entry`.
    pub block: Cow<'a, str>,
    /// The index of the block in the function, from 0.
    pub number: usize,
    /// The position of the branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Position>,
    /// The number of mispredictions that the best fixed prediction would avoid.
    pub cost: Digits,
    /// The profiled executions of the branch.
    pub executions: Digits,
    /// The rule that predicted the branch. The field is omitted if a hint in the source determined the prediction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<Rule>,
    /// The probability that the rule predicts for the destination `likely`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(range(min = 0, max = 1)))]
    pub predicted: Option<f64>,
    /// The destination that a hint in the source declares as likely.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Destination<'a>>,
    /// The most frequent destination of the branch.
    pub likely: Destination<'a>,
    /// The hints to write. The best hint is first.
    pub write: Vec<Advice>,
}

/// A destination of a branch.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Destination<'a> {
    /// The name of the block, in the form of an operand: `%entry`.
    pub block: Cow<'a, str>,
    /// The source position where the block begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<Position>,
    /// The fraction of the branch's executions that continued at this block.
    #[cfg_attr(feature = "schemars", schemars(range(min = 0, max = 1)))]
    pub share: f64,
}

/// A hint to write or to remove.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Advice {
    /// The hint.
    pub what: AdviceKind,
    /// The source position of the hint. The field is omitted for a hint around the condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Position>,
    /// The probability to write in the hint, if the hint has such an argument.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(range(min = 0, max = 1)))]
    pub probability: Option<f64>,
}

/// The hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub enum AdviceKind {
    /// The existing hint must be removed.
    #[serde(rename = "no hint")]
    Remove,
    /// `[[likely]]`
    #[serde(rename = "[[likely]]")]
    Likely,
    /// `[[unlikely]]`
    #[serde(rename = "[[unlikely]]")]
    Unlikely,
    /// `core::hint::cold_path()`
    #[serde(rename = "core::hint::cold_path()")]
    ColdPath,
    /// `__builtin_expect`
    #[serde(rename = "__builtin_expect")]
    Expect,
    /// `__builtin_expect_with_probability`
    #[serde(rename = "__builtin_expect_with_probability")]
    ExpectWithProbability,
}

/// Prints the hint as it is written in the source.
impl fmt::Display for AdviceKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(out)
    }
}
