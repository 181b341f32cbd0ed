//! Queries about edges and blocks.

use super::frequency::BlockFrequency;
use super::profile::Profile;
use crate::bfi::bias::Bias;
use crate::bfi::Scaled;
use crate::bpi::{ParallelEdges, Probability, Rule};
use crate::cfg::{Block, Loop};

impl Profile {
    /// All blocks in layout order. Added blocks come last. The blocks include [removed](Self::forget) blocks.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = Block> + ExactSizeIterator + use<> {
        let original = self.facts().graph.block_count();
        let count = self.updated.as_ref().map_or(original, |updated| updated.rows.len());
        (0..count as u32).map(Block::from_u32)
    }

    /// The successors of `block` in terminator order. A successor occurs once for each parallel edge.
    pub fn successors(&self, block: Block) -> &[Block] {
        match self.changed(block) {
            Some(edges) => &edges.targets,
            None => self.facts().graph.successors(block),
        }
    }

    /// The probability of each edge of `block`, in the order of [`successors`](Self::successors). The sum of these
    /// probabilities differs from 1 by at most 2^-31 times the number of edges.
    pub fn probabilities(&self, block: Block) -> &[Probability] {
        match self.changed(block) {
            Some(edges) => &edges.probabilities,
            None => &self.original_probabilities().probabilities()[self.facts().graph.edges(block)],
        }
    }

    /// The weight of each edge of `block`, in the order of [`successors`](Self::successors).
    pub(super) fn weights(&self, block: Block) -> &[u32] {
        match self.changed(block) {
            Some(edges) => &edges.weights,
            None => &self.original_probabilities().weights()[self.facts().graph.edges(block)],
        }
    }

    /// The probability of the edge from `block` to the successor with index `place`.
    ///
    /// # Panics
    ///
    /// Panics if the block has no successor with this index.
    ///
    /// LLVM: `BranchProbabilityInfo::getEdgeProbability`.
    pub fn edge_probability(&self, block: Block, place: usize) -> Probability {
        self.probabilities(block)[place]
    }

    /// The probability that `successor` follows `block`, or 0 if there is no edge.
    ///
    /// If several parallel edges lead to `successor`, the probability of each edge is rounded, and then the rounded
    /// probabilities are added. If no rule applies, the exact probabilities are added, and only the sum is rounded.
    ///
    /// LLVM: `BranchProbabilityInfo::getEdgeProbability`.
    pub fn successor_probability(&self, block: Block, successor: Block) -> Probability {
        let successors = self.successors(block);
        let edges = successors.iter().zip(self.probabilities(block));
        ParallelEdges::new(self.deciding_rule(block), successors.len()).to_target(edges, successor)
    }

    /// Whether the probability that `successor` follows `block` is above `threshold`.
    pub fn is_edge_above(&self, block: Block, successor: Block, threshold: Probability) -> bool {
        self.successor_probability(block, successor) > threshold
    }

    /// Whether `successor` is the hot successor of `block`. As in LLVM, a successor is hot if its probability is
    /// [above 80%](Probability::HOT).
    ///
    /// LLVM: `BranchProbabilityInfo::isEdgeHot`.
    pub fn is_edge_hot(&self, block: Block, successor: Block) -> bool {
        self.is_edge_above(block, successor, Probability::HOT)
    }

    /// The hot successor of `block`, if there is one. The probabilities of all edges to this successor add up to more
    /// than 80%.
    pub fn hot_successor(&self, block: Block) -> Option<Block> {
        // This is a majority vote (Robert Boyer and J Moore, "MJRTY: a fast majority vote algorithm", 1991). If one
        // successor has more than half of the probability, `leader` contains this successor after the loop.
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

    /// The rule that determined the probabilities of `block`. If a pass has set the probabilities, the result is
    /// [`Rule::Update`]. If no rule applies, the result is [`Rule::Even`]. The result is `None` if the block has fewer
    /// than two successors.
    pub fn rule(&self, block: Block) -> Option<Rule> {
        (self.successors(block).len() > 1).then(|| self.deciding_rule(block))
    }

    /// The rule that determined the probabilities of `block`. For most blocks with fewer than two successors, the
    /// result is [`Rule::Even`].
    pub(super) fn deciding_rule(&self, block: Block) -> Rule {
        self.changed(block).map_or_else(|| self.original_probabilities().rule(block), |edges| edges.rule)
    }

    /// The number of executions of `block` for each call of the function. An entry without
    /// predecessors has [`UNITY`](BlockFrequency::UNITY), and an unreachable block has
    /// [`NEVER`](BlockFrequency::NEVER). LLVM's entries have no predecessors. An entry that is a loop header has the
    /// frequency of the header.
    ///
    /// LLVM prints this number as `float`, with fewer digits.
    pub fn frequency(&self, block: Block) -> BlockFrequency {
        BlockFrequency::new(self.block_frequencies().scaled(block))
    }

    /// The frequency of `block` as LLVM's integer, relative to [`entry_frequency`](Self::entry_frequency). The integer
    /// is 0 for an unreachable block, and at least 1 for a reachable block.
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

    /// How often control follows the edge from `block` to the successor with index `place`, for each call of the
    /// function.
    ///
    /// # Panics
    ///
    /// Panics if the block has no successor with this index.
    pub fn edge_frequency(&self, block: Block, place: usize) -> BlockFrequency {
        self.frequency(block) * self.edge_probability(block, place)
    }

    /// The profile count of `block`: the profiled entry count times the block's frequency. The count is rounded to
    /// nearest, with halves rounded up, and is at most `u64::MAX`. The result is `None` without a profiled entry count.
    ///
    /// LLVM prints this number as `count`.
    ///
    /// LLVM: `BlockFrequencyInfo::getBlockProfileCount`.
    pub fn count(&self, block: Block) -> Option<u64> {
        Some(self.block_frequencies().count(block, self.facts().measured_entries()?))
    }

    /// The mean number of iterations of `natural` per entry into the loop. The number is at least 1. For an infinite
    /// loop, the number is 4096, as in LLVM.
    pub fn loop_scale(&self, natural: Loop) -> Scaled {
        let header = self.loops().header(natural);
        let nest = self.nest();
        // The header can also be a header of an irreducible loop around `natural`.
        let found = nest.around(header).find(|&nested| nest.headers(nested) == [header]);
        found.map_or(Scaled::ONE, |nested| nest.scale(nested))
    }

    /// Whether `block` is a header of an irreducible loop.
    ///
    /// LLVM: `BlockFrequencyInfo::isIrrLoopHeader`.
    pub fn is_irreducible_header(&self, block: Block) -> bool {
        self.nest().is_irreducible_header(block)
    }

    /// The bias of `block`: its frequency divided by its reference frequency (see [`bias`](crate::bfi::bias)). For the
    /// reference frequency, all edges of a block are equally likely, and every loop has one iteration. The result is
    /// `None` for an unreachable block.
    pub fn bias(&self, block: Block) -> Option<Bias> {
        let bias = self.biases().of(block);
        (!bias.reference.is_zero()).then_some(bias)
    }
}
