//! Lines of `rust-bpi<score;json>`: docs/src/guide/profiles.md explains the fields.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{ColdReason, Digits, Format, Position, Reason, Rule};

/// A line of `rust-bpi<score;json>`: one branch. docs/src/guide/profiles.md explains the fields.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct ScoredBranch<'a> {
    /// The version of the format.
    pub format: Format,
    /// The LLVM version whose answer this is.
    #[cfg_attr(feature = "schemars", schemars(range(min = 14)))]
    pub llvm: u32,
    /// The predictor.
    pub predictor: Cow<'a, str>,
    /// Which branch it is.
    #[serde(flatten)]
    pub place: BranchPlace<'a>,
    /// How often the branch ran.
    pub executions: Digits,
    /// The rule that decided the static prediction.
    pub rule: Rule,
    /// The kind of condition, if rules know it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<Cow<'a, str>>,
    /// Where the branch is in the source, with the calls by which it was inlined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Position<'a>>,
    /// Its edges, in the order of the block's successors.
    pub edges: Vec<ScoredEdge<'a>>,
}

/// Which branch, or which `select`, a line is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct BranchPlace<'a> {
    /// The module's name.
    pub module: Cow<'a, str>,
    /// The function's name.
    pub function: Cow<'a, str>,
    /// Whether another module may have another function of that name.
    pub local: bool,
    /// The name of the block, as an operand.
    pub block: Cow<'a, str>,
    /// The number of the block, in the order of the function.
    pub number: usize,
    /// The file, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<Cow<'a, str>>,
    /// The line, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What chooses.
    pub kind: Kind,
}

/// What chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A conditional branch.
    TwoWay,
    /// A `switch`.
    Switch,
    /// Another terminator.
    Other,
    /// A `select`, which is no terminator.
    Select,
}

/// An edge of a branch.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct ScoredEdge<'a> {
    /// The number of the block that it leads to.
    pub to: usize,
    /// The predicted probability, over 2^31.
    #[cfg_attr(feature = "schemars", schemars(range(max = 2147483648u32)))]
    pub numerator: u32,
    /// The predicted weight.
    pub weight: u32,
    /// The weight by the profile; only of branches that ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub true_weight: Option<u32>,
    /// Why what it leads to rarely runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<ColdReason>,
    /// Whether it leaves the innermost loop around the branch.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub leaves_cycle: bool,
    /// Whether going there makes the condition false next time.
    #[serde(default, skip_serializing_if = "crate::is_false")]
    pub unlikely: bool,
    /// Where the block begins that it leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<Position<'a>>,
    /// Why it has the predicted probability.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<Box<Reason<'a>>>,
}
