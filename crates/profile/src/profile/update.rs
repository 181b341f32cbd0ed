//! Updates of a profile after a pass changes the function, and the edges that have changed.

use cranelift_entity::PrimaryMap;

use super::frequency::BlockFrequency;
use super::profile::Profile;
use crate::bpi::{Probability, Rule};
use crate::cfg::Block;

/// The reason why an update failed. A failed update does not change the profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UpdateError {
    /// The block does not exist.
    #[error("the function has no block {0}")]
    NoBlock(Block),
    /// The number of probabilities differs from the number of successors.
    #[error("{block} has {successors} successors, not {given}")]
    Count {
        /// The block.
        block: Block,
        /// The number of successors of the block.
        successors: usize,
        /// The number of successors that the update needs. If the update sets probabilities, this is the number of the
        /// probabilities. If an index of a successor is too large, this is the index plus 1.
        given: usize,
    },
    /// The probabilities of a block do not add up to 1.
    #[error("the probabilities of {block} add up to {sum} / 2147483648, not to 1")]
    Sum {
        /// The block.
        block: Block,
        /// The sum of the numerators of the probabilities.
        sum: u64,
    },
    /// An edge leads to a removed block.
    #[error("an edge leads from {from} to {to}, which was removed")]
    Forgotten {
        /// The source of the edge.
        from: Block,
        /// The removed block.
        to: Block,
    },
    /// A block with several predecessors cannot be merged into one of its predecessors.
    #[error("{block} has another predecessor: {other}")]
    OtherPredecessor {
        /// The block.
        block: Block,
        /// The other predecessor.
        other: Block,
    },
    /// The entry cannot be removed, and its frequency cannot be set.
    #[error("the entry cannot be removed, and its frequency cannot be set")]
    Entry,
}

impl Profile {
    /// Sets the probability of each edge of `block`, in the order of its successors. Frequencies do not change until
    /// they are [set](Self::set_frequency) or [recomputed](Self::recompute).
    ///
    /// # Errors
    ///
    /// Returns an error if the block does not exist, if the number of probabilities is wrong, or if their sum differs
    /// from 1 by more than 2^-31 times the number of successors.
    ///
    /// LLVM: `BranchProbabilityInfo::setEdgeProbability`.
    pub fn set_probabilities(
        &mut self,
        block: Block,
        probabilities: &[Probability],
    ) -> Result<(), UpdateError> {
        self.check_count(block, probabilities.len())?;
        check_sum(block, probabilities.iter().copied())?;
        self.update(block, |changed| changed.set_probabilities(probabilities.to_vec()));
        Ok(())
    }

    /// Replaces the successors of `block` and the probabilities of its edges. Frequencies do not change.
    ///
    /// # Errors
    ///
    /// Returns an error if the block or a successor does not exist. Also returns an error if the sum of the
    /// probabilities differs from 1 by more than 2^-31 times the number of successors.
    pub fn set_successors(
        &mut self,
        block: Block,
        edges: &[(Block, Probability)],
    ) -> Result<(), UpdateError> {
        self.check_block(block)?;
        edges.iter().try_for_each(|&(successor, _)| self.check_block(successor))?;
        check_sum(block, edges.iter().map(|edge| edge.1))?;
        self.update(block, |changed| changed.set(edges.iter().copied()));
        Ok(())
    }

    /// Swaps two successors of `block`, given by their indices `one` and `other`. Also swaps the probabilities of these
    /// two successors. Passes use this method when they invert the condition of a branch.
    ///
    /// # Errors
    ///
    /// Returns an error if the block does not exist, or if one of the indices is not the index of a successor.
    ///
    /// LLVM: `BranchProbabilityInfo::swapSuccEdgesProbabilities`.
    pub fn swap_successors(&mut self, block: Block, one: usize, other: usize) -> Result<(), UpdateError> {
        self.check_block(block)?;
        let successors = self.successors(block).len();
        if one.max(other) >= successors {
            return Err(UpdateError::Count { block, successors, given: one.max(other) + 1 });
        }
        self.update(block, |changed| changed.swap(one, other));
        Ok(())
    }

    /// Copies the probabilities of the edges of `from` to the edges of `to`, in order. Passes use this method when they
    /// copy a block.
    ///
    /// # Errors
    ///
    /// Returns an error if a block does not exist, or if the blocks have different numbers of successors.
    ///
    /// LLVM: `BranchProbabilityInfo::copyEdgeProbabilities`.
    pub fn copy_probabilities(&mut self, from: Block, to: Block) -> Result<(), UpdateError> {
        self.check_block(from)?;
        self.check_count(to, self.successors(from).len())?;
        let targets = self.successors(to).to_vec();
        let copied = ChangedEdges { targets, is_forgotten: self.is_forgotten(to), ..self.edges(from) };
        self.update(to, |changed| *changed = copied);
        Ok(())
    }

