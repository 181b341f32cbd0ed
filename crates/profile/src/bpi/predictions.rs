//! Predictions that do not come from the rules.

use std::fmt;
use std::sync::Arc;

use crate::cfg::Block;

/// How likely the edges of some branches are, as something other than the rules says: a learned model, for example.
/// [`Rule::Learned`](super::Rule::Learned) goes by them.
#[derive(Clone, Debug, Default)]
pub struct Predictions {
    /// Ascending, each with where its edges begin.
    blocks: Vec<(Block, u32)>,
    /// Of each edge, how much it weighs, of some 2^31 together...
    weights: Vec<u32>,
    /// ... and the row by which the source knows it.
    rows: Vec<Option<u32>>,
    source: Option<Arc<dyn PredictionSource>>,
}

/// Why predictions are what they are. It is asked only when somebody wants an explanation.
pub trait PredictionSource: fmt::Debug + Send + Sync {
    /// What the prediction of edge number `place` of a block adds up from. `row` is what [`Predictions::add`] was told of the edge.
    fn log_odds(&self, row: u32, place: usize) -> LogOdds;
}

/// The natural logarithm of the odds that a branch takes an edge, and what it adds up from, all in 2^-16.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogOdds {
    /// Whether the edge is one of several of a switch, whose probabilities are scaled to add up to one.
    pub of_switch: bool,
    /// Where the sum begins.
    pub start: i64,
    /// What each feature added, the greatest first; none of them is 0.
    pub contributions: Vec<Contribution>,
}

/// How much a feature moved a prediction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// The name of the feature.
    pub feature: String,
    /// Its value.
    pub value: i32,
    /// What it added to the logarithm of the odds, in 2^-16.
    pub amount: i64,
}

impl Predictions {
    /// No predictions as yet, with memory for so many blocks and edges.
    pub fn with_capacity(blocks: usize, edges: usize) -> Self {
        Predictions {
            blocks: Vec::with_capacity(blocks),
            weights: Vec::with_capacity(edges),
            rows: Vec::with_capacity(edges),
            source: None,
        }
    }

    /// The same, which `source` explains.
    pub fn explained_by(self, source: Arc<dyn PredictionSource>) -> Self {
        Predictions { source: Some(source), ..self }
    }

    /// Adds a prediction for `block`, which comes after those before: for each edge its weight, of some 2^31 together, and the
    /// row by which the source knows it; none if the weight is that of LLVM's rules.
    ///
    /// # Panics
    ///
    /// If `block` does not come after those before.
    pub fn add(&mut self, block: Block, edges: impl Iterator<Item = (u32, Option<u32>)>) {
        assert!(self.blocks.last().is_none_or(|&(last, _)| last < block), "blocks come in their order");
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

    /// How much each edge of `block` weighs, of some 2^31 together; none if nothing is predicted.
    pub fn weights(&self, block: Block) -> Option<&[u32]> {
        Some(&self.weights[self.edges(self.place(block)?)])
    }

    /// Why edge number `place` of `block` has its weight; none if nothing but LLVM's rules says so, or there is no source.
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
