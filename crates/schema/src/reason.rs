//! The rules, and the reason for the probability of an edge. docs/src/reference/json.md explains the fields, and
//! [`words`](crate::words) renders a reason as sentences.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Derivation, WeightOwner};

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

/// The reason for the probability of an edge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Reason<'a> {
    /// The rule that decided the prediction.
    pub rule: Rule,
    /// The weight of the edge. The sum of all weights is `total`.
    pub weight: u32,
    /// The low 32 bits of the sum of the weights of the block's edges.
    pub total: u32,
    /// The divisor by which all weights are divided so that their sum fits in 32 bits. The field is omitted if the
    /// divisor is 1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub divisor: u32,
    /// The weight of the edge before the division by `divisor`. The field is omitted if the divisor is 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undivided: Option<u32>,
    /// The reason why the rule predicts the weight.
    pub cause: Cause<'a>,
    /// The other rules in the order of evaluation. Each item has the prediction of the rule, or the reason why the rule
    /// does not apply.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherRule<'a>>,
}

/// The reason why the deciding rule predicts the weight of an edge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Cause<'a> {
    /// The source block of the edge has one successor.
    OnlySuccessor,
    /// The source block of the edge is not reachable from the entry, so no rule is applied.
    NotReached {
        /// Whether the block has branch weights.
        has_weights: bool,
    },
    /// Branch-weight metadata.
    Metadata {
        /// The effect of the branch weights.
        weights: WeightUse,
        /// The effect of estimated weights on the result.
        #[serde(skip_serializing_if = "Option::is_none")]
        cap: Option<Cap>,
        /// The reason why the destination never completes. The field is omitted if the probability does not depend on
        /// whether the destination completes.
        #[serde(skip_serializing_if = "Option::is_none")]
        derivation: Option<Derivation<'a>>,
    },
    /// A model that was trained on profiles.
    Learned {
        /// The model's score. The field is omitted for an edge to an unlikely destination: LLVM predicts this edge, and
        /// the model predicts the other edges.
        #[serde(skip_serializing_if = "Option::is_none")]
        score: Option<LearnedScore<'a>>,
    },
    /// Estimated weights.
    Estimate(Estimate<'a>),
    /// A comparison about which a rule makes an assumption.
    Condition {
        /// The comparison.
        condition: Condition<'a>,
        /// Whether execution takes the edge if the comparison is true.
        holds: bool,
        /// The assumption of the rule about the comparison.
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
        #[serde(default, skip_serializing_if = "crate::is_default")]
        is_bit: bool,
        /// The reason why the destination rarely runs. The field is omitted if no rule marks the destination as
        /// unlikely.
        #[serde(skip_serializing_if = "Option::is_none")]
        derivation: Option<Derivation<'a>>,
    },
}

/// The effect of branch-weight metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum WeightUse {
    /// The probability is the edge's weight divided by the sum of the weights.
    Used,
    /// All weights are 0.
    Zero,
    /// The weights are ignored, because no successor completes.
    Ignored,
}

/// The effect of estimated weights on the result of branch-weight metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Cap {
    /// The edge leads to a block that never completes. The probability of the edge is therefore limited to 2^-31.
    This,
    /// Other edges of the branch lead to blocks that never complete. The probabilities of these other edges decrease,
    /// so the probability of this edge increases.
    Others,
}

/// The score of a model. The score is the logarithm of the odds of the edge, and is a sum over features.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct LearnedScore<'a> {
    /// Whether the branch is a switch. Each destination of a switch has a separate score.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub is_switch: bool,
    /// The score before the contributions of features are added.
    pub start: f64,
    /// The features with the largest contributions.
    pub features: Vec<Contribution<'a>>,
    /// The sum of the contributions of all other features.
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

