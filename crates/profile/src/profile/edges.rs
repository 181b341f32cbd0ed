//! The changed edges of an updated profile.

use cranelift_entity::PrimaryMap;

use crate::bpi::{Probability, Rule};
use crate::cfg::Block;

/// If an update has changed or added a block, this map contains the edges of the block. Otherwise, the map contains
/// `None` for the block.
pub(super) type ChangedRows = PrimaryMap<Block, Option<Box<ChangedEdges>>>;

/// The edges of one block after an update.
#[derive(Clone, Debug)]
pub(super) struct ChangedEdges {
    pub targets: Vec<Block>,
    pub probabilities: Vec<Probability>,
    pub weights: Vec<u32>,
    /// The rule that determined the probabilities.
    pub rule: Rule,
    /// Whether the block was removed.
    pub is_forgotten: bool,
}

impl ChangedEdges {
    /// An empty list of edges, for a new block.
    pub(crate) fn none() -> Self {
        let (targets, probabilities, weights) = (Vec::new(), Vec::new(), Vec::new());
        ChangedEdges { targets, probabilities, weights, rule: Rule::Update, is_forgotten: false }
    }

    /// Replaces the probabilities.
    pub(crate) fn set_probabilities(&mut self, probabilities: Vec<Probability>) {
        self.weights = probabilities.iter().map(|probability| probability.numerator()).collect();
        self.probabilities = probabilities;
        self.rule = Rule::Update;
    }

    /// Replaces the edges.
    pub(crate) fn set(&mut self, edges: impl Iterator<Item = (Block, Probability)>) {
        let (targets, probabilities) = edges.unzip();
        self.targets = targets;
        self.set_probabilities(probabilities);
    }

    /// Swaps two edges.
    pub(crate) fn swap(&mut self, one: usize, other: usize) {
        self.targets.swap(one, other);
        self.probabilities.swap(one, other);
        self.weights.swap(one, other);
    }
}
