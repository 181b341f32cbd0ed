//! JSON lines that the command `bpa` prints with `--json`. docs/src/reference/command.md explains the fields.

use serde::{Deserialize, Serialize};

use crate::{Digits, Format, Frame, Rule};

/// A line of `bpa explain --json`: one branch of the source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct SourceBranch {
    /// The version of the format.
    pub format: Format,
    /// The position of the branch. The field is omitted if there is no debug information. Paths are absolute, or
    /// relative to the current directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Frame>,
    /// The calls through which the copy with the highest weight was inlined, the innermost call first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inlined_at: Vec<Frame>,
    /// The demangled name of the function that contains the copy with the highest weight.
    pub function: String,
    /// The mangled name of the function.
    pub symbol: String,
    /// The rule that decided the prediction.
    pub rule: Rule,
    /// The reason for the prediction, as a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The successors.
    pub successors: Vec<SourceSuccessor>,
    /// How often the branch is executed per call of its function: a static estimate, or derived from a profile.
    pub frequency: f64,
    /// The profiled executions of the branch, added up over all copies. The field is omitted if there is no profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executions: Option<Digits>,
    /// The number of copies of the branch in the program: inlined copies and template instances.
    pub copies: usize,
    /// True if `place` is a condition with two values, and the compiler merged the condition with other tests of the
    /// same value to a switch. The field is omitted if it is false.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub merged: bool,
}

/// A successor of a branch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct SourceSuccessor {
    /// A description of the successor's position.
    pub place: String,
    /// The line where the successor begins, if it is known. The line is in the file of the branch, unless the field
    /// `place` contains another file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The probability of the successor, from 0 to 1.
    pub probability: f64,
}

/// A line of `bpa score --json`: one executed branch. The branches with the most avoidable mispredictions come first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct MeasuredBranch {
    /// The version of the format.
    pub format: Format,
    /// The position of the branch. The field is omitted if there is no debug information. Paths are absolute, or
    /// relative to the current directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Frame>,
    /// The calls through which the branch was inlined, the innermost call first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inlined_at: Vec<Frame>,
    /// The demangled name of the function that contains the branch.
    pub function: String,
    /// The mangled name of the function.
    pub symbol: String,
    /// The profiled number of calls of the function.
    pub calls: Digits,
    /// The rule that predicts the branch.
    pub rule: Rule,
    /// The number of evaluations of the condition, which is the sum of the successors' counts. This sum may exceed the
    /// profile's largest counter.
    pub executions: Digits,
    /// Whether the counts are only estimates. There are three reasons: the profile contains samples, a count needs more
    /// than 32 bits, or the module was already optimised.
    pub approximate: bool,
    /// The number of mispredictions that the best fixed prediction of this branch would avoid.
    pub avoidable_mispredictions: f64,
    /// The successors, each with its predicted probability and its profiled count.
    pub successors: Vec<MeasuredSuccessor>,
}

/// A successor of an executed branch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct MeasuredSuccessor {
    /// A description of the successor's position.
    pub place: String,
    /// The line where the successor begins, if it is known. The line is in the file of the branch, unless the field
    /// `place` contains another file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The probability, from 0 to 1, that the compiler predicts without the profile and without hints in the source.
    pub predicted: f64,
    /// The profiled count of the edges to this successor.
    pub count: Digits,
}

/// A line of `bpa diff --json`: one branch that two predictors predict differently. The branches with the highest
/// `weight` come first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct DifferingBranch {
    /// The version of the format.
    pub format: Format,
    /// The names of the first and the second prediction, for example `LLVM 16`, `predictor bpa` or `measured`.
    pub names: [String; 2],
    /// The position of the branch. The field is omitted if there is no debug information. Paths are absolute, or
    /// relative to the current directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Frame>,
    /// The demangled name of the function that contains the branch.
    pub function: String,
    /// The largest difference between the two probabilities of a successor, multiplied by the executions of the branch.
    /// The executions are profiled or estimated statically.
    pub weight: f64,
    /// The successors.
    pub successors: Vec<DifferingSuccessor>,
}

/// A successor of a branch, with its probabilities in two predictions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct DifferingSuccessor {
    /// A description of the successor's position.
    pub place: String,
    /// The probability in the first prediction, from 0 to 1.
    pub one: f64,
    /// The probability in the second prediction, from 0 to 1.
    pub other: f64,
}
