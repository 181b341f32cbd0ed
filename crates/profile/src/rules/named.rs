//! Built-in rule sets.

use super::RuleSet;

/// The names and texts of the built-in rule sets, except the rule set `llvm`.
const TEXTS: &[(&str, &str)] = &[("calibrated", include_str!("../../predictors/calibrated.toml"))];

impl RuleSet {
    /// The names of all built-in rule sets.
    pub fn names() -> impl Iterator<Item = &'static str> {
        ["llvm"].into_iter().chain(TEXTS.iter().map(|(name, _)| *name))
    }

    /// The built-in rule set `name`, or `None` if it does not exist.
    pub fn named(name: &str) -> Option<RuleSet> {
        if name == RuleSet::llvm().name() {
            return Some(RuleSet::llvm().clone());
        }
        let (name, text) = TEXTS.iter().find(|(known, _)| *known == name)?;
        Some(RuleSet::read(name, text).expect("built-in rule sets are valid"))
    }
}
