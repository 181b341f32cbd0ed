//! Models read and asked.

use super::*;
use crate::features::{BRANCH_NAMES, SIDE_NAMES};
use proptest::prelude::*;

fn head() -> String {
    format!("bpa-model 1\nbranch {}\nside {}\n", BRANCH_NAMES.join(","), SIDE_NAMES.join(","))
}

fn model(rest: &str) -> Model {
    Model::read(&format!("{}{rest}", head())).expect("well written")
}

const COUNT: usize = BRANCH_NAMES.len() + 2 * SIDE_NAMES.len();

fn features(values: &[(usize, i32)]) -> Vec<i32> {
    let mut features = vec![0; COUNT];
    values.iter().for_each(|&(place, value)| features[place] = value);
    features
}

#[test]
fn trees_add_up() {
    let model = model("start 100\n0<=2@5 1<=-1@3 1000 2000 4000\n7\n2<=0@0 10 20\n");
    let odds = |values: &[(usize, i32)]| model.log_odds(&features(values));
    assert_eq!(odds(&[]), 100 + 2000 + 7 + 10);
    assert_eq!(odds(&[(0, 2), (1, -1), (2, 1)]), 100 + 1000 + 7 + 20);
    assert_eq!(odds(&[(0, 3), (1, -1)]), 100 + 4000 + 7 + 10);
}

#[test]
fn without_trees_all_are_alike() {
    assert_eq!(model("start 0\n").predict(&[]), Probability::ratio(1, 2));
    assert!(model("start 65536\n").predict(&[]) > Probability::ratio(73, 100)); // e : 1
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let problem = |text: &str| Model::read(text).expect_err("badly written").to_string();
    let rest = |rest: &str| problem(&format!("{}{rest}", head()));
    assert_eq!(problem(""), "1: expected bpa-model 1");
    assert_eq!(problem("bpa-model 2\n"), "1: expected bpa-model 1");
    assert!(problem("bpa-model 1\nbranch test\n").starts_with("2: expected branch test,predicate,"));
    assert!(rest("").starts_with("4: expected start and a number"));
    assert!(rest("start 1.5\n").starts_with("4: expected start and a number"));
    assert!(rest("start 999999999\n").starts_with("4: expected start and a number"));
    assert!(rest("start 0\n\n").starts_with("5: expected a split as"));
    assert!(rest("start 0\n5\n0<=1@0 4\n").starts_with("6: expected a split as"));
    assert_eq!(rest("start 0\n5 6\n"), "5: expected the end of the line, not '6'");
    for word in ["x", "0<1", "0<=1", "0<=1@", "0<=40000@0", "999<=1@0", "-1<=1@0", "0<=1@99999999999", "1e3"]
    {
        let found = rest(&format!("start 0\n{word} 1 2\n"));
        assert_eq!(found, format!("5: expected a split as 3<=7@-21, or what a leaf adds, not '{word}'"));
    }
}

/// The text of a tree, and the same as nested choices.
#[derive(Clone, Debug)]
enum Drawn {
    Leaf(i32),
    Split(usize, i32, i32, Box<Drawn>, Box<Drawn>),
}

impl Drawn {
    fn text(&self) -> String {
        match self {
            Drawn::Leaf(amount) => amount.to_string(),
            Drawn::Split(feature, most, mean, less, more) => {
                format!("{feature}<={most}@{mean} {} {}", less.text(), more.text())
            }
        }
    }

    fn ask(&self, features: &[i32]) -> i64 {
        match self {
            Drawn::Leaf(amount) => (*amount).into(),
            Drawn::Split(feature, most, _, less, more) => {
                if features[*feature] <= *most { less } else { more }.ask(features)
            }
        }
    }
}

fn trees() -> impl Strategy<Value = Drawn> {
    (-1000..1000_i32).prop_map(Drawn::Leaf).prop_recursive(5, 40, 2, |below| {
        (0..COUNT, -3..4_i32, -500..500_i32, below.clone(), below).prop_map(
            |(feature, most, mean, less, more)| Drawn::Split(feature, most, mean, less.into(), more.into()),
        )
    })
}

proptest! {
    /// Preorder and nesting are the same trees, and what is contributed adds up.
    #[test]
    fn trees_are_what_they_say(
        drawn in prop::collection::vec(trees(), 0..5),
        features in prop::collection::vec(-4..5_i32, COUNT),
        start in -1000..1000_i32,
    ) {
        let text: Vec<String> = drawn.iter().map(Drawn::text).collect();
        let model = model(&format!("start {start}\n{}", text.join("\n")));
        let expected = i64::from(start) + drawn.iter().map(|tree| tree.ask(&features)).sum::<i64>();
        prop_assert_eq!(model.log_odds(&features), expected);
        let (base, moved) = model.contributions(&features);
        prop_assert_eq!(base + moved.iter().map(|one| one.amount).sum::<i64>(), expected);
        prop_assert!(moved.windows(2).all(|pair| pair[0].amount.abs() >= pair[1].amount.abs()));
    }
}
