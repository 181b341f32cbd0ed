//! Lines of `rust-bpi<score;json>`, and computations that `bpa-report` and the command `bpa` share.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{ColdReason, Digits, Format, Position, Reason, Rule};

/// A line of `rust-bpi<score;json>`: one branch. docs/src/reference/json.md explains the fields.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct ScoredBranch<'a> {
    /// The version of the format.
    pub format: Format,
    /// The LLVM version whose rules predict the branches.
    #[cfg_attr(feature = "schemars", schemars(range(min = 14)))]
    pub llvm: u32,
    /// The predictor.
    pub predictor: Cow<'a, str>,
    /// The position of the branch in the module.
    #[serde(flatten)]
    pub place: BranchPlace<'a>,
    /// The profiled executions of the branch.
    pub executions: Digits,
    /// The rule that decided the static prediction.
    pub rule: Rule,
    /// The kind of condition. The field is omitted if no rule distinguishes this kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<Cow<'a, str>>,
    /// The position of the branch in the source, with the calls through which it was inlined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Position>,
    /// The edges of the branch, in the order of the block's successors.
    pub edges: Vec<ScoredEdge<'a>>,
}

/// The position of a branch in the module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct BranchPlace<'a> {
    /// The module's name.
    pub module: Cow<'a, str>,
    /// The function's name.
    pub function: Cow<'a, str>,
    /// Whether the function is local. Other modules may have different functions with the same name as a local
    /// function.
    pub local: bool,
    /// The name of the block, in the form of an operand: `%entry`.
    pub block: Cow<'a, str>,
    /// The index of the block in the function, from 0.
    pub number: usize,
    /// The source file of the branch, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<Cow<'a, str>>,
    /// The source line of the branch, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The kind of branch.
    pub kind: BranchKind,
}

/// The kind of branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BranchKind {
    /// A conditional branch.
    TwoWay,
    /// A `switch`.
    Switch,
    /// Another terminator.
    Other,
}

/// An edge of a branch.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct ScoredEdge<'a> {
    /// The number of the destination block.
    pub to: usize,
    /// The predicted probability, as a numerator over 2^31.
    #[cfg_attr(feature = "schemars", schemars(range(max = 2147483648u32)))]
    pub numerator: u32,
    /// The predicted weight.
    pub weight: u32,
    /// The profiled weight. The field is omitted if the branch was never executed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub true_weight: Option<u32>,
    /// The reason why the destination rarely runs. The field is omitted if no rule marks the destination as unlikely.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<ColdReason>,
    /// Whether the edge leaves the innermost loop around the branch.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub leaves_cycle: bool,
    /// True if the branch never takes this edge in two successive iterations of the loop: the next iteration selects
    /// the other successor.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub unlikely: bool,
    /// The source position where the destination block begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<Position>,
    /// The reason for the predicted probability.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<Box<Reason<'a>>>,
}

/// A hint is only suggested if at least this fraction of the branch's executions continues at the most frequent
/// successor.
pub const LEAST_HINT_SHARE: f64 = 0.6;

/// How many executions of a branch continue at its likeliest successor. If several successors are equally likely, the
/// result is the mean over these successors. Each item of `successors` has the predicted probability of a successor,
/// and its executions as a count or as a fraction.
pub fn hits(successors: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let highest = successors.clone().map(|(predicted, _)| predicted).fold(0.0, f64::max);
    let likeliest = successors.filter(|&(predicted, _)| predicted >= highest);
    let (hits, count) = likeliest.fold((0.0, 0.0), |(hits, count), (_, taken)| (hits + taken, count + 1.0));
    hits / count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equally_likely_successors_have_the_mean_of_their_hits() {
        assert_eq!(hits([(0.75, 1.0), (0.25, 7.0)].into_iter()), 1.0);
        assert_eq!(hits([(0.4, 1.0), (0.4, 4.0), (0.2, 7.0)].into_iter()), 2.5);
    }
}
