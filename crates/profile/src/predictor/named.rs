//! Predictors that come along.

use super::Predictor;

/// The texts that describe those that are not LLVM's.
const TEXTS: [(&str, &str); 2] = [
    ("calibrated", include_str!("../../predictors/calibrated.toml")),
    ("bpa", include_str!("../../predictors/bpa.model")),
];

impl Predictor {
    /// The names of all that come along, in words.
    pub fn names() -> String {
        let names: Vec<&str> = ["llvm"].into_iter().chain(TEXTS.iter().map(|(name, _)| *name)).collect();
        names.join(", ")
    }

    /// The one by that name; nothing if none goes by it.
    pub fn named(name: &str) -> Option<Predictor> {
        if name == Predictor::llvm().name() {
            return Some(Predictor::llvm().clone());
        }
        let (name, text) = TEXTS.iter().find(|(known, _)| *known == name)?;
        Some(Predictor::read(name, text).expect("what comes along is well written"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_come_along_can_be_had() {
        for name in Predictor::names().split(", ") {
            assert_eq!(Predictor::named(name).expect("it comes along").name(), name);
        }
        assert_eq!(Predictor::named("LLVM"), None);
        assert_eq!(Predictor::named(""), None);
    }
}
