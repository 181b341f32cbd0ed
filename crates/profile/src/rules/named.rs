//! Rule sets that come along.

use super::RuleSet;

/// The name and text of those that are not LLVM's.
const TEXTS: [(&str, &str); 1] = [("calibrated", include_str!("../../predictors/calibrated.toml"))];

impl RuleSet {
    /// The names of all that come along.
    pub fn names() -> impl Iterator<Item = &'static str> {
        ["llvm"].into_iter().chain(TEXTS.iter().map(|(name, _)| *name))
    }

    /// The one by that name; nothing if none goes by it.
    pub fn named(name: &str) -> Option<RuleSet> {
        if name == RuleSet::llvm().name() {
            return Some(RuleSet::llvm().clone());
        }
        let (name, text) = TEXTS.iter().find(|(known, _)| *known == name)?;
        Some(RuleSet::read(name, text).expect("what comes along is well written"))
    }
}