    /// Adds a block with the frequency `frequency`. The number of the new block follows the number of the last block.
    /// The new block has no edges. After this call, [set](Self::set_successors) the successors of the new block and of
    /// its predecessors.
    pub fn add_block(&mut self, frequency: BlockFrequency) -> Block {
        let block = self.change(|rows| rows.push(Some(ChangedEdges::none().into())));
        self.store_frequency(block, frequency);
        block
    }

    /// Removes a block. Afterwards the block has no successors, and its frequency is 0. This method does not change the
    /// edges to the block: replace them before or after this call. No new block gets the number of the removed block.
    /// Updates of the removed block are not errors, but [`recompute`](Self::recompute) returns an error if an edge
    /// leads to it.
    ///
    /// # Errors
    ///
    /// Returns an error if the block does not exist or is the entry.
    ///
    /// LLVM: `BranchProbabilityInfo::eraseBlock`.
    pub fn forget(&mut self, block: Block) -> Result<(), UpdateError> {
        self.set_frequency(block, BlockFrequency::NEVER)?;
        self.update(block, |changed| *changed = ChangedEdges { is_forgotten: true, ..ChangedEdges::none() });
        Ok(())
    }

    /// Sets the frequency of `block`. Other frequencies and all probabilities do not change.
    ///
    /// # Errors
    ///
    /// Returns an error if the block does not exist, or if it is the entry, the reference of all frequencies.
    ///
    /// LLVM: `BlockFrequencyInfo::setBlockFreq`.
    pub fn set_frequency(&mut self, block: Block, frequency: BlockFrequency) -> Result<(), UpdateError> {
        self.check_block(block)?;
        if block == self.facts().graph.entry() {
            return Err(UpdateError::Entry);
        }
        self.store_frequency(block, frequency);
        Ok(())
    }

    /// Recomputes frequencies from the current edges, and overwrites frequencies that were set. Probabilities and block
    /// numbers do not change.
    ///
    /// The frequencies equal the result of a new analysis of the same edges and probabilities, bit for bit. To apply
    /// the rules to the changed function, create a new profile.
    ///
    /// # Errors
    ///
    /// Returns an error if an edge leads to a [removed](Self::forget) block. The profile is then unchanged.
    pub fn recompute(&mut self) -> Result<(), UpdateError> {
        for from in self.blocks() {
            if let Some(&to) = self.successors(from).iter().find(|&&to| self.is_forgotten(to)) {
                return Err(UpdateError::Forgotten { from, to });
            }
        }
        self.forget_frequencies();
        self.compute_frequencies();
        Ok(())
    }

    /// Calls `change` with a copy of the edges of `block`, and replaces the edges by the changed copy.
    fn update(&mut self, block: Block, change: impl FnOnce(&mut ChangedEdges)) {
        let mut edges = self.edges(block);
        change(&mut edges);
        self.change(|rows| rows[block] = Some(edges.into()));
    }

    /// A copy of the edges of `block`.
    fn edges(&self, block: Block) -> ChangedEdges {
        ChangedEdges {
            targets: self.successors(block).to_vec(),
            probabilities: self.probabilities(block).to_vec(),
            weights: self.weights(block).to_vec(),
            rule: self.deciding_rule(block),
            is_forgotten: self.is_forgotten(block),
        }
    }

    fn is_forgotten(&self, block: Block) -> bool {
        self.changed(block).is_some_and(|edges| edges.is_forgotten)
    }

    fn store_frequency(&mut self, block: Block, frequency: BlockFrequency) {
        self.compute_frequencies();
        if let Some(frequencies) = self.frequencies.get_mut() {
            frequencies.set(block, frequency.scaled());
        }
        self.forget_biases();
    }

    pub(super) fn check_block(&self, block: Block) -> Result<(), UpdateError> {
        if block.as_u32() < self.blocks().len() as u32 {
            Ok(())
        } else {
            Err(UpdateError::NoBlock(block))
        }
    }

    pub(super) fn check_count(&self, block: Block, given: usize) -> Result<(), UpdateError> {
        self.check_block(block)?;
        let successors = self.successors(block).len();
        if given == successors {
            Ok(())
        } else {
            Err(UpdateError::Count { block, successors, given })
        }
    }
}

/// Checks that probabilities add up to 1, with a tolerance of 2^-31 times the number of probabilities. An empty list is
/// allowed.
fn check_sum(
    block: Block,
    probabilities: impl ExactSizeIterator<Item = Probability>,
) -> Result<(), UpdateError> {
    let slack = probabilities.len() as u64;
    let sum: u64 = probabilities.map(|probability| u64::from(probability.numerator())).sum();
    if slack == 0 || sum.abs_diff(Probability::DENOMINATOR.into()) <= slack {
        Ok(())
    } else {
        Err(UpdateError::Sum { block, sum })
    }
}

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
