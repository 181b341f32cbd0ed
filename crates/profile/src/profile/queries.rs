//! Questions to edges and blocks.

use super::frequency::BlockFrequency;
use super::profile::Profile;
use crate::bfi::bias::Bias;
use crate::bfi::Scaled;
use crate::bpi::{ParallelEdges, Probability, Rule};
use crate::cfg::{Block, Loop};

impl Profile {
    /// All blocks, in layout order, those that were added behind the others. A block that was
    /// [forgotten](Self::forget) is still among them.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = Block> + ExactSizeIterator {
        let count = self
            .updated
            .as_ref()
            .map_or(self.facts().graph.block_count(), |updated| updated.edges.block_count());
        (0..count as u32).map(Block::from_u32)
    }

    /// The successors of `block` in the order of its terminator, parallel edges each.
    pub fn successors(&self, block: Block) -> &[Block] {
        match &self.updated {
            Some(updated) => updated.edges.successors(block),
            None => self.facts().graph.successors(block),
        }
    }

    /// The probability of each edge from `block`, in the order of [`successors`](Self::successors). They add up to 1
    /// but for rounding, at most one unit of 2^-31 an edge.
    pub fn probabilities(&self, block: Block) -> &[Probability] {
        match &self.updated {
            Some(updated) => updated.edges.probabilities(block),
            None => &self.branch_probabilities().probabilities()[self.facts().graph.edges(block)],
        }
    }

    /// The probability of the edge from `block` to its successor number `place`.
    ///
    /// # Panics
    ///
    /// If the block has no successor of that number.
    ///
    /// LLVM: `BranchProbabilityInfo::getEdgeProbability`.
    pub fn edge_probability(&self, block: Block, place: usize) -> Probability {
        self.probabilities(block)[place]
    }

    /// The probability of going from `block` to `successor` by any edge; 0 if there is none.
    ///
    /// What a rule says of parallel edges is rounded edge by edge and then added; where no rule has an answer, their
    /// share is rounded once.
    ///
    /// LLVM: `BranchProbabilityInfo::getEdgeProbability`.
    pub fn successor_probability(&self, block: Block, successor: Block) -> Probability {
        let successors = self.successors(block);
        let edges = successors.iter().zip(self.probabilities(block));
        ParallelEdges::new(self.deciding_rule(block), successors.len()).to_target(edges, successor)
    }

    /// Whether going from `block` to `successor` is likelier than `threshold`.
    pub fn is_edge_above(&self, block: Block, successor: Block, threshold: Probability) -> bool {
        self.successor_probability(block, successor) > threshold
    }

    /// Whether going from `block` to `successor` is hot: [above 4/5](Probability::HOT), as LLVM has it.
    ///
    /// LLVM: `BranchProbabilityInfo::isEdgeHot`.
    pub fn is_edge_hot(&self, block: Block, successor: Block) -> bool {
        self.is_edge_above(block, successor, Probability::HOT)
    }

    /// The successor that `block` goes to by a hot edge, or by several that are hot together.
    pub fn hot_successor(&self, block: Block) -> Option<Block> {
        // Whoever has more than half of all votes is left at the end, if anybody has (Robert Boyer and J Moore,
        // "MJRTY: a fast majority vote algorithm", 1991).
        let mut leader = (None, Probability::ZERO);
        for (&successor, &probability) in self.successors(block).iter().zip(self.probabilities(block)) {
            leader = match leader {
                (Some(other), lead) if other == successor => (Some(other), lead + probability),
                (other, lead) if lead > probability => (other, lead - probability),
                (_, lead) => (Some(successor), probability - lead),
            };
        }
        leader.0.filter(|&successor| self.is_edge_hot(block, successor))
    }

    /// The rule that decided the probabilities of `block`: [`Rule::Update`] if a pass has set them, [`Rule::Even`] if no
    /// rule applies. None if there is nothing to decide, because the block has fewer than two successors.
    pub fn rule(&self, block: Block) -> Option<Rule> {
        (self.successors(block).len() > 1).then(|| self.deciding_rule(block))
    }

    /// The same; [`Rule::Even`] for most blocks with fewer than two successors.
    fn deciding_rule(&self, block: Block) -> Rule {
        match &self.updated {
            Some(updated) => updated.edges.rule(block),
            None => self.branch_probabilities().rule(block),
        }
    }

    /// How often `block` runs for each time the function is entered: [`UNITY`](BlockFrequency::UNITY) for the entry,
    /// [`NEVER`](BlockFrequency::NEVER) for a block that it does not reach.
    ///
    /// It is the number that LLVM prints as `float`, without any rounding but LLVM's own.
    pub fn frequency(&self, block: Block) -> BlockFrequency {
        BlockFrequency::new(self.block_frequencies().scaled(block))
    }

    /// The same as an integer, as LLVM has it: it means something only relative to
    /// [`entry_frequency`](Self::entry_frequency). At least 1, and 0 for a block that the entry does not reach.
    ///
    /// LLVM: `BlockFrequencyInfo::getBlockFreq`.
    pub fn integer_frequency(&self, block: Block) -> u64 {
        self.block_frequencies().integer(block)
    }

    /// The integer frequency of the entry.
    ///
    /// LLVM: `BlockFrequencyInfo::getEntryFreq`.
    pub fn entry_frequency(&self) -> u64 {
        self.block_frequencies().entry_integer()
    }

    /// How often the edge from `block` to its successor number `place` is taken for each time the function is entered.
    /// Panics where [`edge_probability`](Self::edge_probability) does.
    pub fn edge_frequency(&self, block: Block, place: usize) -> BlockFrequency {
        self.frequency(block) * self.edge_probability(block, place)
    }

    /// How often `block` was run, if a measured profile says how often the function was entered: that number times the
    /// block's frequency, rounded to nearest, halves up, at most `u64::MAX`.
    ///
    /// It is the number that LLVM prints as `count`.
    ///
    /// LLVM: `BlockFrequencyInfo::getBlockProfileCount`.
    pub fn count(&self, block: Block) -> Option<u64> {
        Some(self.block_frequencies().count(block, self.facts().measured_entries()?))
    }

    /// How often the header of `natural` runs for each time the loop is entered: at least 1, and 4096 for a loop that
    /// is never left.
    pub fn loop_scale(&self, natural: Loop) -> Scaled {
        let header = self.loops().header(natural);
        let nest = self.nest();
        // A header may be one of those of an irreducible loop further out as well.
        let found = nest.around(header).find(|&nested| nest.headers(nested) == [header]);
        found.map_or(Scaled::ONE, |nested| nest.scale(nested))
    }

    /// Whether `block` is one of several headers of an irreducible loop.
    ///
    /// LLVM: `BlockFrequencyInfo::isIrrLoopHeader`.
    pub fn is_irreducible_header(&self, block: Block) -> bool {
        self.nest().is_irreducible_header(block)
    }

    /// How much evidence speaks for or against `block`: its frequency over what it would be if every branch were even
    /// and every loop passed once (see [`bias`](crate::bfi::bias)). None for a block that the entry does not reach.
    pub fn bias(&self, block: Block) -> Option<Bias> {
        let bias = self.biases().of(block);
        (!bias.reference.is_zero()).then_some(bias)
    }
}