/// The estimated weight of an edge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Estimate<'a> {
    /// The destination, or a loop or cycle around the destination. The edge's weight is computed from the weight of this
    /// block, loop or cycle.
    pub end: WeightOwner,
    /// How rarely the block or loop `end` runs. The field is omitted if no rule marks the block or loop as unlikely.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rarity: Option<Rarity>,
    /// The innermost natural loop around the branch, or the irreducible cycle if the branch is in no natural loop. From
    /// LLVM 24 on, the innermost loop or cycle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub around: Option<WeightOwner>,
    /// Whether the edge leaves the loop or cycle `around`.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub leaves_loop: bool,
    /// Whether LLVM treats the edge as an exit of the irreducible cycle `around`, although the edge stays in the cycle.
    /// The destination is then the header of a natural loop inside the cycle.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub treated_as_exit: bool,
    /// The weight of the block or loop `end`, or the default weight if the block or loop has no estimated weight.
    pub base: u32,
    /// The ratios that reduce the weight of the edge. For each ratio `[more, less]`, the weight is multiplied by `less
    /// / more`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ratios: Vec<[u32; 2]>,
    /// The next value of the tested variable. The field is only present if the branch never takes this edge in two
    /// successive iterations of the loop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_value: Option<NextValue<'a>>,
    /// The reason why the block or loop `end` rarely runs. The field is omitted if no rule marks the block or loop as
    /// unlikely.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derivation: Option<Derivation<'a>>,
}

/// How rarely a block or loop runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Rarity {
    /// The block or loop never completes.
    NeverCompletes,
    /// The block or loop handles an exception or calls a function that does not return.
    HardlyEver,
    /// The block or loop is cold.
    Cold,
}

/// The value that the branch tests in the next iteration of the loop if execution takes this edge. This value is a
/// constant, and the branch takes a different edge for the constant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct NextValue<'a> {
    /// The constant that the branch tests in the next iteration.
    pub value: Cow<'a, str>,
    /// The condition.
    pub condition: Condition<'a>,
}

/// The condition of a terminator.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Condition<'a> {
    /// The comparison, for example `icmp eq`. The field is omitted if the condition is not a comparison.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predicate: Option<Cow<'a, str>>,
    /// The operands of a comparison, for example `%x` and `0`, or the tested value of any other condition.
    pub operands: Vec<Cow<'a, str>>,
    /// The function that compares strings. The field is omitted if the first operand is not the result of a string
    /// comparison.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparer: Option<Cow<'a, str>>,
    /// The kind of condition, for example `zero.equal`. The field is omitted if no rule distinguishes this kind.
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
    /// LLVM predicts equality comparisons of floating-point numbers as likely, except `fcmp ueq`.
    EqualityHolds,
    /// Nothing is assumed.
    Nothing,
    /// The predictor has different weights than LLVM for this kind of condition.
    OwnNumbers {
        /// The predictor.
        predictor: Cow<'a, str>,
        /// The kind of condition, if it has a name.
        #[serde(skip_serializing_if = "Option::is_none")]
        condition: Option<Cow<'a, str>>,
    },
}

/// A rule that does not decide the prediction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct OtherRule<'a> {
    /// The rule.
    pub rule: Rule,
    /// The prediction, or the reason why the rule does not apply.
    pub outcome: Outcome<'a>,
}

/// The result of a rule that does not decide the prediction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome<'a> {
    /// The predictor does not have the rule.
    LeftOut,
    /// The block has no branch-weight metadata.
    NoMetadata,
    /// Weights are never read from the metadata of this terminator.
    UnreadTerminator(Cow<'a, str>),
    /// The name of the metadata, which is not `branch_weights`.
    OtherMetadata(Cow<'a, str>),
    /// The number of weights in the metadata differs from the number of successors.
    WrongCount {
        /// The number of weights.
        weights: usize,
        /// The number of successors.
        successors: usize,
    },
    /// A weight in the metadata is not a number.
    NotANumber,
    /// No edge of the block has an estimated weight.
    NothingEstimated,
    /// All estimated weights are 0.
    ZeroSum,
    /// The prediction of the rule, which has no effect because an earlier rule applies.
    Predicts {
        /// The weight of the edge. The sum of all weights is `total`.
        weight: u32,
        /// The low 32 bits of the sum of the weights of the block's edges.
        total: u32,
        /// The probability in percent, rounded to two decimal places.
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
