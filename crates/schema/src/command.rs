//! What the command `bpa` prints with `--json`: docs/src/reference/command.md explains it.

use serde::{Deserialize, Serialize};

use crate::{Digits, Format, Frame, Rule};

/// A branch of the source, as `bpa explain --json` prints it on one line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct SourceBranch {
    /// The version of the format.
    pub format: Format,
    /// Where it is; left out without debug information. Paths are relative to the current directory, or absolute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Frame<'static>>,
    /// The calls by which the copy that weighs most was inlined, the innermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inlined_at: Vec<Frame<'static>>,
    /// The function that the copy that weighs most is in, as people write its name.
    pub function: String,
    /// The same, as the linker knows it.
    pub symbol: String,
    /// The rule that decides.
    pub rule: Rule,
    /// Why, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Where it goes.
    pub successors: Vec<SourceSuccessor>,
    /// How often it runs for each time its function is called: a static estimate, or derived from a profile.
    pub frequency: f64,
    /// How often it ran, all copies together, by a measured profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executions: Option<Digits>,
    /// How many copies the program has of it: inlined ones, and instances of templates.
    pub copies: usize,
}

/// Where a branch goes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct SourceSuccessor {
    /// The place, in words.
    pub place: String,
    /// The line that it begins with, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// How likely it is, from 0 to 1.
    pub probability: f64,
}

/// A branch that ran, as `bpa score --json` prints it on one line, the most avoidable mispredictions first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct MeasuredBranch {
    /// The version of the format.
    pub format: Format,
    /// Where it is; left out without debug information. Paths are relative to the current directory, or absolute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Frame<'static>>,
    /// The calls by which it was inlined, the innermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inlined_at: Vec<Frame<'static>>,
    /// The function that it is in, as people write its name.
    pub function: String,
    /// The same, as the linker knows it.
    pub symbol: String,
    /// How often the function was called.
    pub calls: Digits,
    /// The rule that predicts it.
    pub rule: Rule,
    /// How often it ran.
    pub executions: Digits,
    /// Whether the counts are estimates: samples, counts above 32 bits, or counts of a module that was already optimised.
    pub approximate: bool,
    /// How many executions the best fixed prediction of this branch would predict, and this one does not.
    pub avoidable_mispredictions: f64,
    /// Where it went.
    pub successors: Vec<MeasuredSuccessor>,
}

/// Where a branch went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct MeasuredSuccessor {
    /// The place, in words.
    pub place: String,
    /// The line that it begins with, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// How likely it is predicted to be, from 0 to 1.
    pub predicted: f64,
    /// How often it was taken.
    pub count: Digits,
}

/// A branch about which two predictions differ, as `bpa diff --json` prints it on one line, those that matter most first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct DifferingBranch {
    /// The version of the format.
    pub format: Format,
    /// What `one` and `other` of the successors are: `LLVM 16`, `predictor bpa`, `measured`.
    pub names: [String; 2],
    /// Where it is; left out without debug information. Paths are relative to the current directory, or absolute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Frame<'static>>,
    /// The function that it is in, as people write its name.
    pub function: String,
    /// The largest difference of two probabilities, times how often the branch runs: measured, or a static estimate.
    pub weight: f64,
    /// Where it goes.
    pub successors: Vec<DifferingSuccessor>,
}

/// Where a branch goes, by two predictions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct DifferingSuccessor {
    /// The place, in words.
    pub place: String,
    /// How likely it is by the first, from 0 to 1.
    pub one: f64,
    /// How likely it is by the second.
    pub other: f64,
}
