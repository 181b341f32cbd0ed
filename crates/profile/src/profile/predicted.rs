//! Tests that a profile rejects predictions that do not match the function.

use std::sync::Arc;

use super::{Profile, ProfileBuilder};
use crate::bpi::{PredictionError, Predictions, Probability, Rule};
use crate::cfg::{parse_graph, Block};
use crate::dialect::Dialect;
use crate::facts::FunctionFacts;
use crate::rules::RuleSet;

/// Blocks `a`, `b`, `c` and `d`. Block `a` has two edges, and `b` has one.
fn builder() -> ProfileBuilder {
    let (graph, _) = parse_graph("a -> b c; b -> d; c -> d; d").expect("a graph");
    Profile::builder(FunctionFacts::from(graph), Dialect::named("16").expect("supported"))
}

fn block(number: u32) -> Block {
    Block::from_u32(number)
}

/// A prediction for one block.
fn predictions(number: u32, weights: &[u32]) -> Arc<Predictions> {
    let mut predictions = Predictions::default();
    predictions.add(block(number), weights.iter().map(|&weight| (weight, None))).expect("a valid prediction");
    predictions.into()
}

fn learned() -> Arc<RuleSet> {
    RuleSet::with_predictions("learned").into()
}

#[test]
fn a_bad_prediction_is_not_added() {
    let mut predictions = Predictions::default();
    let mut add = |number, weights: &[u32]| {
        predictions.add(block(number), weights.iter().map(|&weight| (weight, None)))
    };
    assert_eq!(add(1, &[1, 3]), Ok(()));
    assert_eq!(add(1, &[1, 1]), Err(PredictionError::Order(block(1))));
    assert_eq!(add(0, &[1, 1]), Err(PredictionError::Order(block(0))));
    assert_eq!(add(2, &[0, 0]), Err(PredictionError::Sum { block: block(2), sum: 0 }));
    let sum = 1 << 32;
    assert_eq!(add(2, &[u32::MAX, 1]), Err(PredictionError::Sum { block: block(2), sum }));
    assert_eq!(add(3, &[u32::MAX]), Ok(()));
    let found: Vec<(Block, &[u32])> = predictions.iter().collect();
    assert_eq!(found, [(block(1), &[1, 3][..]), (block(3), &[u32::MAX])]);
}

#[test]
fn predictions_of_another_function_are_errors() {
    let missing = PredictionError::NoBlock(block(4));
    let count =
        |number, successors, given| PredictionError::Count { block: block(number), successors, given };
    for (number, weights, error) in [
        (4, &[1, 1][..], missing),
        (0, &[1, 1, 1], count(0, 2, 3)),
        (0, &[1], count(0, 2, 1)),
        (1, &[1, 1], count(1, 1, 2)),
    ] {
        let predictions = predictions(number, weights);
        assert_eq!(builder().predictions(predictions.clone()).err(), Some(error));
        assert_eq!(builder().build().with_predictions(learned(), predictions).err(), Some(error));
    }
}

#[test]
fn predictions_are_added_only_to_llvms_rules() {
    let predictions = predictions(0, &[1, 3]);
    let text = "rules = ['pointer']\npointer.equal = [1, 9]";
    let pointers = Arc::new(RuleSet::read("mine", text).expect("valid rules"));
    let error =
        builder().rules(pointers.clone()).build().with_predictions(learned(), predictions.clone()).err();
    assert_eq!(error, Some(PredictionError::Rules));
    let error = builder().build().with_predictions(pointers, predictions.clone()).err();
    assert_eq!(error, Some(PredictionError::Rules));

    let mut updated = builder().build();
    updated.set_probabilities(block(0), &[Probability::ratio(1, 2); 2]).expect("a valid update");
    assert_eq!(
        updated.with_predictions(learned(), predictions.clone()).err(),
        Some(PredictionError::Updated)
    );

    let llvms = builder().rules(RuleSet::llvm().clone().into()).build();
    let profile = llvms.with_predictions(learned(), predictions).expect("LLVM's rules");
    assert_eq!(profile.probabilities(block(0)), [1, 3].map(|part| Probability::ratio(part, 4)));
    assert_eq!(profile.branch_probabilities().rule(block(0)), Rule::Learned);
}
