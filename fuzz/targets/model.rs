//! Compares the results of models with a simple recursive evaluation of each tree.
#![no_main]

use bpa_core::model::{FeatureMatrix, Model, ModelPart};

/// Whether a part of a model starts at `line`.
fn begins_part(line: &str) -> bool {
    ["two-way ", "switch ", "select "].iter().any(|part| line.starts_with(part))
}

fn head(part: ModelPart) -> String {
    format!("bpa-model 2\n{} 0\nfeatures {}\n", part.name(), part.feature_names().join(","))
}

libfuzzer_sys::fuzz_target!(|input: (&str, Vec<i8>)| {
    let (trees, values) = input;
    // A random text rarely begins with a valid head of a model. Therefore a second model file consists of a valid head
    // and the random text.
    let _ = Model::read(trees);
    let Ok(model) = Model::read(&(head(ModelPart::TwoWay) + trees)) else { return };
    let count = ModelPart::TwoWay.feature_names().len();
    let features: Vec<i32> = (0..count).map(|place| values.get(place).copied().unwrap_or(0).into()).collect();
    let read = model.part(ModelPart::TwoWay).expect("the model has a part for two-way branches");
    let lines: Vec<&str> = trees.lines().take_while(|line| !begins_part(line)).collect();
    let sum: i64 = lines.iter().map(|line| evaluate(&mut line.split_ascii_whitespace(), &features)).sum();
    let mut rows = FeatureMatrix::new(count, 1);
    rows.push(&[&features]);
    assert_eq!(read.log_odds(&rows), [sum]);
    let (start, moved) = read.contributions(&features);
    assert_eq!(start + moved.iter().map(|one| one.amount).sum::<i64>(), sum);
});

/// Evaluates the tree that `words` describe. Both subtrees are evaluated, because the second subtree begins after the
/// last word of the first subtree.
fn evaluate<'a>(words: &mut impl Iterator<Item = &'a str>, features: &[i32]) -> i64 {
    let word = words.next().expect("trees are whole");
    let Some((feature, rest)) = word.split_once("<=") else { return word.parse().expect("a leaf") };
    let most: i32 = rest.split_once('@').expect("a mean").0.parse().expect("a number");
    let feature: usize = feature.parse().expect("a feature");
    let (less, more) = (evaluate(words, features), evaluate(words, features));
    if features[feature] <= most {
        less
    } else {
        more
    }
}
