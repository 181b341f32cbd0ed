//! Reads rules and their weights from TOML. The file `predictors/llvm.toml` contains all tables and fields, and
//! `docs/src/reference/predictor-files.md` describes the format.

use std::borrow::Cow;
use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::comparisons::{ConstantWeights, FloatWeights, PointerWeights};
use super::error::RuleSetError;
use super::estimates::EstimateWeights;
use super::numbers::spanned_table;
use super::Rule;
use super::RuleSet;

/// The contents of a rule file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    rules: Vec<Spanned<NamedRule>>,
    #[serde(default, deserialize_with = "spanned_table")]
    estimated_weights: Option<Spanned<EstimateWeights>>,
    #[serde(default, deserialize_with = "spanned_table")]
    pointer: Option<Spanned<PointerWeights>>,
    #[serde(default, deserialize_with = "spanned_table")]
    constant: Option<Spanned<ConstantWeights>>,
    #[serde(default, deserialize_with = "spanned_table")]
    floating_point: Option<Spanned<FloatWeights>>,
}

/// A rule that a rule file can list.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum NamedRule {
    Metadata,
    EstimatedWeights,
    Pointer,
    Constant,
    FloatingPoint,
}

impl RuleSet {
    /// Reads the rule set `name` from a rule file in TOML.
    ///
    /// Every listed rule that has weights must have a table, and every table must belong to a listed rule. If a table
    /// has no weights for a comparison, the rule does not apply to this comparison.
    ///
    /// # Errors
    ///
    /// If the text is not valid TOML, or does not describe a rule set, returns the first error in the text.
    pub fn read(name: &str, text: &str) -> Result<RuleSet, RuleSetError> {
        let at = |place: Range<usize>, problem| RuleSetError::new(line(text, place.start), problem);
        let file: File = toml::from_str(text)
            .map_err(|error| at(error.span().unwrap_or(0..0), error.message().replace('\n', ", ")))?;
        file.into_rule_set(name).map_err(|(place, problem)| at(place, problem))
    }
}

/// The line number, from 1, of the byte at `place`.
fn line(text: &str, place: usize) -> usize {
    1 + text.as_bytes().iter().take(place).filter(|&&byte| byte == b'\n').count()
}

impl File {
    /// Converts the file to the rule set `name`. Checks that each rule is listed at most once, that each listed rule
    /// with weights has a table, and that no other rule has a table.
    fn into_rule_set(self, name: &str) -> Result<RuleSet, Problem> {
        for (place, rule) in self.rules.iter().enumerate() {
            if self.rules[..place].iter().any(|earlier| earlier.get_ref() == rule.get_ref()) {
                return Err((rule.span(), "the rule is named twice".into()));
            }
        }
        let rules = &self.rules;
        let estimates =
            weights(rules, NamedRule::EstimatedWeights, "estimated-weights", self.estimated_weights)?;
        Ok(RuleSet {
            name: Cow::Owned(name.to_string()),
            rules: Cow::Owned(rules.iter().map(|rule| (*rule.get_ref()).into()).collect()),
            estimates: estimates.unwrap_or(RuleSet::llvm().estimates),
            pointer: weights(rules, NamedRule::Pointer, "pointer", self.pointer)?.unwrap_or_default(),
            constant: weights(rules, NamedRule::Constant, "constant", self.constant)?.unwrap_or_default(),
            floating_point: weights(rules, NamedRule::FloatingPoint, "floating-point", self.floating_point)?
                .unwrap_or_default(),
        })
    }
}

/// The position of an error, and the error.
type Problem = (Range<usize>, String);

/// The weights in the table `name` of the rule `rule`. The result is `None` if `rules` does not contain the rule.
fn weights<T>(
    rules: &[Spanned<NamedRule>],
    rule: NamedRule,
    name: &str,
    table: Option<Spanned<T>>,
) -> Result<Option<T>, Problem> {
    match (rules.iter().find(|named| *named.get_ref() == rule), table) {
        (Some(named), None) => Err((named.span(), format!("the rule needs a table [{name}]"))),
        (None, Some(table)) => {
            Err((table.span(), format!("table [{name}], but {name} is not among the rules")))
        }
        (_, table) => Ok(table.map(Spanned::into_inner)),
    }
}

impl From<NamedRule> for Rule {
    fn from(rule: NamedRule) -> Self {
        match rule {
            NamedRule::Metadata => Rule::Metadata,
            NamedRule::EstimatedWeights => Rule::EstimatedWeights,
            NamedRule::Pointer => Rule::Pointer,
            NamedRule::Constant => Rule::Constant,
            NamedRule::FloatingPoint => Rule::FloatingPoint,
        }
    }
}

#[cfg(test)]
mod tests;
