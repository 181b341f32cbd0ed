//! What `bpa hints --json` prints: docs/src/guide/hints.md explains it.

use serde::{Deserialize, Serialize};

use crate::{Digits, Format, Rule};

/// The hints for a program, as `bpa hints --json` prints them on one line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct SourceHints {
    /// The version of the format.
    pub format: Format,
    /// What was measured.
    pub totals: HintTotals,
    /// The hint that avoids most misses first.
    pub hints: Vec<SourceHint>,
}

/// What was measured of a program, without system headers unless they are asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct HintTotals {
    /// Places of the source with a branch that ran.
    pub measured_places: usize,
    /// How often these branches ran.
    pub executions: Digits,
    /// How many of these executions went to another successor than is predicted.
    pub misses: Digits,
    /// The misses that the best fixed prediction of each branch would not have.
    pub avoidable_misses: Digits,
    /// All hints that help, printed or not.
    pub wanted: HintSum,
    /// The hints that are printed.
    pub shown: HintSum,
    /// Places that need a hint for which the language has none.
    pub inexpressible: HintSum,
    /// Places in system headers that are left out.
    pub system: HintSum,
    /// Branches that never ran, of functions that have a profile.
    pub never_ran_branches: usize,
    /// Functions outside of system headers.
    pub functions: usize,
    /// Of these, how many have no profile.
    pub functions_without_profile: usize,
}

/// What hints at some places come to.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct HintSum {
    /// How many places.
    pub places: usize,
    /// How many misses hints there avoid.
    pub avoided_misses: Digits,
}

/// A place where a hint avoids misses.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct SourceHint {
    /// What is wrong.
    pub finding: HintFinding,
    /// The same in words: what was measured, and what is predicted.
    pub message: String,
    /// What to write, in words.
    pub advice: String,
    /// Where it is; left out without debug information.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<HintPlace>,
    /// The function that the instance which ran most often is in.
    pub function: String,
    /// How many instances of templates, inlined copies and so on the program has of it.
    pub instances: usize,
    /// Whether it is a switch.
    pub is_switch: bool,
    /// How often all instances ran.
    pub executions: Digits,
    /// How many executions went to another successor than is predicted.
    pub misses: Digits,
    /// How many of these misses a hint avoids.
    pub avoided_misses: Digits,
    /// The rule that predicts the instance which ran most often.
    pub rule: Rule,
    /// The probability that it predicts for what mostly happens.
    #[cfg_attr(feature = "schemars", schemars(range(min = 0, max = 1)))]
    pub predicted: f64,
    /// What mostly happens.
    pub likely: LikelyOutcome,
    /// An edit that is certain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<HintFix>,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum HintFinding {
    /// The static prediction.
    MissingHint,
    /// A hint in the source.
    WrongHint,
}

/// A place of the source; lines and columns (bytes) are from 1. Paths are relative to the current directory, or absolute.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct HintPlace {
    /// The file.
    pub file: String,
    /// The line of the condition, or else of the branch.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// Where the condition has ended, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    /// The column behind the condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_column: Option<u32>,
}

/// What mostly happens at a branch.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct LikelyOutcome {
    /// In which share of the executions.
    #[cfg_attr(feature = "schemars", schemars(range(min = 0, max = 1)))]
    pub share: f64,
    /// The value of the condition, if the condition is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<bool>,
    /// The line that the successor begins with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

/// An edit of a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct HintFix {
    /// In the order of the file.
    pub replacements: Vec<HintReplacement>,
    /// The first of the lines that change.
    pub first_line: u32,
    /// These lines as they are.
    pub before: String,
    /// These lines as they should read.
    pub after: String,
}

/// A text that takes the place of what is between two places.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct HintReplacement {
    /// Where it begins.
    pub line: u32,
    /// The column (byte), from 1.
    pub column: u32,
    /// Where it ends.
    pub end_line: u32,
    /// The column behind it.
    pub end_column: u32,
    /// The new text.
    pub text: String,
}
