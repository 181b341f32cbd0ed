//! Which branch weights to write so that reading them gives the same probabilities again.
//!
//! The weights are the small integers behind each probability. Reading them back is not quite the inverse
//! of the rules, and for some branches no weights are:
//!
//! - where an edge leads to `unreachable`, LLVM scales the other edges up by what rounding has left, which can
//!   move the largest of them by a unit;
//! - where all edges do, LLVM disregards weights, but not the rules that look at the condition;
//! - where no rule has an answer and some edges are parallel, their even shares are added before rounding, but
//!   weights after it.
//!
//! So the reading is tried out, and a branch whose probabilities would come back as others is left without
//! weights: then the rules go on to speak for it, and what they say is the same.

use cranelift_entity::PrimaryMap;

use super::branch_probabilities::BranchProbabilities;
use super::probability::Probability;
use super::raise::{leaves_a_loop, raised};
use crate::cfg::{table, Block, Graph};
use crate::facts::{FunctionFacts, Marks};
use crate::rules::Rule;

/// What to do with the weights of one branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Annotation {
    /// Write these, one for each successor.
    Weights(Vec<u32>),
    /// No weights express the probabilities: leave none.
    Inexpressible,
}

/// What may be annotated.
#[derive(Clone, Copy, Debug)]
pub struct AnnotationRules {
    /// Leave alone what no rule has an answer for.
    pub skip_even: bool,
    /// Leave alone what is not so sure to go one way.
    pub at_least: Probability,
    /// How likely a two-way branch that leaves no loop is said to go where it more likely goes, at least.
    pub raise: Option<Probability>,
    /// The verifier allows weights on `callbr`.
    pub callbr: bool,
    /// What to do where no weights express the probabilities.
    pub inexpressible: Inexpressible,
}

/// What to do where no weights express the probabilities to the last bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inexpressible {
    /// Leave the branch without weights: the same rules will say the same again.
    Skip,
    /// Write the weights that come nearest: other rules would say something else.
    Approximate,
}

/// Plans the annotation of every branch of `function` that carries no valid weights.
///
/// `predicted` are the probabilities of `function`; `predict` computes those of the same function
/// with other weights.
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
    match (rules.raise, &predicted.weights()[graph.edges(block)]) {
        (Some(least), &[first, second]) if !leaves_a_loop(graph, block) => {
            raised([first, second], least).to_vec()
        }
        (_, weights) => weights.to_vec(),
    }
}

/// All that can be asked of the probabilities of a block.
struct Views<'a> {
    graph: &'a Graph,
    totals: PrimaryMap<Block, u32>,
}

impl<'a> Views<'a> {
    fn new(graph: &'a Graph) -> Self {
        Views { graph, totals: table(graph.block_count(), 0) }
    }

    /// The probability of each edge, and of going to each edge's target by any edge.
    fn of(&mut self, result: &BranchProbabilities, block: Block) -> Vec<(Probability, Probability)> {
        let mut edges = result.probabilities()[self.graph.edges(block)].iter();
        let mut views = Vec::new();
        result.for_each_target(self.graph, block, &mut self.totals, |_, total| {
            views.extend(edges.next().map(|&edge| (edge, total)));
        });
        views
    }

