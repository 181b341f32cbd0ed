//! Why an edge has its probability: docs/src/reference/json.md explains the fields, and [`words`](crate::words) puts them into words.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Derivation, Place, Rule};

/// Why an edge has its probability.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Reason<'a> {
    /// The rule that decided.
    pub rule: Rule,
    /// The edge's part of `total`.
    pub weight: u32,
    /// The low 32 bits of the sum of all weights of the block.
    pub total: u32,
    /// By what all weights were divided, so that their sum fits 32 bits; 1, which is left out, if it did.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub divisor: u32,
    /// What the rule knows.
    pub cause: Cause<'a>,
    /// The other rules, in their order: why they do not apply, or what they would predict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherRule<'a>>,
}

/// What the rule knows that decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Cause<'a> {
    /// The block has one successor.
    OnlySuccessor,
    /// The entry does not reach the block: no rule is applied.
    NotReached {
        /// Whether the block has branch weights.
        has_weights: bool,
    },
    /// Branch-weight metadata.
    Metadata {
        /// How the weights are used.
        weights: WeightUse,
        /// What an estimate changes of that.
        #[serde(skip_serializing_if = "Option::is_none")]
        cap: Option<Cap>,
        /// Why the destination never completes, if that matters.
        #[serde(skip_serializing_if = "Option::is_none")]
        derivation: Option<Derivation<'a>>,
    },
    /// A model that was trained on profiles.
    Learned {
        /// What the model computed; left out if LLVM's rules know where the edge leads, and the model has the rest.
        #[serde(skip_serializing_if = "Option::is_none")]
        score: Option<LearnedScore<'a>>,
    },
    /// Estimated weights.
    Estimate(Estimate<'a>),
    /// A comparison of which rules know how it mostly ends.
    Condition {
        /// The comparison.
        condition: Condition<'a>,
        /// Whether the edge is taken if the comparison is true.
        holds: bool,
        /// What the rule assumes.
        assumes: Assumption<'a>,
    },
    /// No rule applies.
    Even {
        /// The terminator: `br`, `switch`, `invoke`.
        terminator: Cow<'a, str>,
        /// What a conditional branch tests.
        #[serde(skip_serializing_if = "Option::is_none")]
        condition: Option<Condition<'a>>,
        /// Whether that is a single bit.
        #[serde(default, skip_serializing_if = "crate::is_false")]
        is_bit: bool,
        /// Why the destination rarely runs, if it does.
        #[serde(skip_serializing_if = "Option::is_none")]
        derivation: Option<Derivation<'a>>,
    },
}

/// How branch-weight metadata is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum WeightUse {
    /// The probability is a part of the weights.
    Used,
    /// All weights are 0.
    Zero,
    /// No successor completes, and so the weights are ignored.
    Ignored,
}

/// What an estimate changes of branch-weight metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Cap {
    /// The edge leads to what never completes: its probability is 1 of 2^31 at most.
    This,
    /// Other edges do, and this one shares what they do not get.
    Others,
}

/// What a model computed: the logarithm of odds, as a sum over features.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct LearnedScore<'a> {
    /// Whether each destination of a switch is scored by itself.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub is_switch: bool,
    /// Before any feature is taken into account.
    pub start: f64,
    /// The features that add most.
    pub features: Vec<Contribution<'a>>,
    /// What all other features add.
    pub others: f64,
}

/// What a feature adds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Contribution<'a> {
    /// The feature's name.
    pub name: Cow<'a, str>,
    /// The feature's value.
    pub value: i32,
    /// What it adds to the logarithm of the odds.
    pub amount: f64,
}

/// What is estimated of an edge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Estimate<'a> {
    /// What gives the edge its weight: the destination, or the loop that is entered.
    pub end: Place,
    /// How rarely that runs, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rarity: Option<Rarity>,
    /// The innermost loop around the branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub around: Option<Place>,
    /// Whether the edge leaves that loop.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub leaves_loop: bool,
    /// The weight of `end`, or that of blocks of which nothing is known.
    pub base: u32,
    /// By which ratios the weight of the edge is less: `less` for each `more`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ratios: Vec<[u32; 2]>,
    /// If taking the edge makes the condition false the next time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_value: Option<NextValue<'a>>,
    /// Why `end` rarely runs, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derivation: Option<Derivation<'a>>,
}

/// How rarely a place runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Rarity {
    /// What runs there never completes.
    NeverCompletes,
    /// It does not return, or unwinds.
    HardlyEver,
    /// It is cold.
    Cold,
}

/// The value that makes a condition false the next time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct NextValue<'a> {
    /// The constant that the tested value then is.
    pub value: Cow<'a, str>,
    /// What is tested.
    pub condition: Condition<'a>,
}

/// What a terminator tests.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Condition<'a> {
    /// The comparison: `icmp eq`; left out if no comparison is tested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predicate: Option<Cow<'a, str>>,
    /// The operands of the comparison, or the value that is tested: `%x`, `0`.
    pub operands: Vec<Cow<'a, str>>,
    /// The function that compares strings, if its result is the first operand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparer: Option<Cow<'a, str>>,
    /// The kind of condition, if rules know it: `zero.equal`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Cow<'a, str>>,
}

/// As LLVM's assembly has it.
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

/// What a rule assumes about a condition.
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
    /// LLVM takes `fcmp ueq` for unlikely.
    UnorderedEqualityFails,
    /// LLVM takes all other comparisons of floating-point numbers by equality for likely.
    EqualityHolds,
    /// Nothing is assumed.
    Nothing,
    /// The predictor has its own numbers for the kind of condition.
    OwnNumbers {
        /// The predictor.
        predictor: Cow<'a, str>,
        /// The kind of condition, if it has a name.
        #[serde(skip_serializing_if = "Option::is_none")]
        condition: Option<Cow<'a, str>>,
    },
}

/// A rule that did not decide.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct OtherRule<'a> {
    /// The rule.
    pub rule: Rule,
    /// What it would predict, or why it does not apply.
    pub outcome: Outcome<'a>,
}

/// What a rule would predict, or why it does not apply.
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
        /// How many weights there are.
        weights: usize,
        /// How many successors there are.
        successors: usize,
    },
    /// A weight in the metadata is not a number.
    NotANumber,
    /// Nothing is estimated.
    NothingEstimated,
    /// All estimated weights are 0.
    ZeroSum,
    /// It would predict this, if no rule before it applied.
    Predicts {
        /// The edge's part of `total`.
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
