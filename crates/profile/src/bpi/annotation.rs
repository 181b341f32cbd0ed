//! Chooses branch weights to write so that reading them gives the same probabilities again.
//!
//! The written weights are the small integers behind each probability. For some branches, no weights give the same
//! probabilities when LLVM reads them:
//!
//! - if an edge leads to `unreachable`, LLVM scales the other edges up by the rounding error, which may change the
//!   largest of them by one unit;
//! - if all edges lead to `unreachable`, LLVM ignores weights, but not the rules about the condition;
//! - if no rule applies and some edges are parallel, LLVM adds their even probabilities before rounding, but adds the
//!   probabilities of weights after rounding.
//!
//! Therefore the weights are read back once. A branch whose probabilities would differ gets no weights; the rules then
//! predict it as before.

use cranelift_entity::PrimaryMap;

use super::branch_probabilities::BranchProbabilities;
use super::probability::Probability;
use super::sharpen::{leaves_a_loop, sharpened};
use crate::cfg::{table, Block, Graph};
use crate::facts::{BlockProperties, FunctionFacts};
use crate::rules::Rule;

/// The annotation of one branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Annotation {
    /// Write these weights, one for each successor.
    Weights(Vec<u32>),
    /// No weights express the probabilities: write none.
    Inexpressible,
}

/// Which branches are annotated, and how.
#[derive(Clone, Copy, Debug)]
pub struct AnnotationRules {
    /// Skip branches that no rule applies to.
    pub skip_even: bool,
    /// Skip branches whose likeliest successor is less likely than this.
    pub at_least: Probability,
    /// The minimum for the likelier edge of a two-way branch that does not leave a loop.
    pub sharpen: Option<Probability>,
    /// Whether the verifier allows weights on `callbr`.
    pub callbr: bool,
    /// What to do if no weights express the probabilities.
    pub inexpressible: Inexpressible,
}

/// What to do if no weights express the probabilities exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inexpressible {
    /// Leave the branch without weights: the same rules will predict it.
    Skip,
    /// Write the nearest weights: other rules might predict the branch differently.
    Approximate,
}

/// Plans the annotation of every branch of `function` that has no valid weights.
///
/// `predicted` are the probabilities of `function`. `predict` computes the probabilities of the same function with
/// other weights.
pub fn plan_annotations(
    function: &FunctionFacts,
    predicted: &BranchProbabilities,
    rules: AnnotationRules,
    predict: impl FnOnce(&FunctionFacts) -> BranchProbabilities,
) -> Vec<(Block, Annotation)> {
    let graph = &function.graph;
    let mut views = Views::new(graph);
    let chosen: Vec<Block> = graph
        .blocks()
        .filter(|&block| may_annotate(function, predicted, rules, block))
        .filter(|&block| {
            rules.at_least == Probability::ZERO || views.likeliest(predicted, block) >= rules.at_least
        })
        .collect();
    let mut annotated = function.clone();
    for &block in &chosen {
        annotated.set_weights(block, &predicted.weights()[graph.edges(block)]);
    }
    let read_back = predict(&annotated);
    let plan = |block: Block| {
        let is_same = views.of(predicted, block) == views.of(&read_back, block);
        let annotation = if is_same || rules.inexpressible == Inexpressible::Approximate {
            Annotation::Weights(weights_to_write(function, predicted, rules, block))
        } else {
            Annotation::Inexpressible
        };
        (block, annotation)
    };
    chosen.into_iter().map(plan).collect()
}

fn weights_to_write(
    function: &FunctionFacts,
    predicted: &BranchProbabilities,
    rules: AnnotationRules,
    block: Block,
) -> Vec<u32> {
    let graph = &function.graph;
    match (rules.sharpen, &predicted.weights()[graph.edges(block)]) {
        (Some(least), &[first, second]) if !leaves_a_loop(graph, block) => {
            sharpened([first, second], least).to_vec()
        }
        (_, weights) => weights.to_vec(),
    }
}

/// All values that the probabilities of a block can be read as.
struct Views<'a> {
    graph: &'a Graph,
    totals: PrimaryMap<Block, u32>,
}

impl<'a> Views<'a> {
    fn new(graph: &'a Graph) -> Self {
        Views { graph, totals: table(graph.block_count(), 0) }
    }

    /// The probability of each edge, and the probability of going to its target by any edge.
    fn of(&mut self, result: &BranchProbabilities, block: Block) -> Vec<(Probability, Probability)> {
        let mut edges = result.probabilities()[self.graph.edges(block)].iter();
        let mut views = Vec::new();
        result.for_each_target(self.graph, block, &mut self.totals, |_, total| {
            views.extend(edges.next().map(|&edge| (edge, total)));
        });
        views
    }

