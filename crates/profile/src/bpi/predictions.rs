//! Predictions that replace the rules.

use std::fmt;
use std::sync::Arc;

use crate::cfg::Block;

/// The predicted weights of some branches, for example from a trained model. The rule
/// [`Rule::Learned`](super::Rule::Learned) uses them.
#[derive(Clone, Debug, Default)]
pub struct Predictions {
    /// The predicted blocks in ascending order, each with the index of its first edge.
    blocks: Vec<(Block, u32)>,
    /// The weight of each edge. The weights of a block add up to about 2^31.
    weights: Vec<u32>,
    /// The row of each edge: the number by which `source` identifies the edge.
    rows: Vec<Option<u32>>,
    source: Option<Arc<dyn PredictionSource>>,
}

/// Explains predictions. Only explanations of probabilities call this trait.
pub trait PredictionSource: fmt::Debug + Send + Sync {
    /// The log-odds of the prediction for the edge with index `place` of a block. `row` is the edge's row from
    /// [`Predictions::add`].
    fn log_odds(&self, row: u32, place: usize) -> LogOdds;
}

/// The natural logarithm of the odds of an edge, as a sum of contributions. All values are in units of 2^-16.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogOdds {
    /// Whether the edge is one of several edges of a switch. The probabilities of these edges are scaled to the sum 1.
    pub of_switch: bool,
    /// The logarithm before the contributions are added.
    pub start: i64,
    /// The contributions of the features, with the greatest contribution first. No contribution is 0.
    pub contributions: Vec<Contribution>,
}

/// The contribution of a feature to a prediction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// The name of the feature.
    pub feature: String,
    /// The value of the feature.
    pub value: i32,
    /// The contribution to the logarithm of the odds, in units of 2^-16.
    pub amount: i64,
}

impl Predictions {
    /// Creates an empty set of predictions, with capacity for `blocks` blocks and `edges` edges.
    pub fn with_capacity(blocks: usize, edges: usize) -> Self {
        Predictions {
            blocks: Vec::with_capacity(blocks),
            weights: Vec::with_capacity(edges),
            rows: Vec::with_capacity(edges),
            source: None,
        }
    }

    /// Returns the same predictions with `source` as the source of explanations.
    pub fn explained_by(self, source: Arc<dyn PredictionSource>) -> Self {
        Predictions { source: Some(source), ..self }
    }

    /// Adds a prediction for `block`. `edges` has the weight and the row of each edge. The weights add up to about
    /// 2^31. An edge whose weight comes from LLVM's rules has no row.
    ///
    /// # Panics
    ///
    /// Panics if `block` does not come after the blocks of earlier calls.
    pub fn add(&mut self, block: Block, edges: impl Iterator<Item = (u32, Option<u32>)>) {
        assert!(self.blocks.last().is_none_or(|&(last, _)| last < block), "blocks are not added in order");
        self.blocks.push((block, self.weights.len() as u32));
        for (weight, row) in edges {
            self.weights.push(weight);
            self.rows.push(row);
        }
    }

    /// The weights of the edges of each predicted block, in the order of blocks.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Block, &[u32])> + '_ {
        (0..self.blocks.len()).map(|place| (self.blocks[place].0, &self.weights[self.edges(place)]))
    }

    /// The weights of the edges of `block`, or `None` if there is no prediction. The weights add up to about 2^31.
    pub(crate) fn weights(&self, block: Block) -> Option<&[u32]> {
        Some(&self.weights[self.edges(self.place(block)?)])
    }

    /// The log-odds of the edge with index `place` of `block`. The result is `None` if the weight comes from LLVM's
    /// rules, or if no source was given.
    pub fn explain(&self, block: Block, place: usize) -> Option<LogOdds> {
        let row = self.rows[self.edges(self.place(block)?)].get(place).copied()??;
        Some(self.source.as_ref()?.log_odds(row, place))
    }

    fn place(&self, block: Block) -> Option<usize> {
        self.blocks.binary_search_by_key(&block, |&(known, _)| known).ok()
    }

    fn edges(&self, place: usize) -> std::ops::Range<usize> {
        let start = self.blocks[place].1 as usize;
        start..self.blocks.get(place + 1).map_or(self.weights.len(), |next| next.1 as usize)
    }
}
