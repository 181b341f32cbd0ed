//! Checks planned branch weights: if a later analysis reads the weights, it must compute the same probabilities as the
//! first analysis.
#![no_main]

use bpa_core::bpi::{
    naive, plan_annotations, Annotation, AnnotationRules, BranchProbabilities, Inexpressible, Probability,
    Rule,
};
use bpa_core::cfg::naive::{reached, Blocks};
use bpa_core::cfg::{table, Block, Graph};
use bpa_core::facts::{BlockProperties, FunctionFacts};
use bpa_fuzz::Function;

libfuzzer_sys::fuzz_target!(|input: (Function, bool, bool)| {
    let (function, skip_even, callbr) = input;
    let (facts, graph) = (&function.facts, function.facts.graph());
    let predicted = function.probabilities(facts);
    let rules = AnnotationRules { skip_even, callbr, inexpressible: Inexpressible::Skip };
    let plan = plan_annotations(facts, &predicted, rules, |annotated| function.probabilities(annotated));

    let may = |block: &Block| {
        let own = &facts.blocks()[*block];
        let wanted = !skip_even || predicted.rule(*block) != Rule::Even;
        let free = own.weights.is_none() && !own.properties.has(BlockProperties::OTHER_PROFILE);
        graph.successors(*block).len() > 1 && own.terminator.may_carry_weights(callbr) && free && wanted
    };
    assert!(plan.iter().map(|planned| planned.0).eq(graph.blocks().filter(may)));

    let alive = reached(graph, graph.entry(), None);
    let mut annotated = facts.clone();
    for (block, annotation) in plan {
        let expected = predicted.weights()[graph.edges(block)].to_vec();
        if is_expressible(facts, &alive, &predicted, block) {
            annotated.set_weights(block, &expected);
            assert_eq!(annotation, Annotation::Weights(expected), "{block}");
        } else {
            assert_eq!(annotation, Annotation::Inexpressible, "{block}");
        }
    }
    let read_back = function.probabilities(&annotated);
    for block in graph.blocks() {
        assert_eq!(views(graph, &read_back, block), views(graph, &predicted, block), "{block}");
    }
});

/// Whether branch-weight metadata can express the prediction of `block` exactly. An analysis that reads the metadata
/// must compute the predicted probability of each edge, and the predicted sum over parallel edges.
fn is_expressible(
    facts: &FunctionFacts,
    alive: &Blocks,
    predicted: &BranchProbabilities,
    block: Block,
) -> bool {
    if !alive.contains(&block) {
        return true;
    }
    let (graph, estimated) = (facts.graph(), naive::Estimated::of(facts));
    let targets = graph.successors(block);
    let weight_of = |&target: &Block| estimated.of_edge(estimated.cycle_of(block), target);
    let is_unreachable: Vec<bool> = targets.iter().map(|target| weight_of(target) == Some(0)).collect();
    let numerators = naive::metadata_numerators(&predicted.weights()[graph.edges(block)], &is_unreachable);
    views(graph, predicted, block).iter().zip(targets).zip(&numerators).all(
        |(((edge, total), target), read)| {
            let parallel = targets.iter().zip(&numerators).filter(|(other, _)| *other == target);
            let sum: u64 = parallel.map(|(_, &numerator)| u64::from(numerator)).sum();
            edge.numerator() == *read && u64::from(total.numerator()) == sum.min(1 << 31)
        },
    )
}

/// The probability of each edge of `block`, and the sum of the probabilities of all edges with the same target.
fn views(graph: &Graph, result: &BranchProbabilities, block: Block) -> Vec<(Probability, Probability)> {
    let mut edges = result.probabilities()[graph.edges(block)].iter();
    let mut views = Vec::new();
    result.for_each_target(graph, block, &mut table(graph.block_count(), 0), |_, total| {
        views.extend(edges.next().map(|&edge| (edge, total)));
    });
    views
}
