//! A model's predictions can be applied by two methods. These tests check that both methods give equal profiles.
//! Predictions do not depend on the order of successors.

use std::sync::Arc;

use proptest::prelude::*;

use crate::features::{BlockStatistics, EdgeStatistics, FunctionStatistics, Test, TestKind, PREDICATES};
use crate::Predictor;
use bpa_cfg::test_support::config;
use bpa_profile::bpi::test_support::{parse_function, pictures};
use bpa_profile::cfg::Block;
use bpa_profile::dialect::Dialect;
use bpa_profile::facts::{ConstantKind, FunctionFacts, Predicate};
use bpa_profile::profile::Profile;

/// The predicate of a block's test, and the constant with which the test compares.
type Tested = (Predicate, i64);

/// The profile that `predictor` predicts for the function of `picture`. The function has no measured profile.
fn predicted(predictor: &str, picture: &str, tests: &[Tested]) -> Profile {
    let mut generated = parse_function(picture);
    generated.function.forget_profile();
    let graph = generated.function.graph();
    let test = |&(predicate, number): &Tested| {
        let (kind, constant) = (TestKind::Integers, Some(ConstantKind::of(number)));
        let mut test = Test { kind, predicate: Some(predicate), constant, ..Test::default() };
        test.make_canonical(Some((number, 32)));
        test
    };
    let statistics = FunctionStatistics {
        blocks: graph
            .blocks()
            .map(|block| BlockStatistics { calls: block.as_u32(), ..Default::default() })
            .collect(),
        edges: vec![EdgeStatistics::default(); graph.edge_count()],
        tests: graph.blocks().zip(tests.iter().map(test)).collect(),
        ..FunctionStatistics::default()
    };
    let builder = Profile::builder(generated.function.clone(), Dialect::named("16").expect("supported"));
    let predictor = Predictor::named(predictor).expect("a built-in predictor");
    predictor
        .profile(builder, &mut generated.conditions, |_| statistics)
        .expect("the statistics fit the function")
}

/// Swaps the successors of each two-way branch, and negates its condition.
fn mirrored(line: &str) -> String {
    let Some((head, successors)) = line.split_once(" -> ") else { return line.into() };
    let (Some((one, other)), false) = (successors.split_once(' '), head.contains("switch")) else {
        return line.into();
    };
    if other.contains(' ') {
        return line.into();
    }
    let opposite = |word| match word {
        "ptr_eq" => "ptr_ne",
        "eq_zero" => "ne_zero",
        "uno" => "ord",
        _ => word,
    };
    let words: Vec<&str> = head.split(' ').map(opposite).collect();
    format!("{} -> {other} {one}", words.join(" "))
}

proptest! {
    #![proptest_config(config())]

    /// The first method computes the probabilities of LLVM's rules, and then replaces probabilities by the model's
    /// predictions. The second method treats the model's predictions as a rule, and evaluates this rule before LLVM's
    /// rules. In both methods, metadata has precedence over predictions.
    #[test]
    fn applied_predictions_equal_those_of_a_rule(picture in pictures()) {
        let llvm16 = Dialect::named("16").expect("supported");
        let predictor = Predictor::named("bpa").expect("a built-in predictor");
        let mut generated = parse_function(&picture);
        let graph = generated.function.graph();
        let statistics = FunctionStatistics {
            blocks: graph.blocks().map(|_| BlockStatistics::default()).collect(),
            edges: vec![EdgeStatistics::default(); graph.edge_count()],
            ..FunctionStatistics::default()
        };

        let mut unmeasured = generated.function.clone();
        unmeasured.forget_profile();
        let builder = Profile::builder(unmeasured, llvm16);
        let llvms = builder.build_with(&mut generated.conditions.clone());
        let predictions = predictor.model().expect("the predictor has a model").predict_branches(&llvms, &statistics);
        let predictions = Arc::new(predictions.expect("the statistics describe the function"));
        let rules = Arc::new(predictor.rules().clone());
        let builder = || Profile::builder(generated.function.clone(), llvm16);
        let ruled = builder().rules(rules.clone()).predictions(predictions.clone());
        let ruled = ruled.expect("the predictions match the function").build_with(&mut generated.conditions.clone());
        let on_top = builder().build_with(&mut generated.conditions).with_predictions(rules, predictions);
        let on_top = on_top.expect("the predictions match the function");
        let [one, other] = [&on_top, &ruled].map(Profile::branch_probabilities);
        prop_assert_eq!(one.probabilities(), other.probabilities());
        prop_assert_eq!(one.weights(), other.weights());
        for block in ruled.blocks() {
            prop_assert_eq!(one.rule(block), other.rule(block), "different rules for {}", block);
        }
    }

    /// The profiles of a batch equal the profiles of single functions. Some functions have a measured profile.
    #[test]
    fn batches_equal_single_functions(pictures in proptest::collection::vec(pictures(), 1..5)) {
        let predictor = Predictor::named("bpa").expect("a built-in predictor");
        let mut batch = predictor.batch();
        let mut singles = Vec::new();
        for picture in &pictures {
            let mut generated = parse_function(picture);
            let builder = || Profile::builder(generated.function.clone(), Dialect::named("16").expect("supported"));
            let statistics = |facts: &FunctionFacts| {
                FunctionStatistics::builder(facts.graph()).build().expect("nothing is set")
            };
            let single = predictor.profile(builder(), &mut generated.conditions.clone(), statistics);
            singles.push(single.expect("the statistics fit the function"));
            let added = batch.add(builder(), &mut generated.conditions, statistics);
            prop_assert_eq!(added, Ok(()));
        }
        let profiles: Vec<Profile> = batch.finish().collect();
        prop_assert_eq!(profiles.len(), singles.len());
        for (profile, single) in profiles.iter().zip(&singles) {
            let [one, other] = [profile, single].map(Profile::branch_probabilities);
            prop_assert_eq!(one.probabilities(), other.probabilities());
            prop_assert_eq!(one.weights(), other.weights());
        }
    }

    /// If the successors of all two-way branches are swapped and their conditions are negated, each edge keeps its
    /// probability. LLVM propagates estimated weights in an order that depends on the order of the successors, and in
    /// some loops, the weights depend on this order. The test leaves out functions with such loops.
    #[test]
    fn predictions_do_not_depend_on_the_order_of_successors(
        picture in pictures(),
        tests in proptest::collection::vec((proptest::sample::select(&PREDICATES[..]), -3..4i64), 16),
    ) {
        let swapped = picture.split("; ").map(mirrored).collect::<Vec<_>>().join("; ");
        let negated: Vec<Tested> = tests.iter().map(|&(predicate, number)| (predicate.negated(), number)).collect();
        let of = |profile: &Profile, block: Block| {
            let graph = profile.graph();
            let probabilities = &profile.branch_probabilities().probabilities()[graph.edges(block)];
            let mut found: Vec<_> = graph.successors(block).iter().copied().zip(probabilities.iter().copied()).collect();
            found.sort_unstable_by_key(|&(target, probability)| (target, probability.numerator()));
            found
        };
        let both = |predictor| [predicted(predictor, &picture, &tests), predicted(predictor, &swapped, &negated)];
        let [one, other] = both("llvm");
        prop_assume!(one.blocks().all(|block| of(&one, block) == of(&other, block)));
        let [one, other] = both("bpa");
        for block in one.blocks() {
            prop_assert_eq!(of(&one, block), of(&other, block), "the predictions of {} differ in {}", block, swapped);
        }
    }
}