    /// The probability of the likeliest successor.
    fn likeliest(&mut self, result: &BranchProbabilities, block: Block) -> Probability {
        self.of(result, block).into_iter().map(|(_, total)| total).max().unwrap_or_default()
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

    use super::super::test_support::{draw, pictures, Drawn};
    use super::*;
    use crate::cfg::test_support::config;

    const ALL: AnnotationRules = AnnotationRules {
        skip_even: false,
        at_least: Probability::ZERO,
        sharpen: None,
        callbr: true,
        inexpressible: Inexpressible::Skip,
    };

    fn predict(drawn: &Drawn, function: &FunctionFacts) -> BranchProbabilities {
        BranchProbabilities::compute(function, &mut drawn.conditions.clone())
    }

    fn plan(drawn: &Drawn, rules: AnnotationRules) -> Vec<(Block, Annotation)> {
        plan_annotations(&drawn.function, &drawn.result, rules, |annotated| predict(drawn, annotated))
    }

    /// The planned annotation of the block `name` of `picture`.
    fn planned(picture: &str, name: &str, rules: AnnotationRules) -> Option<Annotation> {
        let drawn = draw(picture);
        let block = drawn.block(name);
        plan(&drawn, rules)
            .into_iter()
            .find(|(planned, _)| *planned == block)
            .map(|(_, annotation)| annotation)
    }

    /// The integer weights are written, not the rounded probabilities.
    #[test]
    fn the_weights_behind_the_probabilities_are_written() {
        let weights = |weights: &[u32]| Some(Annotation::Weights(weights.to_vec()));
        assert_eq!(planned("a: ptr_eq -> b c; b; c", "a", ALL), weights(&[12, 20]));
        assert_eq!(planned("entry -> l; l -> l exit; exit", "l", ALL), weights(&[1_048_575, 33_825]));
        assert_eq!(planned("a -> b c; b; c", "a", ALL), weights(&[1, 1]));
    }

    /// Skipped: a single successor, existing weights, and even branches with `skip_even`.
    #[test]
    fn branches_that_need_no_weights_get_none() {
        assert_eq!(planned("a -> b; b", "a", ALL), None);
        assert_eq!(planned("a: 7:8 -> b c; b; c", "a", ALL), None);
        let skip_even = AnnotationRules { skip_even: true, ..ALL };
        assert_eq!(planned("a -> b c; b; c", "a", skip_even), None);
        assert!(planned("a: ptr_eq -> b c; b; c", "a", skip_even).is_some());
    }

    /// 12 : 20 is 62.5%; three of four parallel edges are 75%.
    #[test]
    fn branches_below_the_minimum_are_skipped() {
        let sure = |percent| AnnotationRules { at_least: Probability::ratio(percent, 1000), ..ALL };
        let pointers = "a: ptr_eq -> b c; b; c";
        assert_eq!(planned(pointers, "a", sure(625)), planned(pointers, "a", ALL));
        assert!(planned(pointers, "a", sure(625)).is_some());
        assert_eq!(planned(pointers, "a", sure(626)), None);
        let parallel = "a -> x x x y; x; y";
        assert!(planned(parallel, "a", sure(750)).is_some());
        assert_eq!(planned(parallel, "a", sure(751)), None);
    }

    #[test]
    fn weights_are_sharpened_except_on_loop_exits() {
        let sharpen = AnnotationRules { sharpen: Some(Probability::ratio(9, 10)), ..ALL };
        let pointers = "a: ptr_eq -> b c; b; c";
        assert_eq!(planned(pointers, "a", sharpen), Some(Annotation::Weights(vec![2, 20])));
        let looping = "entry -> l; l: ptr_eq -> l exit; exit";
        assert_eq!(planned(looping, "l", sharpen), planned(looping, "l", ALL));
    }

    /// Weights do not replace metadata of another kind.
    #[test]
    fn branches_with_another_kind_of_profile_are_skipped() {
        let mut drawn = draw("a: ptr_eq -> b c; b; c");
        let a = drawn.block("a");
        assert_eq!(plan(&drawn, ALL).len(), 1);
        drawn.function.blocks[a].properties.add(BlockProperties::OTHER_PROFILE);
        assert_eq!(plan(&drawn, ALL), []);
    }

    /// Two of three even edges lead to x: LLVM rounds 2/3 once, which is one unit less than 1/3 rounded twice, as
    /// weights would be.
    #[test]
    fn even_parallel_edges_cannot_be_expressed() {
        assert_eq!(planned("a -> x x y; x; y", "a", ALL), Some(Annotation::Inexpressible));
        assert_eq!(planned("a -> x y z; x; y; z", "a", ALL), Some(Annotation::Weights(vec![1, 1, 1])));
    }

    #[test]
    fn inexpressible_probabilities_may_be_approximated() {
        let nearest = AnnotationRules { inexpressible: Inexpressible::Approximate, ..ALL };
        assert_eq!(planned("a -> x x y; x; y", "a", nearest), Some(Annotation::Weights(vec![1, 1, 1])));
    }

    /// Both successors are dead ends: LLVM would ignore weights, but uses the condition, 12 : 20.
    #[test]
    fn weights_between_dead_ends_cannot_be_expressed() {
        let picture = "a: ptr_eq -> b c; b: unreachable; c: unreachable";
        assert_eq!(planned(picture, "a", ALL), Some(Annotation::Inexpressible));
    }

    proptest! {
        #![proptest_config(config())]

        /// With the planned weights, all probabilities read as before.
        #[test]
        fn reading_the_weights_gives_the_probabilities_back(picture in pictures()) {
            let drawn = draw(&picture);
            let graph = &drawn.function.graph;
            let mut annotated = drawn.function.clone();
            for (block, annotation) in plan(&drawn, ALL) {
                if let Annotation::Weights(weights) = annotation {
                    annotated.set_weights(block, &weights);
                }
            }
            let read_back = predict(&drawn, &annotated);
            let mut views = Views::new(graph);
            for block in graph.blocks() {
                prop_assert_eq!(views.of(&read_back, block), views.of(&drawn.result, block), "{}", block);
            }
        }
    }
}
