//! A model's predictions can be applied by two methods. These tests check that both methods give equal profiles.

use std::sync::Arc;

use proptest::prelude::*;

use crate::features::{BlockStatistics, EdgeStatistics, FunctionStatistics};
use crate::Predictor;
use bpa_cfg::test_support::config;
use bpa_profile::bpi::test_support::{parse_function, pictures};
use bpa_profile::dialect::Dialect;
use bpa_profile::profile::Profile;

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
        let predictions = Arc::new(predictions.expect("the statistics fit the function"));
        let rules = Arc::new(predictor.rules().clone());
        let builder = || Profile::builder(generated.function.clone(), llvm16);
        let ruled = builder().rules(rules.clone()).predictions(predictions.clone());
        let ruled = ruled.expect("the predictions fit the function").build_with(&mut generated.conditions.clone());
        let on_top = builder().build_with(&mut generated.conditions).with_predictions(rules, predictions);
        let on_top = on_top.expect("the predictions fit the function");
        let [one, other] = [&on_top, &ruled].map(Profile::branch_probabilities);
        prop_assert_eq!(one.probabilities(), other.probabilities());
        prop_assert_eq!(one.weights(), other.weights());
        for block in ruled.blocks() {
            prop_assert_eq!(one.rule(block), other.rule(block), "different rules for {}", block);
        }
    }
}
