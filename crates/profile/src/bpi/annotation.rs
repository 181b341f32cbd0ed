//! Chooses branch weights to write as metadata. The weights must be such that LLVM computes the predicted probabilities
//! from them.
//!
//! The planner writes the integers from which the probabilities were computed. For some branches, there are no weights
//! from which LLVM computes the predicted probabilities:
//!
//! - If an edge leads to `unreachable`, LLVM scales the probabilities of the other edges so that the sum of all
//!   probabilities is exactly 1. The scaling can change the largest probability by 2^-31.
//! - If all edges lead to `unreachable`, LLVM ignores the weights, and applies the rules about the condition.
//! - If no rule applies and some edges are parallel, LLVM adds the probabilities of parallel edges before rounding. If
//!   the branch has weights, LLVM first rounds the probability of each parallel edge, and then adds the rounded
//!   probabilities.
//!
//! The planner therefore checks its choice: it computes the probabilities again, with the chosen weights. If these
//! probabilities differ from the predicted ones, the branch gets no weights, so LLVM's rules predict the branch.

use cranelift_entity::PrimaryMap;

use super::branch_probabilities::BranchProbabilities;
use super::probability::Probability;
use crate::cfg::{table, Block, Graph};
use crate::facts::{BlockProperties, FunctionFacts};
use crate::rules::Rule;

/// The annotation of one branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Annotation {
    /// Write these weights, one for each successor.
    Weights(Vec<u32>),
    /// Do not write weights, because no weights give the predicted probabilities.
    Inexpressible,
}

/// Options of the planner: the branches that get weights.
#[derive(Clone, Copy, Debug)]
pub struct AnnotationRules {
    /// Whether to skip branches to which no rule applies.
    pub skip_even: bool,
    /// Whether LLVM's IR verifier allows branch weights on `callbr`.
    pub callbr: bool,
    /// The action for branches whose probabilities cannot be expressed by weights.
    pub inexpressible: Inexpressible,
}

/// The action for a branch whose probabilities cannot be expressed exactly by weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inexpressible {
    /// Do not write weights. Later analyses then predict the branch by rules, as before.
    Skip,
    /// Write the weights of the prediction, although LLVM computes different probabilities from these weights.
    Approximate,
}

/// Plans the annotation of every branch of `function` that has no valid weights.
///
/// `predicted` must be the probabilities of `function`. `predict` must compute the probabilities of a copy of
/// `function` that has more branch weights.
pub fn plan_annotations(
    function: &FunctionFacts,
    predicted: &BranchProbabilities,
    rules: AnnotationRules,
    predict: impl FnOnce(&FunctionFacts) -> BranchProbabilities,
) -> Vec<(Block, Annotation)> {
    let graph = &function.graph;
    let mut views = Views::new(graph);
    let chosen: Vec<Block> =
        graph.blocks().filter(|&block| may_annotate(function, predicted, rules, block)).collect();
    let mut annotated = function.clone();
    for &block in &chosen {
        annotated.set_weights(block, &predicted.weights()[graph.edges(block)]);
    }
    let read_back = predict(&annotated);
    let plan = |block: Block| {
        let is_same = views.of(predicted, block) == views.of(&read_back, block);
        let annotation = if is_same || rules.inexpressible == Inexpressible::Approximate {
            Annotation::Weights(predicted.weights()[graph.edges(block)].to_vec())
        } else {
            Annotation::Inexpressible
        };
        (block, annotation)
    };
    chosen.into_iter().map(plan).collect()
}

/// The probabilities of the edges of a block, as LLVM's queries return them.
struct Views<'a> {
    graph: &'a Graph,
    totals: PrimaryMap<Block, u32>,
}

impl<'a> Views<'a> {
    fn new(graph: &'a Graph) -> Self {
        Views { graph, totals: table(graph.block_count(), 0) }
    }

    /// For each edge of `block`, two numbers: the probability of the edge, and the sum of the probabilities of all
    /// edges with the same target.
    fn of(&mut self, result: &BranchProbabilities, block: Block) -> Vec<(Probability, Probability)> {
        let mut edges = result.probabilities()[self.graph.edges(block)].iter();
        let mut views = Vec::new();
        result.for_each_target(self.graph, block, &mut self.totals, |_, total| {
            views.extend(edges.next().map(|&edge| (edge, total)));
        });
        views
    }
}

