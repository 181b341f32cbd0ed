//! The line that `bpa hints --json` prints: docs/src/reference/json.md explains it.

use serde::{Deserialize, Serialize};

use crate::{Digits, Format, Rule};

/// The line of `bpa hints --json`: all hints for a program.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct SourceHints {
    /// The version of the format.
    pub format: Format,
    /// Measured sums over the program.
    pub totals: HintTotals,
    /// The hints, most avoided misses first.
    pub hints: Vec<SourceHint>,
}

/// Measured sums over a program. System headers count only with the option that includes them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct HintTotals {
    /// Source positions with an executed branch.
    pub measured_places: usize,
    /// The executions of these branches.
    pub executions: Digits,
    /// The executions that did not continue at the predicted successor.
    pub misses: Digits,
    /// The misses that the best fixed prediction of each branch would avoid.
    pub avoidable_misses: Digits,
    /// All hints that help, printed or not.
    pub wanted: HintSum,
    /// The printed hints.
    pub shown: HintSum,
    /// Positions that need a hint which the language cannot express.
    pub inexpressible: HintSum,
    /// Omitted positions in system headers.
    pub system: HintSum,
    /// Branches that never ran, in functions that have a profile.
    pub never_ran_branches: usize,
    /// Functions outside of system headers.
    pub functions: usize,
    /// Functions outside of system headers that have no profile.
    pub functions_without_profile: usize,
}

/// A number of hints, and the misses that they avoid.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct HintSum {
    /// The number of positions.
    pub places: usize,
    /// The misses that hints at these positions avoid.
    pub avoided_misses: Digits,
}

/// A source position where a hint avoids misses.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct SourceHint {
    /// The cause of the misses.
    pub finding: HintFinding,
    /// A sentence with the measured and the predicted behaviour.
    pub message: String,
    /// A sentence that describes the hint to write.
    pub advice: String,
    /// The position. It is omitted without debug information.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<HintPlace>,
    /// The function that contains the most executed instance.
    pub function: String,
    /// The number of instances: inlined copies, template instances and so on.
    pub instances: usize,
    /// Whether the branch is a switch.
    pub is_switch: bool,
    /// The executions of all instances.
    pub executions: Digits,
    /// The executions that did not continue at the predicted successor.
    pub misses: Digits,
    /// The misses that a hint avoids.
    pub avoided_misses: Digits,
    /// The rule that predicts the most executed instance.
    pub rule: Rule,
    /// The probability that this rule predicts for `likely`.
    #[cfg_attr(feature = "schemars", schemars(range(min = 0, max = 1)))]
    pub predicted: f64,
    /// The most frequent outcome.
    pub likely: LikelyOutcome,
    /// The edit that inserts the hint, if it needs no review.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<HintFix>,
}

/// The cause of the misses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum HintFinding {
    /// The static prediction.
    MissingHint,
    /// A hint in the source.
    WrongHint,
}

/// A range of the source. Lines and columns (bytes) are from 1. Paths are relative to the current directory, or
/// absolute.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct HintPlace {
    /// The file.
    pub file: String,
    /// The line of the condition, or else of the branch.
    pub line: u32,
    /// The column of its beginning.
    pub column: u32,
    /// The line of the condition's end, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    /// The column after the condition's end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_column: Option<u32>,
}

/// The most frequent outcome of a branch.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct LikelyOutcome {
    /// The share of the executions with this outcome.
    #[cfg_attr(feature = "schemars", schemars(range(min = 0, max = 1)))]
    pub share: f64,
    /// The value of the condition, if the condition is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<bool>,
    /// The line of the successor's beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The column of its beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

/// An edit of a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct HintFix {
    /// The replacements, in the order of the file.
    pub replacements: Vec<HintReplacement>,
    /// The first line that changes.
    pub first_line: u32,
    /// The changed lines before the edit.
    pub before: String,
    /// The changed lines after the edit.
    pub after: String,
}

/// A text that replaces a range of the source.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct HintReplacement {
    /// The first line of the range.
    pub line: u32,
    /// The column (byte) of its beginning, from 1.
    pub column: u32,
    /// The line of the range's end.
    pub end_line: u32,
    /// The column after the range's end.
    pub end_column: u32,
    /// The new text.
    pub text: String,
}