    /// How likely it is to go where it most likely goes.
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
        && !facts.marks.has(Marks::OTHER_PROFILE)
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
        raise: None,
        callbr: true,
        inexpressible: Inexpressible::Skip,
    };

    fn predict(drawn: &Drawn, function: &FunctionFacts) -> BranchProbabilities {
        BranchProbabilities::compute(function, &mut drawn.conditions.clone())
    }

    fn plan(drawn: &Drawn, rules: AnnotationRules) -> Vec<(Block, Annotation)> {
        plan_annotations(&drawn.function, &drawn.result, rules, |annotated| predict(drawn, annotated))
    }

    /// What is planned for the block `name` of `picture`.
    fn planned(picture: &str, name: &str, rules: AnnotationRules) -> Option<Annotation> {
        let drawn = draw(picture);
        let block = drawn.block(name);
        plan(&drawn, rules)
            .into_iter()
            .find(|(planned, _)| *planned == block)
            .map(|(_, annotation)| annotation)
    }

    /// The integers that a rule weighed with are written, not the rounded shares.
    #[test]
    fn the_weights_behind_the_probabilities_are_written() {
        let weights = |weights: &[u32]| Some(Annotation::Weights(weights.to_vec()));
        assert_eq!(planned("a: ptr_eq -> b c; b; c", "a", ALL), weights(&[12, 20]));
        assert_eq!(planned("entry -> l; l -> l exit; exit", "l", ALL), weights(&[1_048_575, 33_825]));
        assert_eq!(planned("a -> b c; b; c", "a", ALL), weights(&[1, 1]));
    }

    /// One way to go, weights already there, nothing to go by when that is to be skipped: left alone.
    #[test]
    fn what_needs_no_weights_gets_none() {
        assert_eq!(planned("a -> b; b", "a", ALL), None);
        assert_eq!(planned("a: 7:8 -> b c; b; c", "a", ALL), None);
        let skip_even = AnnotationRules { skip_even: true, ..ALL };
        assert_eq!(planned("a -> b c; b; c", "a", skip_even), None);
        assert!(planned("a: ptr_eq -> b c; b; c", "a", skip_even).is_some());
    }

    /// 12 : 20 is 62.5%, and by three parallel edges of four 75%.
    #[test]
    fn what_is_not_sure_enough_is_left_alone() {
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
    fn what_is_unsure_is_raised_but_not_where_a_loop_is_left() {
        let raise = AnnotationRules { raise: Some(Probability::ratio(9, 10)), ..ALL };
        let pointers = "a: ptr_eq -> b c; b; c";
        assert_eq!(planned(pointers, "a", raise), Some(Annotation::Weights(vec![2, 20])));
        let looping = "entry -> l; l: ptr_eq -> l exit; exit";
        assert_eq!(planned(looping, "l", raise), planned(looping, "l", ALL));
    }

    /// Metadata of another kind is not to be replaced by weights.
    #[test]
    fn what_carries_another_kind_of_profile_is_left_alone() {
        let mut drawn = draw("a: ptr_eq -> b c; b; c");
        let a = drawn.block("a");
        assert_eq!(plan(&drawn, ALL).len(), 1);
        drawn.function.blocks[a].marks.add(Marks::OTHER_PROFILE);
        assert_eq!(plan(&drawn, ALL), []);
    }

    /// Two of three even edges lead to x: 2/3 rounded once is a unit less than 1/3 rounded twice, as weights
    /// would be.
    #[test]
    fn even_parallel_edges_cannot_be_expressed() {
        assert_eq!(planned("a -> x x y; x; y", "a", ALL), Some(Annotation::Inexpressible));
        assert_eq!(planned("a -> x y z; x; y; z", "a", ALL), Some(Annotation::Weights(vec![1, 1, 1])));
    }

    #[test]
    fn what_cannot_be_expressed_may_be_approximated() {
        let nearest = AnnotationRules { inexpressible: Inexpressible::Approximate, ..ALL };
        assert_eq!(planned("a -> x x y; x; y", "a", nearest), Some(Annotation::Weights(vec![1, 1, 1])));
    }

    /// Both arms are dead ends, so weights would be disregarded, but the condition is not: 12 : 20.
    #[test]
    fn weights_between_dead_ends_cannot_be_expressed() {
        let picture = "a: ptr_eq -> b c; b: unreachable; c: unreachable";
        assert_eq!(planned(picture, "a", ALL), Some(Annotation::Inexpressible));
    }

    proptest! {
        #![proptest_config(config())]

        /// With the planned weights in place everything that can be asked has the answer it had before.
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
