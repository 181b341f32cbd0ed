//! The nodes of decision trees.

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
