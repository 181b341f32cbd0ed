//! Changes to a function, told to its profile.

use super::edges::EditableEdges;
use super::frequency::BlockFrequency;
use super::profile::Profile;
use crate::bpi::Probability;
use crate::cfg::Block;

/// Why an update cannot be made. Nothing has changed then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UpdateError {
    /// There is no such block.
    #[error("the function has no block {0}")]
    NoBlock(Block),
    /// Not one probability for each successor.
    #[error("{block} has {successors} successors, not {given}")]
    Count {
        /// The block.
        block: Block,
        /// How many successors it has.
        successors: usize,
        /// For how many there were probabilities, or the number of the successor that it should have had.
        given: usize,
    },
    /// Probabilities that are not those of all ways on from a block.
    #[error("the probabilities of {block} add up to {sum} / 2147483648, not to 1")]
    Sum {
        /// The block.
        block: Block,
        /// The sum of their numerators.
        sum: u64,
    },
    /// A block is forgotten that another one still leads to.
    #[error("{from} still leads to {to}, which is forgotten")]
    Forgotten {
        /// The other block.
        from: Block,
        /// The block that is forgotten.
        to: Block,
    },
    /// A block cannot be merged into its predecessor, as it has another one.
    #[error("{other} leads to {block} as well")]
    OtherPredecessor {
        /// The block.
        block: Block,
        /// Its other predecessor.
        other: Block,
    },
    /// The entry runs once for each time the function is entered, whatever else happens.
    #[error("the entry is always there, and its frequency is 1")]
    Entry,
}

impl Profile {
    /// Sets the probability of each edge from `block`, in the order of its successors. Frequencies stay as they are
    /// until they are [set](Self::set_frequency) or [recomputed](Self::recompute).
    ///
    /// # Errors
    ///
    /// If there is not one for each successor, or if they do not add up to 1, give or take one unit of 2^-31 a
    /// successor.
    ///
    /// LLVM: `BranchProbabilityInfo::setEdgeProbability`.
    pub fn set_probabilities(
        &mut self,
        block: Block,
        probabilities: &[Probability],
    ) -> Result<(), UpdateError> {
        self.check_count(block, probabilities.len())?;
        check_sum(block, probabilities.iter().copied())?;
        self.update(|edges| edges.set_probabilities(block, probabilities));
        Ok(())
    }

    /// Gives `block` other successors, each with the probability of the edge to it. Frequencies stay as they are.
    ///
    /// # Errors
    ///
    /// If some successor does not exist, or if the probabilities do not add up to 1, give or take one unit of 2^-31 a
    /// successor.
    pub fn set_successors(
        &mut self,
        block: Block,
        edges: &[(Block, Probability)],
    ) -> Result<(), UpdateError> {
        self.check_block(block)?;
        edges.iter().try_for_each(|&(successor, _)| self.check_block(successor))?;
        check_sum(block, edges.iter().map(|edge| edge.1))?;
        self.update(|changed| changed.set(block, edges.iter().copied()));
        Ok(())
    }

    /// Lets the successors number `one` and `other` of `block` change places, as a pass does that inverts the condition
    /// of a branch. Their probabilities go with them.
    ///
    /// # Errors
    ///
    /// If the block has no successor of one of the numbers.
    ///
    /// LLVM: `BranchProbabilityInfo::swapSuccEdgesProbabilities`.
    pub fn swap_successors(&mut self, block: Block, one: usize, other: usize) -> Result<(), UpdateError> {
        self.check_block(block)?;
        let successors = self.successors(block).len();
        if one.max(other) >= successors {
            return Err(UpdateError::Count { block, successors, given: one.max(other) + 1 });
        }
        self.update(|edges| edges.swap(block, one, other));
        Ok(())
    }

    /// Gives the edges from `to` the probabilities of the edges from `from`, in order, as a pass needs it that copies a
    /// block.
    ///
    /// # Errors
    ///
    /// If the blocks do not have the same number of successors.
    ///
    /// LLVM: `BranchProbabilityInfo::copyEdgeProbabilities`.
    pub fn copy_probabilities(&mut self, from: Block, to: Block) -> Result<(), UpdateError> {
        self.check_block(from)?;
        self.check_count(to, self.successors(from).len())?;
        self.update(|edges| edges.copy_probabilities(from, to));
        Ok(())
    }

    /// Adds a block that runs `frequency` often; it has the number after the last. Its successors are yet to be
    /// [set](Self::set_successors), and so are the edges to it.
    pub fn add_block(&mut self, frequency: BlockFrequency) -> Block {
        let block = self.update(EditableEdges::add_block);
        self.store_frequency(block, frequency);
        block
    }

    /// Forgets a block that is deleted: it has no successors and runs never. Edges to it have to be set otherwise
    /// before or after. Its number is not given to another block.
    ///
    /// # Errors
    ///
    /// If it is the entry.
    ///
    /// LLVM: `BranchProbabilityInfo::eraseBlock`.
    pub fn forget(&mut self, block: Block) -> Result<(), UpdateError> {
        self.set_frequency(block, BlockFrequency::NEVER)?;
        self.update(|edges| edges.forget(block));
        Ok(())
    }

    /// Sets how often `block` runs. Other frequencies and all probabilities stay as they are.
    ///
    /// # Errors
    ///
    /// If it is the entry, whose frequency is what the others are measured in.
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

    /// Works out frequencies again, from the edges as they are now; frequencies that were set are overruled.
    /// Probabilities and the numbers of blocks stay.
    ///
    /// For a function that has only been changed by the methods here, this gives what an analysis from scratch gives
    /// for the same edges and probabilities, to the last bit. Probabilities that rules would give the changed function
    /// are those of a new profile of it.
    ///
    /// # Errors
    ///
    /// If a block still leads to one that is [forgotten](Self::forget). Nothing has changed then.
    pub fn recompute(&mut self) -> Result<(), UpdateError> {
        let edge = self.updated.as_ref().and_then(|updated| updated.edges.edge_to_forgotten());
        if let Some((from, to)) = edge {
            return Err(UpdateError::Forgotten { from, to });
        }
        self.forget_frequencies();
        self.block_frequencies();
        Ok(())
    }

    fn store_frequency(&mut self, block: Block, frequency: BlockFrequency) {
        self.block_frequencies();
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

/// Whether probabilities add up to 1: each may be off by one unit, and no probabilities at all need not.
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
