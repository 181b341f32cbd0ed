//! Compares static predictions with a measured profile, branch by branch.
//!
//! A static prediction does not depend on the profile. The profile contains how often each branch was executed, and how
//! often execution continued at each successor.
//!
//! The executions that a predictor mispredicts are compared with the executions that the best static predictor would
//! mispredict. This method is from Thomas Ball and James Larus, "Branch prediction for free" (PLDI 1993).

pub use bpa_schema::BranchKind;

use crate::successors::{Successor, Successors};
use bpa_profile::bpi::{Probability, Rule};
use bpa_profile::cfg::Block;
use bpa_profile::facts::Terminator;
use bpa_profile::profile::Profile;

/// The kind of a branch with this terminator and this number of different targets. A conditional `br` whose edges lead
/// to the same block is of the kind [`BranchKind::Other`].
pub(crate) fn kind_of(terminator: Terminator, targets: usize) -> BranchKind {
    match terminator {
        Terminator::Branch if targets > 1 => BranchKind::TwoWay,
        Terminator::Switch => BranchKind::Switch,
        _ => BranchKind::Other,
    }
}

/// A branch with its static prediction and its profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The block that ends with the branch.
    pub block: Block,
    /// The kind of branch.
    pub kind: BranchKind,
    /// The rule that predicted the branch.
    pub rule: Rule,
    /// The profiled number of executions of the branch. If this number is 0, the counts of the successors are
    /// meaningless.
    pub executions: u64,
    /// The successor blocks in the terminator's order, without duplicates.
    pub successors: Vec<ComparedSuccessor>,
}

/// A successor block of a branch. Several parallel edges can lead to this block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComparedSuccessor {
    /// The block.
    pub target: Block,
    /// The predicted probability.
    pub predicted: Probability,
    /// The profiled weight. Weights of different branches are not comparable.
    pub truth: u64,
}

/// All reachable branches of a function, in layout order. If the function has no profiled entry count, the list is
/// empty.
///
/// `measured` is the result for the function with its branch weights and entry count. `predicted` is the result for the
/// same function after [`FunctionFacts::forget_profile`](bpa_profile::facts::FunctionFacts::forget_profile). A branch
/// counts as executed if it has a weight other than 0 and the count of its block is not 0. The count of a block is the
/// entry count multiplied by the block's frequency, rounded.
pub fn branches(measured: &Profile, predicted: &Profile) -> Vec<Branch> {
    if measured.facts().measured_entries().is_none() {
        return Vec::new();
    }
    let graph = measured.graph();
    let blocks =
        graph.blocks().filter(|&block| graph.successors(block).len() > 1 && graph.tree().reaches(block));
    let mut successors = Successors::new(predicted);
    let branch = |block| {
        let weights = measured.facts().weights(block).unwrap_or_default();
        let successors: Vec<ComparedSuccessor> = successors
            .with_weights(block, weights)
            .into_iter()
            .map(|Successor { target, probability, weight, .. }| ComparedSuccessor {
                target,
                predicted: probability,
                truth: weight,
            })
            .collect();
        let went_somewhere = successors.iter().any(|successor| successor.truth > 0);
        Branch {
            block,
            kind: kind_of(measured.facts().blocks()[block].terminator, successors.len()),
            rule: predicted.rule(block).unwrap_or_default(),
            executions: measured.count(block).filter(|_| went_somewhere).unwrap_or(0),
            successors,
        }
    };
    blocks.map(branch).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bpa_profile::bpi::test_support::parse_function;
    use bpa_profile::dialect::Dialect;
    use bpa_profile::facts::EntryCount;

    /// The branches of a function whose control-flow graph is `picture`. The function is entered `entries` times.
    fn scored(picture: &str, entries: Option<u64>) -> Vec<Branch> {
        let mut measured = parse_function(picture).function;
        let entries = entries.map(|count| EntryCount { count, synthetic: false });
        measured.set_profile(entries, measured.header_weights().to_vec());
        let mut predicted = measured.clone();
        predicted.forget_profile();
        let llvm16 = Dialect::named("16").expect("supported");
        let [measured, predicted] = [measured, predicted].map(|facts| Profile::new(facts, llvm16));
        branches(&measured, &predicted)
    }

    fn successors(branch: &Branch) -> Vec<(u32, u64)> {
        branch.successors.iter().map(|successor| (successor.predicted.numerator(), successor.truth)).collect()
    }

    const HALF: u32 = 1 << 30;

    /// The function is entered 40 times, and block `b` is executed 30 times. The prediction does not depend on the
    /// weights.
    #[test]
    fn the_prediction_ignores_weights_and_the_truth_uses_them() {
        let found = scored("a: 1:3 -> c b; b: ptr_eq 3:7 -> d c; c; d", Some(40));
        assert_eq!([found[0].executions, found[1].executions], [40, 30]);
        assert_eq!([found[0].rule, found[1].rule], [Rule::Even, Rule::Pointer]);
        assert_eq!(successors(&found[0]), [(HALF, 1), (HALF, 3)]);
        assert_eq!(successors(&found[1]), [(3 << 28, 3), (5 << 28, 7)]); // 12 : 20
    }

    #[test]
    fn branches_that_never_ran_have_no_truth() {
        let runs = |picture| scored(picture, Some(1_000)).iter().map(|b| b.executions).collect::<Vec<_>>();
        assert_eq!(runs("a -> b c; b; c"), [0]); // no weights
        assert_eq!(runs("a: 0:0 -> b c; b; c"), [0]);
        assert_eq!(runs("a: 0:5 -> b c; b: 1:1 -> c d; c; d"), [1_000, 0]); // b is never executed
        assert_eq!(scored("a: 1:3 -> b c; b; c", Some(0))[0].executions, 0);
    }

    #[test]
    fn without_a_profiled_entry_count_there_are_no_branches() {
        assert_eq!(scored("a: 1:3 -> b c; b; c", None), []);
    }

    #[test]
    fn unreachable_branches_are_left_out() {
        assert_eq!(scored("a; dead: 1:2 -> a b; b", Some(9)), []);
    }

    /// Three edges lead to two blocks, so the branch has two successors. The probability 2/3 is the sum over two edges,
    /// and is rounded only after the addition.
    #[test]
    fn parallel_edges_are_one_successor() {
        let found = scored("a: 1:2:4 -> x y x; x; y", Some(7));
        assert_eq!((found[0].kind, found[0].executions), (BranchKind::Switch, 7));
        assert_eq!(successors(&found[0]), [(1_431_655_765, 5), (715_827_883, 2)]);
        assert_eq!(scored("a: 1:2 -> x x; x", Some(7))[0].kind, BranchKind::Other);
        assert_eq!(scored("a: 1:2 -> x y; x; y", Some(7))[0].kind, BranchKind::TwoWay);
    }
}
