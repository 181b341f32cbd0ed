//! Selects the hint to write in the source.

use bpa_schema::{least_sure_share, probability_of_hint, Advice, AdviceKind};

use crate::compared::{Branch, BranchKind, ComparedSuccessor};
use bpa_profile::cfg::Block;
use bpa_profile::source::Position;

/// Selects the hints that would correct the prediction of `branch`. `likely` is the most frequent successor of the
/// branch. `own_statement` returns the position of a block's first statement if the block has one incoming edge. An
/// attribute of this statement affects only the edge to the block.
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
    let file = source.map_or("", |source| &*source.frame.file);
    let mut advice = Vec::new();
    if is_hinted {
        advice.push(advised(AdviceKind::Remove));
    }
    let others = branch.successors.iter().filter(|successor| successor.target != likely.target);
    let mut other_statements = others.filter_map(|successor| own_statement(successor.target));
    if file.ends_with(".rs") {
        // `cold_path` takes no probability.
        let cold = other_statements.map(at(AdviceKind::ColdPath));
        advice.extend(cold.filter(|_| share >= least_sure_share()));
        return advice;
    }
    if let Some(probability) = probability_of_hint(share) {
        let hint = advised(AdviceKind::ExpectWithProbability);
        advice.push(Advice { probability: Some(probability), ..hint });
        return advice;
    }
    advice.push(advised(AdviceKind::Expect));
    // clang ignores `[[likely]]` in C.
    if file.ends_with(".c") {
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
    use bpa_profile::bpi::{Probability, Rule};
    use bpa_profile::source::Frame;

    #[test]
    fn the_file_name_determines_the_hints() {
        let successor = |block, truth| ComparedSuccessor {
            target: Block::from_u32(block),
            predicted: Probability::ratio(1, 2),
            truth,
        };
        let branch = Branch {
            block: Block::from_u32(0),
            kind: BranchKind::TwoWay,
            rule: Rule::Even,
            executions: 100,
            successors: vec![successor(1, 95), successor(2, 5)],
        };
        for (file, kinds) in [
            ("a.c", &[AdviceKind::Expect][..]),
            ("src/a.rs", &[AdviceKind::ColdPath]),
            ("a.cc", &[AdviceKind::Expect, AdviceKind::Likely]),
            ("a.h", &[AdviceKind::Expect, AdviceKind::Likely]),
            ("c", &[AdviceKind::Expect, AdviceKind::Likely]),
        ] {
            let frame = Frame { file: file.into(), directory: None, line: 1, column: 1, function: None };
            let position = Position { frame, inlined_at: Vec::new() };
            let statement = |_| Some(position.clone());
            let likely = &branch.successors[0];
            let found = advice(&branch, Some(&position), likely, 0.95, false, statement);
            assert!(found.iter().map(|advice| advice.what).eq(kinds.iter().copied()), "{file}");
        }
    }
}
