//! The nodes that trees are made of.

/// A node of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// Goes to the next node if the feature is at most `most`, else to node `otherwise`.
    Split {
        feature: u16,
        most: i16,
        otherwise: u32,
        /// What the leaves below add in the mean of what was learned from, in 2^-16.
        mean: i32,
    },
    /// What the tree adds, in 2^-16.
    Leaf(i32),
}

impl Node {
    /// What the leaves from here on add in the mean.
    pub(super) fn mean(&self) -> i32 {
        match *self {
            Node::Leaf(amount) => amount,
            Node::Split { mean, .. } => mean,
        }
    }
}