fn may_annotate(
    function: &FunctionFacts,
    predicted: &BranchProbabilities,
    rules: AnnotationRules,
    block: Block,
) -> bool {
    let facts = &function.blocks[block];
    facts.terminator.may_carry_weights(rules.callbr)
        && function.graph.successors(block).len() > 1
        && facts.weights.is_none()
        && !facts.properties.has(BlockProperties::OTHER_PROFILE)
        && !(rules.skip_even && predicted.rule(block) == Rule::Even)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::test_support::{parse_function, pictures, ParsedFunction};
    use super::*;
    use crate::cfg::test_support::config;

    const ALL: AnnotationRules =
        AnnotationRules { skip_even: false, callbr: true, inexpressible: Inexpressible::Skip };

    fn predict(parsed: &ParsedFunction, function: &FunctionFacts) -> BranchProbabilities {
        BranchProbabilities::compute(function, &mut parsed.conditions.clone())
    }

    fn plan(parsed: &ParsedFunction, rules: AnnotationRules) -> Vec<(Block, Annotation)> {
        plan_annotations(&parsed.function, &parsed.result, rules, |annotated| predict(parsed, annotated))
    }

    /// Parses the function `picture`, plans its annotations, and returns the annotation of the block `name`.
    fn planned(picture: &str, name: &str, rules: AnnotationRules) -> Option<Annotation> {
        let parsed = parse_function(picture);
        let block = parsed.block(name);
        plan(&parsed, rules)
            .into_iter()
            .find(|(planned, _)| *planned == block)
            .map(|(_, annotation)| annotation)
    }

    /// The integer weights are written, not the rounded probabilities.
    #[test]
    fn the_integer_weights_are_written() {
        let weights = |weights: &[u32]| Some(Annotation::Weights(weights.to_vec()));
        assert_eq!(planned("a: ptr_eq -> b c; b; c", "a", ALL), weights(&[12, 20]));
        assert_eq!(planned("entry -> l; l -> l exit; exit", "l", ALL), weights(&[1_048_575, 33_825]));
        assert_eq!(planned("a -> b c; b; c", "a", ALL), weights(&[1, 1]));
    }

    /// Skips blocks with one successor, and blocks whose branch already has weights. With `skip_even`, also skips
    /// branches with equal probabilities.
    #[test]
    fn branches_that_need_no_weights_are_skipped() {
        assert_eq!(planned("a -> b; b", "a", ALL), None);
        assert_eq!(planned("a: 7:8 -> b c; b; c", "a", ALL), None);
        let skip_even = AnnotationRules { skip_even: true, ..ALL };
        assert_eq!(planned("a -> b c; b; c", "a", skip_even), None);
        assert!(planned("a: ptr_eq -> b c; b; c", "a", skip_even).is_some());
    }

    /// Weights do not replace metadata of another kind.
    #[test]
    fn branches_with_another_kind_of_profile_are_skipped() {
        let mut parsed = parse_function("a: ptr_eq -> b c; b; c");
        let a = parsed.block("a");
        assert_eq!(plan(&parsed, ALL).len(), 1);
        parsed.function.blocks[a].properties.add(BlockProperties::OTHER_PROFILE);
        assert_eq!(plan(&parsed, ALL), []);
    }

    /// Two of three equally likely edges lead to `x`. Without weights, LLVM computes 2/3 for `x`, and rounds once. With
    /// weights, LLVM would round 1/3 for each edge. The sum of these two rounded numbers is one unit greater than the
    /// rounded number 2/3.
    #[test]
    fn weights_cannot_express_equally_likely_parallel_edges() {
        assert_eq!(planned("a -> x x y; x; y", "a", ALL), Some(Annotation::Inexpressible));
        assert_eq!(planned("a -> x y z; x; y; z", "a", ALL), Some(Annotation::Weights(vec![1, 1, 1])));
    }

    #[test]
    fn inexpressible_probabilities_can_be_approximated() {
        let nearest = AnnotationRules { inexpressible: Inexpressible::Approximate, ..ALL };
        assert_eq!(planned("a -> x x y; x; y", "a", nearest), Some(Annotation::Weights(vec![1, 1, 1])));
    }

    /// Both successors end in `unreachable`. LLVM would ignore branch-weight metadata, and use the weights 12 and 20 of
    /// the rule for pointers.
    #[test]
    fn weights_cannot_express_probabilities_of_unreachable_blocks() {
        let picture = "a: ptr_eq -> b c; b: unreachable; c: unreachable";
        assert_eq!(planned(picture, "a", ALL), Some(Annotation::Inexpressible));
    }

    proptest! {
        #![proptest_config(config())]

        /// The planned weights give each edge its predicted probability.
        #[test]
        fn the_planned_weights_give_the_predicted_probabilities(picture in pictures()) {
            let parsed = parse_function(&picture);
            let graph = &parsed.function.graph;
            let mut annotated = parsed.function.clone();
            for (block, annotation) in plan(&parsed, ALL) {
                if let Annotation::Weights(weights) = annotation {
                    annotated.set_weights(block, &weights);
                }
            }
            let read_back = predict(&parsed, &annotated);
            let mut views = Views::new(graph);
            for block in graph.blocks() {
                let expected = views.of(&parsed.result, block);
                prop_assert_eq!(views.of(&read_back, block), expected, "probabilities of {}", block);
            }
        }
    }
}
