//! Tests of reading and evaluating models.

use super::logistic::probability;
use super::*;
use bpa_profile::bpi::Probability;
use proptest::prelude::*;

/// The text of one part of a model.
fn part(part: ModelPart, start: i32, trees: &str) -> String {
    format!("{} {start}\nfeatures {}\n{trees}", part.name(), part.feature_names().join(","))
}

/// The text of a model that only has a part about two-way branches.
fn text(start: i32, trees: &str) -> String {
    format!("bpa-model 2\n{}", part(ModelPart::TwoWay, start, trees))
}

fn trees(start: i32, trees: &str) -> Trees {
    Model::read(&text(start, trees)).expect("well written").part(ModelPart::TwoWay).expect("required").clone()
}

const COUNT: usize = BRANCH_NAMES.len() + 2 * SUCCESSOR_NAMES.len();

fn features(values: &[(usize, i32)]) -> Vec<i32> {
    let mut features = vec![0; COUNT];
    values.iter().for_each(|&(place, value)| features[place] = value);
    features
}

fn table(rows: &[Vec<i32>]) -> FeatureMatrix {
    let mut table = FeatureMatrix::new(COUNT, rows.len());
    rows.iter().for_each(|row| table.push(&[row]));
    table
}

#[test]
fn trees_add_up() {
    let trees = trees(100, "0<=2@5 1<=-1@3 1000 2000 4000\n7\n2<=0@0 10 20\n");
    let odds = |values: &[(usize, i32)]| trees.log_odds(&table(&[features(values)]))[0];
    assert_eq!(odds(&[]), 100 + 2000 + 7 + 10);
    assert_eq!(odds(&[(0, 2), (1, -1), (2, 1)]), 100 + 1000 + 7 + 20);
    assert_eq!(odds(&[(0, 3), (1, -1)]), 100 + 4000 + 7 + 10);
}

#[test]
fn without_trees_all_rows_have_equal_odds() {
    let first = |start| probability(trees(start, "").log_odds(&table(&[features(&[])]))[0]);
    assert_eq!(first(0), Probability::ratio(1, 2));
    assert!(first(65_536) > Probability::ratio(73, 100)); // e : 1
}

#[test]
fn parts_are_read_in_order() {
    let model = Model::read(&(text(3, "4\n") + &part(ModelPart::Switch, 5, "6\n7\n"))).expect("well written");
    let odds = |model: &Model| {
        ModelPart::ALL.map(|part| model.part(part).map(|trees| trees.log_odds(&table(&[features(&[])]))[0]))
    };
    assert_eq!(odds(&model), [Some(7), Some(18), None, None]);
    let calls = part(ModelPart::Calls, 1, "28<=0@1 2 3\n") + &part(ModelPart::Time, 7, "");
    let model = Model::read(&(text(3, "") + &calls)).expect("well written");
    assert_eq!(odds(&model), [Some(3), None, Some(3), Some(7)]);
}

#[test]
fn errors_have_the_line_and_the_expected_text() {
    let problem = |text: &str| Model::read(text).expect_err("badly written").to_string();
    let of_trees = |trees: &str| problem(&text(0, trees));
    assert_eq!(problem(""), "1: expected bpa-model 2");
    assert_eq!(problem("bpa-model 1\n"), "1: expected bpa-model 2");
    assert!(problem("bpa-model 2\n").starts_with("2: expected the word two-way and a number"));
    assert!(problem("bpa-model 2\ntwo-way 1.5\n").starts_with("2: expected the word two-way and a number"));
    assert!(problem("bpa-model 2\ntwo-way999\n").starts_with("2: expected the word two-way and a number"));
    assert!(
        problem("bpa-model 2\ntwo-way 999999999\n").starts_with("2: expected the word two-way and a number")
    );
    assert!(problem("bpa-model 2\ntwo-way 0\nfeatures test\n")
        .starts_with("3: expected the line 'features test,predicate,"));
    assert!(of_trees("\n").starts_with("4: expected a split such as"));
    assert!(of_trees("5\n0<=1@0 4\n").starts_with("5: expected a split such as"));
    assert_eq!(of_trees("5 6\n"), "4: expected the end of the line; found '6'");
    for word in [
        "x",
        "0<1",
        "0<=1",
        "0<=1@",
        "0<=40000@0",
        "0<=32767@0",
        "999<=1@0",
        "-1<=1@0",
        "0<=1@99999999999",
        "1e3",
    ] {
        let found = of_trees(&format!("{word} 1 2\n"));
        assert_eq!(
            found,
            format!("4: expected a split such as 3<=7@-21, or the number of a leaf; found '{word}'")
        );
    }
    let mut wide = String::new();
    (0..16).for_each(|_| wide += "0<=1@0 1 ");
    assert_eq!(of_trees(&format!("{wide}2\n")), "4: expected at most 16 leaves in a tree");
    let different: String =
        (0..65_536).map(|number| format!("{}<={}@0 1 2\n", number % 16, number / 16)).collect();
    let (last, fewer) = (different.trim_end().rfind('\n').expect("many lines"), "expected at most 65535");
    assert!(of_trees(&different).contains(fewer), "a part has too many comparisons");
    assert!(Model::read(&text(0, &different[..=last])).is_ok());
    let with = |more: &str| problem(&(text(0, "") + more));
    let order =
        "expected the end of the file: each part occurs at most once, in the order two-way, switch, calls, \
         time";
    assert_eq!(with("two-way 0\n"), format!("4: {order}"));
    assert!(with("switch 0\n").starts_with("5: expected the line 'features test,"));
    let switch = part(ModelPart::Switch, 0, "110<=1@0 1 2\n");
    assert!(with(&switch).starts_with("6: expected a split such as"), "switches have no feature 110");
    let switch = part(ModelPart::Switch, 0, "");
    assert_eq!(with(&format!("{switch}{switch}")), format!("6: {order}"));
    let calls = part(ModelPart::Calls, 0, "");
    assert_eq!(with(&format!("{calls}{switch}")), format!("6: {order}"));
    assert!(with("calls 0\n").starts_with("5: expected the line 'features calls,"));
    assert!(with("select 0\n").starts_with("4: expected no part select, which no longer exists"));
}

