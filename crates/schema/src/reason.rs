//! The reason for the probability of an edge: docs/src/reference/json.md explains the fields, and
//! [`words`](crate::words) renders them as sentences.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Derivation, Rule, WeightOwner};

/// The reason for the probability of an edge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Reason<'a> {
    /// The rule that decided.
    pub rule: Rule,
    /// The edge's share of `total`.
    pub weight: u32,
    /// The low 32 bits of the sum of all weights of the block.
    pub total: u32,
    /// The divisor that makes the sum of all weights fit 32 bits. It is omitted if it is 1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub divisor: u32,
    /// The evidence of the rule.
    pub cause: Cause<'a>,
    /// The other rules in their order, with their predictions or the reasons why they do not apply.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherRule<'a>>,
}

/// The evidence of the rule that decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Cause<'a> {
    /// The block has one successor.
    OnlySuccessor,
    /// The block is not reachable from the entry: no rule is applied.
    NotReached {
        /// Whether the block has branch weights.
        has_weights: bool,
    },
    /// Branch-weight metadata.
    Metadata {
        /// How the weights are used.
        weights: WeightUse,
        /// The effect of an estimate on the result.
        #[serde(skip_serializing_if = "Option::is_none")]
        cap: Option<Cap>,
        /// The reason why the destination never completes, if the result depends on it.
        #[serde(skip_serializing_if = "Option::is_none")]
        derivation: Option<Derivation<'a>>,
    },
    /// A model that was trained on profiles.
    Learned {
        /// The model's score. It is omitted if LLVM's prediction for a rare destination is kept and the model predicts
        /// the other edges.
        #[serde(skip_serializing_if = "Option::is_none")]
        score: Option<LearnedScore<'a>>,
    },
    /// Estimated weights.
    Estimate(Estimate<'a>),
    /// A comparison. A rule assumes its usual result.
    Condition {
        /// The comparison.
        condition: Condition<'a>,
        /// Whether the edge is taken if the comparison is true.
        holds: bool,
        /// The assumption of the rule.
        assumes: Assumption<'a>,
    },
    /// No rule applies.
    Even {
        /// The terminator: `br`, `switch`, `invoke`.
        terminator: Cow<'a, str>,
        /// The condition of a conditional branch.
        #[serde(skip_serializing_if = "Option::is_none")]
        condition: Option<Condition<'a>>,
        /// Whether the condition tests a single bit.
        #[serde(default, skip_serializing_if = "crate::is_false")]
        is_bit: bool,
        /// The reason why the destination rarely runs, if a rule applies to the destination.
        #[serde(skip_serializing_if = "Option::is_none")]
        derivation: Option<Derivation<'a>>,
    },
}

/// The use of branch-weight metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum WeightUse {
    /// The probability is the edge's share of the weights.
    Used,
    /// All weights are 0.
    Zero,
    /// No successor completes. Therefore the weights are ignored.
    Ignored,
}

/// The effect of an estimate on the result of branch-weight metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Cap {
    /// The edge leads to a block that never completes: its probability is at most 1 of 2^31.
    This,
    /// Other edges lead to such blocks, and this edge gets a share of the rest.
    Others,
}

/// The score of a model: the logarithm of the odds, as a sum over features.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct LearnedScore<'a> {
    /// Whether the branch is a switch, of which each destination is scored separately.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub is_switch: bool,
    /// The score before any feature is taken into account.
    pub start: f64,
    /// The features that add most.
    pub features: Vec<Contribution<'a>>,
    /// The sum over all other features.
    pub others: f64,
}

/// The contribution of a feature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Contribution<'a> {
    /// The feature's name.
    pub name: Cow<'a, str>,
    /// The feature's value.
    pub value: i32,
    /// The contribution to the logarithm of the odds.
    pub amount: f64,
}

