//! Selects the hint to write in the source.

use bpa_schema::{Advice, AdviceKind};

use crate::compared::{Branch, BranchKind, ComparedSuccessor};
use bpa_profile::cfg::Block;
use bpa_profile::source::Position;

/// If at least this fraction of the executions continues at one successor, a hint without a probability is accurate
/// enough.
const SURE: f64 = 0.9;

/// The language of a source file. The language determines the possible hints.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    /// clang ignores `[[likely]]` in C.
    C,
    Rust,
    /// C++, or a header of C or C++.
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

/// Selects the hints that would correct the prediction of `branch`. `likely` is the most frequent successor of the
/// branch. `own_statement` returns the position of a block's first statement if the block has one incoming edge. An
/// attribute of this statement only affects the edge to the block.
pub(super) fn advice(
    branch: &Branch,
    source: Option<&Position>,
    likely: &ComparedSuccessor,
    share: f64,
    is_hinted: bool,
    own_statement: impl Fn(Block) -> Option<Position>,
) -> Vec<Advice> {
    let advised = |what| Advice { what, at: None, probability: None };
    let at = |what| move |position| Advice { what, at: Some(position), probability: None };
    let language = source.map_or(Language::Other, |source| Language::of(&source.frame.file));
    let mut advice = Vec::new();
    if is_hinted {
        advice.push(advised(AdviceKind::Remove));
    }
    let others = branch.successors.iter().filter(|successor| successor.target != likely.target);
    let mut other_statements = others.filter_map(|successor| own_statement(successor.target));
    if language == Language::Rust {
        // `cold_path` takes no probability.
        let cold = other_statements.map(at(AdviceKind::ColdPath));
        advice.extend(cold.filter(|_| share >= SURE));
        return advice;
    }
    if share < SURE {
        advice.push(Advice { probability: Some(share), ..advised(AdviceKind::ExpectWithProbability) });
        return advice;
    }
    advice.push(advised(AdviceKind::Expect));
    if language == Language::C {
        return advice;
    }
    if let Some(statement) = own_statement(likely.target) {
        advice.push(at(AdviceKind::Likely)(statement));
    } else if branch.kind == BranchKind::TwoWay {
        advice.extend(other_statements.next().map(at(AdviceKind::Unlikely)));
    }
    advice
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_name_determines_the_language() {
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
