//! Predictions from outside of the rules.

use std::fmt;
use std::sync::Arc;

use crate::cfg::Block;

/// The predicted weights of some branches, for example from a learned model. [`Rule::Learned`](super::Rule::Learned)
/// uses them.
#[derive(Clone, Debug, Default)]
pub struct Predictions {
    /// Ascending; each with the index of its first edge.
    blocks: Vec<(Block, u32)>,
    /// The weight of each edge; the weights of a block add up to about 2^31.
    weights: Vec<u32>,
    /// The row that identifies each edge to the source.
    rows: Vec<Option<u32>>,
    source: Option<Arc<dyn PredictionSource>>,
}

/// Explains predictions. It is called only for explanations.
pub trait PredictionSource: fmt::Debug + Send + Sync {
    /// The log-odds of the prediction for the edge with index `place` of a block. `row` is the row that
    /// [`Predictions::add`] got for the edge.
    fn log_odds(&self, row: u32, place: usize) -> LogOdds;
}

/// The natural logarithm of the odds of an edge, as a sum, all in units of 2^-16.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogOdds {
    /// Whether the edge is one of several of a switch, whose probabilities are scaled to add up to one.
    pub of_switch: bool,
    /// The value without contributions.
    pub start: i64,
    /// The contribution of each feature, the greatest first; none is 0.
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
    /// No predictions, with capacity for this number of blocks and edges.
    pub fn with_capacity(blocks: usize, edges: usize) -> Self {
        Predictions {
            blocks: Vec::with_capacity(blocks),
            weights: Vec::with_capacity(edges),
            rows: Vec::with_capacity(edges),
            source: None,
        }
    }

    /// The same predictions, explained by `source`.
    pub fn explained_by(self, source: Arc<dyn PredictionSource>) -> Self {
        Predictions { source: Some(source), ..self }
    }

    /// Adds a prediction for `block`: for each edge its weight, which add up to about 2^31, and the row that identifies
    /// the edge to the source; no row if the weight is the one of LLVM's rules.
    ///
    /// # Panics
    ///
    /// If `block` does not come after the blocks of earlier calls.
    pub fn add(&mut self, block: Block, edges: impl Iterator<Item = (u32, Option<u32>)>) {
        assert!(self.blocks.last().is_none_or(|&(last, _)| last < block), "blocks are added in order");
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

    /// The weights of the edges of `block`, which add up to about 2^31; none if there is no prediction.
    pub(crate) fn weights(&self, block: Block) -> Option<&[u32]> {
        Some(&self.weights[self.edges(self.place(block)?)])
    }

    /// The log-odds of the edge with index `place` of `block`; none if its weight is the one of LLVM's rules, or if
    /// there is no source.
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
