//! JSON lines that the command `bpa` prints with `--json`: docs/src/reference/command.md explains them.

use serde::{Deserialize, Serialize};

use crate::{Digits, Format, Frame, Rule};

/// A line of `bpa explain --json`: one branch of the source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct SourceBranch {
    /// The version of the format.
    pub format: Format,
    /// The position of the branch. It is omitted without debug information. Paths are relative to the current
    /// directory, or absolute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Frame<'static>>,
    /// The inlined calls around the copy with the highest weight, the innermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inlined_at: Vec<Frame<'static>>,
    /// The demangled name of the function that contains the copy with the highest weight.
    pub function: String,
    /// The linker's name of the function.
    pub symbol: String,
    /// The rule that decided.
    pub rule: Rule,
    /// The reason for the prediction, as a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The successors.
    pub successors: Vec<SourceSuccessor>,
    /// The executions of the branch per call of its function: a static estimate, or derived from a profile.
    pub frequency: f64,
    /// The profiled executions of all copies together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executions: Option<Digits>,
    /// The number of copies of the branch in the program: inlined copies and template instances.
    pub copies: usize,
}

/// A successor of a branch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct SourceSuccessor {
    /// A description of the successor's position.
    pub place: String,
    /// The line of the successor's beginning, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The probability, from 0 to 1.
    pub probability: f64,
}

/// A line of `bpa score --json`: one executed branch. Lines are sorted by avoidable mispredictions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct MeasuredBranch {
    /// The version of the format.
    pub format: Format,
    /// The position of the branch. It is omitted without debug information. Paths are relative to the current
    /// directory, or absolute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Frame<'static>>,
    /// The inlined calls around the branch, the innermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inlined_at: Vec<Frame<'static>>,
    /// The demangled name of the function that contains the branch.
    pub function: String,
    /// The linker's name of the function.
    pub symbol: String,
    /// The profiled number of calls of the function.
    pub calls: Digits,
    /// The rule that predicts the branch.
    pub rule: Rule,
    /// The number of evaluations of the condition: the sum of the successors' counts, which may exceed the profile's largest
    /// counter.
    pub executions: Digits,
    /// Whether the counts are estimates: samples, counts above 32 bits, or counts of a module that was already
    /// optimised.
    pub approximate: bool,
    /// The mispredictions that the best fixed prediction of this branch would avoid.
    pub avoidable_mispredictions: f64,
    /// The successors, with predicted probability and measured count.
    pub successors: Vec<MeasuredSuccessor>,
}

/// A successor of an executed branch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct MeasuredSuccessor {
    /// A description of the successor's position.
    pub place: String,
    /// The line of the successor's beginning, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The predicted probability, from 0 to 1.
    pub predicted: f64,
    /// The profiled count of the edges to this successor.
    pub count: Digits,
}

/// A line of `bpa diff --json`: one branch that two predictors predict differently. Lines are sorted by `weight`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct DifferingBranch {
    /// The version of the format.
    pub format: Format,
    /// The names of the two predictions, `one` and `other`: `LLVM 16`, `predictor bpa`, `measured`.
    pub names: [String; 2],
    /// The position of the branch. It is omitted without debug information. Paths are relative to the current
    /// directory, or absolute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Frame<'static>>,
    /// The demangled name of the function that contains the branch.
    pub function: String,
    /// The largest difference of two probabilities, times the executions of the branch: profiled, or a static estimate.
    pub weight: f64,
    /// The successors.
    pub successors: Vec<DifferingSuccessor>,
}

/// A successor of a branch, with two probabilities.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct DifferingSuccessor {
    /// A description of the successor's position.
    pub place: String,
    /// The probability that the first prediction gives, from 0 to 1.
    pub one: f64,
    /// The probability that the second prediction gives.
    pub other: f64,
}
