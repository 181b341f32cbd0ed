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

/// The branch weight of the likely successor if the source contains `__builtin_expect`, `[[likely]]` or `cold_path`.
/// LLVM and rustc use this weight.
pub const LIKELY_WEIGHT: f64 = 2000.0;
/// The branch weight of every successor except the likely successor, if the source contains a hint for the branch.
pub const UNLIKELY_WEIGHT: f64 = 1.0;

/// If the likely successor has more than this share of the executions, `__builtin_expect` has a lower log-loss than a
/// prediction of 50%. The result is 0.909.
///
/// Let `s` be the share of executions that continue at the unlikely successor, and let `1:w` be the weights of the
/// hint. The log-loss of a prediction of 50% is `ln 2`. The log-loss of the hint is
/// `s ln(1 + w) + (1 - s) ln(1 + 1/w)`, which is `s ln w + ln(1 + 1/w)`. The two log-losses are equal at
/// `s = (ln 2 - ln(1 + 1/w)) / ln w`.
pub fn least_sure_share() -> f64 {
    let weight = LIKELY_WEIGHT / UNLIKELY_WEIGHT;
    1.0 - (std::f64::consts::LN_2 - (1.0 / weight).ln_1p()) / weight.ln()
}

/// The probability that is written in a hint if the likely successor has the part `share` of the executions. `None` if
/// `__builtin_expect` is better than a hint with a probability.
pub fn probability_of_hint(share: f64) -> Option<f64> {
    // The probability is rounded down because it must not exceed the profiled share. The addend is for products that
    // are below a whole number only because of rounding: `0.58 * 100.0`.
    (share < least_sure_share()).then(|| (share * 100.0 + 1e-9).floor() / 100.0)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_of_hints_are_whole_percents() {
        let shares = [0.8639, 0.58, 0.29, 0.75, 0.9, 0.95];
        let wanted = [Some(0.86), Some(0.58), Some(0.29), Some(0.75), Some(0.9), None];
        assert_eq!(shares.map(probability_of_hint), wanted);
    }
}
