//! The line that `bpa hints --json` prints. docs/src/reference/json.md explains the fields.

use serde::{Deserialize, Serialize};

use crate::{Digits, Format, Rule};

/// The line of `bpa hints --json`: all hints for a program.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct SourceHints {
    /// The version of the format.
    pub format: Format,
    /// Totals over the program.
    pub totals: HintTotals,
    /// The hints. The hints that avoid the most mispredictions are first.
    pub hints: Vec<SourceHint>,
}

/// Totals over a program. Branches in system headers are only counted if the option `--system` is given.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct HintTotals {
    /// The number of source positions with an executed branch.
    pub measured_places: usize,
    /// The number of executions of all branches.
    pub executions: Digits,
    /// The number of executions that did not continue at the predicted successor.
    pub misses: Digits,
    /// The number of mispredictions that the best fixed prediction of each branch would avoid.
    pub avoidable_misses: Digits,
    /// All hints that avoid mispredictions, including hints that are not printed.
    pub wanted: HintSum,
    /// The printed hints.
    pub shown: HintSum,
    /// Positions where a hint would avoid mispredictions, but the language has no syntax for the hint.
    pub inexpressible: HintSum,
    /// Omitted hints: their positions are in system headers.
    pub system: HintSum,
    /// The number of branches outside system headers that were never executed, in functions with a profile.
    pub never_ran_branches: usize,
    /// The number of functions outside system headers.
    pub functions: usize,
    /// The number of functions outside system headers that have no profile.
    pub functions_without_profile: usize,
}

/// A group of hints: the number of their source positions, and the number of mispredictions that the hints avoid.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct HintSum {
    /// The number of source positions in this group.
    pub places: usize,
    /// The number of mispredictions that the hints of this group avoid.
    pub avoided_misses: Digits,
}

/// A source position where a hint avoids mispredictions.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct SourceHint {
    /// The cause of the mispredictions.
    pub finding: HintFinding,
    /// A sentence that compares the profiled and the predicted behaviour.
    pub message: String,
    /// A sentence that describes the hint to write.
    pub advice: String,
    /// The position of the condition or branch. The field is omitted if there is no debug information.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<HintPlace>,
    /// The function that contains the most frequently executed instance.
    pub function: String,
    /// The number of instances of the branch, such as inlined copies and template instances.
    pub instances: usize,
    /// Whether the branch is a switch.
    pub is_switch: bool,
    /// The number of executions of all instances.
    pub executions: Digits,
    /// The number of executions that did not continue at the predicted successor.
    pub misses: Digits,
    /// The number of mispredictions that the hint avoids.
    pub avoided_misses: Digits,
    /// The rule that predicts the most frequently executed instance.
    pub rule: Rule,
    /// The probability that `rule` predicts for the outcome `likely`.
    #[cfg_attr(feature = "schemars", schemars(range(min = 0, max = 1)))]
    pub predicted: f64,
    /// The most frequent outcome of the branch.
    pub likely: LikelyOutcome,
    /// The edit that inserts the hint. The field is omitted if a person must review the edit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<HintFix>,
}

/// The cause of the mispredictions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum HintFinding {
    /// The static prediction caused the mispredictions.
    MissingHint,
    /// A hint in the source caused the mispredictions.
    WrongHint,
}

/// A range of the source. Lines and columns start at 1, and columns are counted in bytes. Paths are absolute, or
/// relative to the current directory.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct HintPlace {
    /// The file.
    pub file: String,
    /// The line where the condition begins, or the line of the branch if the condition is unknown.
    pub line: u32,
    /// The column where the condition or branch begins.
    pub column: u32,
    /// The line where the condition ends, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    /// The column after the last character of the condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_column: Option<u32>,
}

/// The most frequent outcome of a branch.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct LikelyOutcome {
    /// The fraction of the executions that have this outcome.
    #[cfg_attr(feature = "schemars", schemars(range(min = 0, max = 1)))]
    pub share: f64,
    /// The value of the condition for this outcome, if the condition is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<bool>,
    /// The line where the successor begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The column where the successor begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

/// An edit of a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct HintFix {
    /// The replacements, sorted by their position in the file.
    pub replacements: Vec<HintReplacement>,
    /// The first line that changes.
    pub first_line: u32,
    /// The text of the changed lines before the edit.
    pub before: String,
    /// The text of the changed lines after the edit.
    pub after: String,
}

/// A range of the source, and the text that replaces it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct HintReplacement {
    /// The first line of the range.
    pub line: u32,
    /// The first column of the range, in bytes, from 1.
    pub column: u32,
    /// The last line of the range.
    pub end_line: u32,
    /// The column after the last character of the range.
    pub end_column: u32,
    /// The text that replaces the range.
    pub text: String,
}

/// The branch weight of the likely successor if the source contains `__builtin_expect`, `[[likely]]` or `cold_path`.
/// LLVM and rustc use this weight.
pub const LIKELY_WEIGHT: f64 = 2000.0;
/// The branch weight of every successor except the likely successor, if the source contains a hint for the branch.
pub const UNLIKELY_WEIGHT: f64 = 1.0;

/// If the likely successor has more than this share of the executions, `__builtin_expect` has a lower log-loss than a
/// prediction of 50%. The result is 0.909.
///
/// Let `s` be the share of executions that continue at the unlikely successor, and let `1:w` be the weights of the
/// hint. The log-loss of a prediction of 50% is `ln 2`. The log-loss of the hint is
/// `s ln(1 + w) + (1 - s) ln(1 + 1/w)`, which is `s ln w + ln(1 + 1/w)`. The two log-losses are equal at
/// `s = (ln 2 - ln(1 + 1/w)) / ln w`.
pub fn least_sure_share() -> f64 {
    let weight = LIKELY_WEIGHT / UNLIKELY_WEIGHT;
    1.0 - (std::f64::consts::LN_2 - (1.0 / weight).ln_1p()) / weight.ln()
}

/// The probability that is written in a hint if the likely successor has the part `share` of the executions. `None` if
/// `__builtin_expect` is better than a hint with a probability.
pub fn probability_of_hint(share: f64) -> Option<f64> {
    // The probability is rounded down because it must not exceed the profiled share. The addend is for products that
    // are below a whole number only because of rounding: `0.58 * 100.0`.
    (share < least_sure_share()).then(|| (share * 100.0 + 1e-9).floor() / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_of_hints_are_whole_percents() {
        let shares = [0.8639, 0.58, 0.29, 0.75, 0.9, 0.95];
        let wanted = [Some(0.86), Some(0.58), Some(0.29), Some(0.75), Some(0.9), None];
        assert_eq!(shares.map(probability_of_hint), wanted);
    }
}