/// A generated tree. A split contains its two subtrees, unlike [`Node`](super::trees::Node).
#[derive(Clone, Debug)]
enum NestedTree {
    Leaf(i32),
    Split(usize, i32, i32, Box<NestedTree>, Box<NestedTree>),
}

impl NestedTree {
    fn text(&self) -> String {
        match self {
            NestedTree::Leaf(amount) => amount.to_string(),
            NestedTree::Split(feature, most, mean, at_most, above) => {
                format!("{feature}<={most}@{mean} {} {}", at_most.text(), above.text())
            }
        }
    }

    fn evaluate(&self, features: &[i32]) -> i64 {
        match self {
            NestedTree::Leaf(amount) => (*amount).into(),
            NestedTree::Split(feature, most, _, at_most, above) => {
                if features[*feature] <= *most { at_most } else { above }.evaluate(features)
            }
        }
    }
}

fn nested_tree() -> impl Strategy<Value = NestedTree> {
    (-1000..1000_i32).prop_map(NestedTree::Leaf).prop_recursive(4, 30, 2, |below| {
        (0..COUNT, -3..4_i32, -500..500_i32, below.clone(), below).prop_map(
            |(feature, most, mean, at_most, above)| {
                NestedTree::Split(feature, most, mean, at_most.into(), above.into())
            },
        )
    })
}

/// Rows of features: sometimes few, because few rows are evaluated one by one, and sometimes several blocks.
fn rows() -> impl Strategy<Value = Vec<Vec<i32>>> {
    let row = || prop::collection::vec(-4..5_i32, COUNT);
    prop_oneof![0..12_usize, 12..300_usize].prop_flat_map(move |count| prop::collection::vec(row(), count))
}

proptest! {
    /// If the text of generated trees is parsed, the parsed trees give the same sum for every row as the generated
    /// trees. In each row, the base value plus all contributions of the features equals the sum of the trees.
    #[test]
    fn parsed_trees_equal_the_generated_ones(
        generated in prop::collection::vec(nested_tree(), 0..5),
        rows in rows(),
        start in -1000..1000_i32,
    ) {
        let text: Vec<String> = generated.iter().map(NestedTree::text).collect();
        let trees = trees(start, &text.join("\n"));
        let expected: Vec<i64> = rows
            .iter()
            .map(|features| i64::from(start) + generated.iter().map(|tree| tree.evaluate(features)).sum::<i64>())
            .collect();
        prop_assert_eq!(trees.log_odds(&table(&rows)), &expected[..]);
        for (features, expected) in rows.iter().zip(expected) {
            let (base, moved) = trees.contributions(features);
            prop_assert_eq!(base + moved.iter().map(|one| one.amount).sum::<i64>(), expected);
            prop_assert!(moved.windows(2).all(|pair| pair[0].amount.abs() >= pair[1].amount.abs()));
        }
    }

    /// Any text is a model or an error: mostly words of trees, because other texts fail in the first line.
    #[test]
    fn no_text_panics(words in prop::collection::vec("[0-9<=@ -]{0,8}|\\PC{0,4}|\n", 0..40)) {
        let _ = Model::read(&text(0, &words.concat()));
        let _ = Model::read(&words.concat());
    }
}
