//! What to write in the source.

use crate::compared::{Branch, ComparedSuccessor, Kind};
use bpa_profile::cfg::Block;
use bpa_profile::source::SourcePosition;

/// From here on a branch is as sure as attributes say: they know no shares.
const SURE: f64 = 0.9;

/// Something to write.
pub(super) enum Advice {
    /// To take away the hint that is there.
    Remove,
    /// `[[likely]]` before the statement there.
    Likely(SourcePosition),
    /// `[[unlikely]]` before the statement there.
    Unlikely(SourcePosition),
    /// `core::hint::cold_path()` at the beginning of the block there.
    ColdPath(SourcePosition),
    /// `__builtin_expect` around what is tested.
    Expect,
    /// `__builtin_expect_with_probability` around what is tested.
    ExpectWithProbability(f64),
}

impl Advice {
    /// As it is written.
    pub fn spelling(&self) -> &'static str {
        match self {
            Advice::Remove => "no hint",
            Advice::Likely(_) => "[[likely]]",
            Advice::Unlikely(_) => "[[unlikely]]",
            Advice::ColdPath(_) => "core::hint::cold_path()",
            Advice::Expect => "__builtin_expect",
            Advice::ExpectWithProbability(_) => "__builtin_expect_with_probability",
        }
    }
}

/// The language of a file, as far as it decides how a hint is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    /// clang ignores `[[likely]]` in C.
    C,
    Rust,
    /// C++, or a header of either.
    Other,
}

impl Language {
    fn of(file: &str) -> Self {
        match file.rsplit_once('.') {
            Some((_, "c")) => Language::C,
            Some((_, "rs")) => Language::Rust,
            _ => Language::Other,
        }
    }
}

/// What would make the prediction of `branch` right, which mostly goes to `likely`. `own_statement` is the position of a
/// statement to which only one edge leads: an attribute there predicts that edge alone.
pub(super) fn advice(
    branch: &Branch,
    source: Option<&SourcePosition>,
    likely: &ComparedSuccessor,
    share: f64,
    is_hinted: bool,
    own_statement: impl Fn(Block) -> Option<SourcePosition>,
) -> Vec<Advice> {
    let language = source.map_or(Language::Other, |source| Language::of(&source.innermost().file.name));
    let mut advice = Vec::new();
    if is_hinted {
        advice.push(Advice::Remove);
    }
    let others = branch.sides.iter().filter(|side| side.target != likely.target);
    let mut other_statements = others.filter_map(|side| own_statement(side.target));
    if language == Language::Rust {
        // It takes no share.
        let cold = other_statements.map(Advice::ColdPath);
        advice.extend(cold.filter(|_| share >= SURE));
        return advice;
    }
    if share < SURE {
        advice.push(Advice::ExpectWithProbability(share));
        return advice;
    }
    advice.push(Advice::Expect);
    if language == Language::C {
        return advice;
    }
    if let Some(source) = own_statement(likely.target) {
        advice.push(Advice::Likely(source));
    } else if branch.kind == Kind::TwoWay {
        advice.extend(other_statements.next().map(Advice::Unlikely));
    }
    advice
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_name_their_language() {
        for (file, language) in [
            ("a.c", Language::C),
            ("src/a.rs", Language::Rust),
            ("a.cc", Language::Other),
            ("a.h", Language::Other),
            ("c", Language::Other),
        ] {
            assert!(Language::of(file) == language, "{file}");
        }
    }
}
