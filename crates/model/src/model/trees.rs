//! Evaluates decision trees, and adds up their results.

use super::scorer::Scorer;
use super::FeatureMatrix;

/// Decision trees, and the initial value to which the results of the trees are added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trees {
    /// The initial value of the sum, in units of 2^-16.
    pub(super) start: i32,
    /// The index of each tree's root in `nodes`.
    pub(super) roots: Vec<u32>,
    /// The nodes of each tree in preorder. If the feature is at most the bound of a split, evaluation continues at the
    /// node directly after the split.
    pub(super) nodes: Vec<Node>,
    /// The same trees in a form for fast evaluation.
    pub(super) scorer: Scorer,
}

/// The contribution of a feature to a prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureAmount {
    /// The index of the feature.
    pub feature: usize,
    /// The amount that the feature adds to the logarithm of the odds, in units of 2^-16.
    pub amount: i64,
}

/// For up to this number of rows, a walk down each tree for each row takes fewer instructions than the scorer. Many
/// functions of real programs have no more branches.
const FEW_ROWS: usize = 5;

impl Trees {
    /// For each row, the sum of all trees: the natural logarithm of the odds, in units of 2^-16.
    ///
    /// # Panics
    ///
    /// Panics if the trees use more features than the rows have.
    pub fn log_odds(&self, rows: &FeatureMatrix) -> Vec<i64> {
        let mut sums = match rows.len() <= FEW_ROWS {
            true => (0..rows.len()).map(|place| self.sum(&rows.row(place))).collect(),
            false => self.scorer.sums(rows),
        };
        sums.iter_mut().for_each(|sum| *sum += i64::from(self.start));
        sums
    }

    /// The sum of the results of all trees for one row.
    fn sum(&self, features: &[i32]) -> i64 {
        self.roots.iter().map(|&root| i64::from(self.go_down(root, features, |_, _| ()))).sum()
    }

    /// Evaluates the tree at `root`, and returns its result. For each visited split, calls `step` with the feature and
    /// the contribution of the split. The contribution is the mean of the chosen subtree minus the mean of the split.
    fn go_down(&self, root: u32, features: &[i32], mut step: impl FnMut(usize, i32)) -> i32 {
        let mut place = root as usize;
        while let Node::Split { feature, most, otherwise, mean } = self.nodes[place] {
            let is_less = features[usize::from(feature)] <= i32::from(most);
            place = if is_less { place + 1 } else { otherwise as usize };
            step(feature.into(), self.nodes[place].mean() - mean);
        }
        self.nodes[place].mean()
    }

    /// Explains a prediction. The result has a base value, in units of 2^-16, and the contributions of the features in
    /// descending order of magnitude. The base value is the initial value of the sum, plus the means of all trees. The
    /// base value and the contributions add up to the logarithm of the odds.
    ///
    /// The contribution of a feature at a split is the mean of the chosen subtree minus the mean of the split (Ando
    /// Saabas, "Interpreting random forests", 2014).
    ///
    /// # Panics
    ///
    /// Panics if the trees use more features than `features` has.
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

/// A node of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// If the feature is at most `most`, evaluation continues at the next node. Otherwise, evaluation continues at node
    /// `otherwise`.
    Split {
        feature: u16,
        most: i16,
        otherwise: u32,
        /// The weighted mean of the numbers in the leaves of this subtree, in units of 2^-16. The training data
        /// determine the weight of each leaf.
        mean: i32,
    },
    /// The tree adds this number to the score of each row that reaches the leaf. The unit is 2^-16.
    Leaf(i32),
}

impl Node {
    /// The weighted mean of the numbers in the leaves of this subtree, in units of 2^-16. The training data determine
    /// the weight of each leaf.
    pub(super) fn mean(&self) -> i32 {
        match *self {
            Node::Leaf(amount) => amount,
            Node::Split { mean, .. } => mean,
        }
    }
}