/// The estimate for an edge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Estimate<'a> {
    /// The destination or the entered loop, which gives the edge its weight.
    pub end: WeightOwner,
    /// The rarity of `end`, if a rule applies to `end`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rarity: Option<Rarity>,
    /// The innermost loop around the branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub around: Option<WeightOwner>,
    /// Whether the edge leaves that loop.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub leaves_loop: bool,
    /// The weight of `end`, or the default weight if no rule applies to `end`.
    pub base: u32,
    /// The ratios `[more, less]` that reduce the weight of the edge: the weight is multiplied by `less / more`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ratios: Vec<[u32; 2]>,
    /// The next value of the tested variable, if taking the edge makes the condition false in the next iteration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_value: Option<NextValue<'a>>,
    /// The reason why `end` rarely runs, if a rule applies to `end`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derivation: Option<Derivation<'a>>,
}

/// The rarity of a block or loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Rarity {
    /// The block or loop never completes.
    NeverCompletes,
    /// The block or loop does not return, or unwinds.
    HardlyEver,
    /// The block or loop is cold.
    Cold,
}

/// The value that makes a condition false in the next iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct NextValue<'a> {
    /// The constant that is tested in the next iteration.
    pub value: Cow<'a, str>,
    /// The condition.
    pub condition: Condition<'a>,
}

/// The condition of a terminator.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Condition<'a> {
    /// The comparison: `icmp eq`. It is omitted if the condition is not a comparison.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predicate: Option<Cow<'a, str>>,
    /// The operands of the comparison, or the tested value: `%x`, `0`.
    pub operands: Vec<Cow<'a, str>>,
    /// The function that compares strings, if its result is the first operand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparer: Option<Cow<'a, str>>,
    /// The kind of condition, if rules distinguish it: `zero.equal`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Cow<'a, str>>,
}

/// Prints the condition as in LLVM's assembly.
impl fmt::Display for Condition<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(predicate) = &self.predicate {
            write!(out, "{predicate} ")?;
        }
        out.write_str(&self.operands.join(", "))?;
        match (&self.comparer, self.operands.first()) {
            (Some(comparer), Some(operand)) => write!(out, " ({operand} from {comparer})"),
            _ => Ok(()),
        }
    }
}

/// The assumption of a rule about a condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Assumption<'a> {
    /// Pointers are rarely equal.
    PointersDiffer,
    /// Strings are rarely equal.
    StringsDiffer,
    /// Numbers are rarely negative.
    NotNegative,
    /// Numbers are rarely 0 or negative.
    Positive,
    /// Numbers are rarely -1.
    NotMinusOne,
    /// Numbers are rarely 0.
    NotZero,
    /// Floating-point numbers are rarely NaN.
    NotNan,
    /// LLVM predicts `fcmp ueq` as unlikely.
    UnorderedEqualityFails,
    /// LLVM predicts all other equality comparisons of floating-point numbers as likely.
    EqualityHolds,
    /// Nothing is assumed.
    Nothing,
    /// The predictor has its own weights for the kind of condition.
    OwnNumbers {
        /// The predictor.
        predictor: Cow<'a, str>,
        /// The kind of condition, if it has a name.
        #[serde(skip_serializing_if = "Option::is_none")]
        condition: Option<Cow<'a, str>>,
    },
}

/// A rule without effect on the prediction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct OtherRule<'a> {
    /// The rule.
    pub rule: Rule,
    /// The prediction, or the reason why the rule does not apply.
    pub outcome: Outcome<'a>,
}

/// The result of a rule without effect on the prediction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome<'a> {
    /// The predictor does not have the rule.
    LeftOut,
    /// There is no metadata.
    NoMetadata,
    /// No weights are read from the metadata of this terminator.
    UnreadTerminator(Cow<'a, str>),
    /// The metadata has this name instead of `branch_weights`.
    OtherMetadata(Cow<'a, str>),
    /// The metadata has another number of weights than the block has successors.
    WrongCount {
        /// The number of weights.
        weights: usize,
        /// The number of successors.
        successors: usize,
    },
    /// A weight in the metadata is not a number.
    NotANumber,
    /// Nothing is estimated.
    NothingEstimated,
    /// All estimated weights are 0.
    ZeroSum,
    /// The prediction of the rule. It has no effect because an earlier rule applies.
    Predicts {
        /// The edge's share of `total`.
        weight: u32,
        /// The low 32 bits of the sum of all weights.
        total: u32,
        /// The probability in percent, rounded to two digits.
        percent: f64,
    },
}

fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_one(value: &u32) -> bool {
    *value == 1
}
