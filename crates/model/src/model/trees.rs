//! Trees of decisions that add up.

use super::node::Node;
use super::scorer::Scorer;
use super::FeatureMatrix;

/// Trees, and what they begin with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trees {
    /// Where the sum begins, in 2^-16.
    pub(super) start: i32,
    /// The root of each tree, by its place in `nodes`.
    pub(super) roots: Vec<u32>,
    /// Each tree in preorder: what follows a split is where it goes if the feature is no greater.
    pub(super) nodes: Vec<Node>,
    /// The same trees in another form.
    pub(super) scorer: Scorer,
}

/// How much a feature moved an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureAmount {
    /// The feature, by its place.
    pub feature: usize,
    /// What it added to the log-odds, in 2^-16.
    pub amount: i64,
}

impl Trees {
    /// For each row of features the natural logarithm of the odds, in 2^-16.
    ///
    /// # Panics
    ///
    /// If rows are shorter than what the trees ask for.
    pub fn log_odds(&self, rows: &FeatureMatrix) -> Vec<i64> {
        let mut made = self.scorer.sums(rows);
        made.iter_mut().for_each(|sum| *sum += i64::from(self.start));
        made
    }

    /// Goes down the tree at `root`. `step` is called with each feature that is looked at, and with what the leaves add more
    /// in the mean behind the way that is taken.
    fn go_down(&self, root: u32, features: &[i32], mut step: impl FnMut(usize, i32)) {
        let mut place = root as usize;
        while let Node::Split { feature, most, otherwise, mean } = self.nodes[place] {
            let is_less = features[usize::from(feature)] <= i32::from(most);
            place = if is_less { place + 1 } else { otherwise as usize };
            step(feature.into(), self.nodes[place].mean() - mean);
        }
    }

    /// What moved the answer: where it begins, in 2^-16, and what each feature added, the greatest first. They add up to the
    /// logarithm of the odds.
    ///
    /// What a feature adds at a split is how much more the leaves add in the mean behind the way that is taken (Ando Saabas,
    /// "Interpreting random forests", 2014).
    ///
    /// # Panics
    ///
    /// If there are fewer features than are asked for.
    pub fn contributions(&self, features: &[i32]) -> (i64, Vec<FeatureAmount>) {
        let mut amounts = vec![0_i64; features.len()];
        let mut start = i64::from(self.start);
        for &root in &self.roots {
            start += i64::from(self.nodes[root as usize].mean());
            self.go_down(root, features, |feature, more| amounts[feature] += i64::from(more));
        }
        let moved = amounts.into_iter().enumerate().filter(|&(_, amount)| amount != 0);
        let mut moved: Vec<_> = moved.map(|(feature, amount)| FeatureAmount { feature, amount }).collect();
        moved.sort_by_key(|one| (-one.amount.abs(), one.feature));
        (start, moved)
    }
}
