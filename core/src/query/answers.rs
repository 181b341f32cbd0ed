//! Questions to edges and blocks.

use super::{BlockFrequency, FunctionProfile, Structure};
use crate::bfi::bias::Bias;
use crate::bfi::{LoopScale, Scaled};
use crate::bpi::{Probability, Rule};
use crate::cfg::{table, Block, Loop};

impl FunctionProfile {
    /// All blocks, in layout order, those that were added behind the others. A block that was
    /// [forgotten](Self::forget) is still among them.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = Block> + ExactSizeIterator {
        (0..self.edges.block_count() as u32).map(Block::from_u32)
    }

    /// The successors of `block` in the order of its terminator, parallel edges each.
    pub fn successors(&self, block: Block) -> &[Block] {
        self.edges.successors(block)
    }

    /// The probability of each edge from `block`, in the order of [`successors`](Self::successors). They add up to 1 but
    /// for rounding, at most one unit of 2^-31 an edge.
    pub fn probabilities(&self, block: Block) -> &[Probability] {
        self.edges.probabilities(block)
    }

    /// The probability of the edge from `block` to its successor number `place`.
    ///
    /// # Panics
    ///
    /// If the block has no successor of that number.
    pub fn edge_probability(&self, block: Block, place: usize) -> Probability {
        self.probabilities(block)[place]
    }

    /// The probability of going from `block` to `successor` by any edge; 0 if there is none.
    ///
    /// What a rule says of parallel edges is rounded edge by edge and then added; where no rule has an answer, their
    /// share is rounded once.
    pub fn successor_probability(&self, block: Block, successor: Block) -> Probability {
        self.edges.probability_of(block, successor)
    }

    /// Whether going from `block` to `successor` is likelier than `threshold`.
    pub fn is_edge_above(&self, block: Block, successor: Block, threshold: Probability) -> bool {
        self.successor_probability(block, successor) > threshold
    }

    /// Whether going from `block` to `successor` is hot: [above 4/5](Probability::HOT), as LLVM has it.
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

    /// The rule that decided the probabilities of `block`; none if they were [set](Self::set_probabilities).
    pub fn rule(&self, block: Block) -> Option<Rule> {
        self.edges.rule(block)
    }

    /// How often `block` runs for each time the function is entered: [`UNITY`](BlockFrequency::UNITY) for the entry,
    /// [`NEVER`](BlockFrequency::NEVER) for a block that it does not reach.
    ///
    /// It is the number that LLVM prints as `float`, without any rounding but LLVM's own.
    pub fn frequency(&self, block: Block) -> BlockFrequency {
        BlockFrequency::new(self.frequencies.scaled(block))
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
    pub fn count(&self, block: Block) -> Option<u64> {
        let entered = self.entry_count.filter(|count| !count.synthetic)?;
        Some(self.frequencies.count(block, entered.count))
    }

    /// How often the header of `natural` runs for each time the loop is entered: at least 1, and 4096 for a loop that is
    /// never left.
    pub fn loop_scale(&self, natural: Loop) -> Scaled {
        let Structure { loop_scales, .. } = &self.structure;
        loop_scales.get_or_init(|| {
            let mut scales = table(self.loops().count(), Scaled::ONE);
            for found in self.loop_scales().iter().filter(|found| found.headers == 1) {
                let natural = self.loops().innermost(found.header).expect("a header is in its loop");
                scales[natural] = found.scale;
            }
            scales
        })[natural]
    }

    /// The scales of all loops, irreducible ones among them, outer ones before those inside them.
    pub fn loop_scales(&self) -> &[LoopScale] {
        self.frequencies.loop_scales()
    }

    /// How much evidence speaks for or against `block`: its frequency over what it would be if every branch were even
    /// and every loop passed once (see [`bias`](crate::bfi::bias)). None for a block that the entry did not reach when
    /// frequencies were last worked out.
    pub fn bias(&self, block: Block) -> Option<Bias> {
        let known = self.graph().blocks().len() > block.as_u32() as usize;
        let reference = known.then(|| self.biases().of(block).reference)?;
        (!reference.is_zero()).then(|| Bias { frequency: self.frequencies.scaled(block), reference })
    }
}
