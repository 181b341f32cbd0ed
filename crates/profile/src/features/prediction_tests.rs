//! What a model's answers make of a profile, the short way and the long one.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::bpi::test_support::{draw, pictures};
use crate::cfg::test_support::config;
use crate::dialect::Dialect;
use crate::predictor::Predictor;
use crate::profile::Profile;

proptest! {
    #![proptest_config(config())]

    /// Without a profile, answers are put on top of LLVM's; that is the same as asking all rules once more, with the model's
    /// before LLVM's.
    #[test]
    fn answers_on_top_are_those_of_a_rule(picture in pictures()) {
        let llvm16 = Dialect::named("16").expect("supported");
        let predictor = Arc::new(Predictor::named("bpa").expect("it comes along"));
        let mut drawn = draw(&picture);
        drawn.function.forget_profile();
        let graph = &drawn.function.graph;
        let contents = FunctionContents {
            blocks: graph.blocks().map(|_| BlockContents::default()).collect(),
            edges: vec![EdgeContents::default(); graph.edge_count()],
            ..FunctionContents::default()
        };

        let llvms = Profile::with_conditions(drawn.function.clone(), &mut drawn.conditions.clone(), llvm16);
        let model = predictor.model().expect("it is one");
        let mut facts = drawn.function.clone();
        facts.predictions = Some(model.predict_branches(&llvms, &contents).into());
        let ruled = Profile::with_predictor(facts, &mut drawn.conditions.clone(), predictor.clone(), llvm16);

        let conditions = &mut drawn.conditions;
        let on_top = Profile::with_model(drawn.function, &contents, conditions, predictor, llvm16);
        let [one, other] = [&on_top, &ruled].map(Profile::branch_probabilities);
        prop_assert_eq!(one.probabilities(), other.probabilities());
        prop_assert_eq!(one.weights(), other.weights());
        for block in ruled.blocks() {
            prop_assert_eq!(one.rule(block), other.rule(block), "the rule of {}", block);
        }
    }
}
