//! Predictions that replace the rules.

use std::fmt;
use std::sync::Arc;

use crate::cfg::{Block, Graph};

/// The reason why predictions are invalid or cannot be added to a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PredictionError {
    /// The predictions are not in the order of blocks, or a block has two predictions.
    #[error("the predictions are not in the order of blocks, or {0} has two predictions")]
    Order(Block),
    /// The weights of a block do not add up to a number from 1 to 2^32 - 1.
    #[error("the sum of the weights of {block} is {sum}, but must be from 1 to 4294967295")]
    Sum {
        /// The block.
        block: Block,
        /// The sum of the weights of the block's edges.
        sum: u64,
    },
    /// A predicted block does not exist in the function.
    #[error("the function has no block {0}")]
    NoBlock(Block),
    /// The number of weights differs from the number of successors.
    #[error("{block} has {successors} successors, but the prediction has {given} weights")]
    Count {
        /// The block.
        block: Block,
        /// The number of successors of the block.
        successors: usize,
        /// The number of predicted weights.
        given: usize,
    },
    /// The profile does not use LLVM's rules, or the rules that the caller passes are not LLVM's rules with added
    /// predictions.
    #[error("predictions can be added only to LLVM's rules")]
    Rules,
    /// The profile has already been updated. Predictions can be added only before the first update.
    #[error("predictions cannot be added to an updated profile")]
    Updated,
}

/// The predicted weights of some branches, for example from a trained model. The rule
/// [`Rule::Learned`](super::Rule::Learned) uses these weights.
#[derive(Clone, Debug, Default)]
pub struct Predictions {
    /// The predicted blocks in ascending order, each with the index of its first edge.
    blocks: Vec<(Block, u32)>,
    /// The weight of each edge. The weights of a block add up to about 2^31.
    weights: Vec<u32>,
    /// For each edge, the row number that [`Predictions::add`] received, or `None`.
    rows: Vec<Option<u32>>,
    source: Option<Arc<dyn PredictionSource>>,
}

/// Explains predictions. Only explanations of probabilities use this trait.
pub trait PredictionSource: fmt::Debug + Send + Sync {
    /// The log-odds of the prediction for the edge with index `place` of a block. `row` is the row that
    /// [`Predictions::add`] received for this edge.
    fn log_odds(&self, row: u32, place: usize) -> LogOdds;
}

/// The natural logarithm of the odds of an edge, as a sum of contributions. All values are in units of 2^-16.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogOdds {
    /// Whether the edge belongs to a switch. The probabilities of the edges of a switch are scaled to the sum 1.
    pub of_switch: bool,
    /// The log-odds before the contributions of the features are added.
    pub start: i64,
    /// The contributions of the features, with the greatest contribution first. Features with the contribution 0 are
    /// left out.
    pub contributions: Vec<Contribution>,
}

/// The contribution of a feature to a prediction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// The name of the feature.
    pub feature: String,
    /// The value of the feature.
    pub value: i32,
    /// The amount that the feature adds to the logarithm of the odds, in units of 2^-16.
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

    /// Returns the predictions in `self`. From now on, `source` explains these predictions.
    pub fn explained_by(self, source: Arc<dyn PredictionSource>) -> Self {
        Predictions { source: Some(source), ..self }
    }

    /// Adds a prediction for `block`. For each edge, `edges` contains a weight and a row number. The row number
    /// identifies the edge in calls of [`PredictionSource`]. If the weight of an edge comes from LLVM's rules, there is
    /// no row number for this edge. The weights should add up to about 2^31.
    ///
    /// # Errors
    ///
    /// Returns an error if `block` does not come after the blocks of earlier calls. Also returns an error if the sum of
    /// the weights is 0 or needs more than 32 bits. After an error, the predictions are unchanged.
    pub fn add(
        &mut self,
        block: Block,
        edges: impl Iterator<Item = (u32, Option<u32>)>,
    ) -> Result<(), PredictionError> {
        if self.blocks.last().is_some_and(|&(last, _)| last >= block) {
            return Err(PredictionError::Order(block));
        }
        let start = self.weights.len();
        let mut sum = 0;
        for (weight, row) in edges {
            sum += u64::from(weight);
            self.weights.push(weight);
            self.rows.push(row);
        }
        if sum == 0 || sum > u32::MAX.into() {
            self.weights.truncate(start);
            self.rows.truncate(start);
            return Err(PredictionError::Sum { block, sum });
        }
        self.blocks.push((block, start as u32));
        Ok(())
    }

    /// Checks that `graph` has every predicted block and every predicted edge.
    pub(crate) fn check(&self, graph: &Graph) -> Result<(), PredictionError> {
        for (block, weights) in self.iter() {
            if block.as_u32() as usize >= graph.block_count() {
                return Err(PredictionError::NoBlock(block));
            }
            let (successors, given) = (graph.edges(block).len(), weights.len());
            if successors != given {
                return Err(PredictionError::Count { block, successors, given });
            }
        }
        Ok(())
    }

    /// The weights of the edges of each predicted block, in the order of blocks.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Block, &[u32])> + '_ {
        (0..self.blocks.len()).map(|place| (self.blocks[place].0, &self.weights[self.edges(place)]))
    }

    /// The weights of the edges of `block`, or `None` if there is no prediction. The weights add up to about 2^31.
    pub(crate) fn weights(&self, block: Block) -> Option<&[u32]> {
        Some(&self.weights[self.edges(self.place(block)?)])
    }

    /// The log-odds of an outgoing edge of `block`. `place` is the index of the edge among these edges. The result is
    /// `None` if the weight of the edge comes from LLVM's rules, or if the predictions have no [`PredictionSource`].
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
