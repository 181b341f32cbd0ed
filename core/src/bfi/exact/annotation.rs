//! Weights for the headers of irreducible loops, by which LLVM's own scheme comes near the solution.
//!
//! LLVM shares out each turn of such a loop among its headers, by guess or by the weights of `irr_loop` metadata, and
//! works out everything else from that. If each header has its true share, so has everything else.

use super::super::nest::LoopNest;
use super::super::{BlockFrequencies, FrequencyAnalysis, FrequencyInput, Scaled};
use crate::cfg::Block;
use crate::facts;

/// What the weights of a loop's headers add up to, but for rounding: more would be cut off by LLVM.
const TOTAL: Scaled = Scaled::new(1, 31);

/// How far frequencies are off, each relative to what is right.
struct Error {
    /// Of the block that is off most.
    worst: Scaled,
    /// Of all blocks together.
    sum: Scaled,
    /// Of the block that is off most in what LLVM prints.
    worst_printed: Scaled,
}

impl FrequencyAnalysis {
    /// The weights for headers of irreducible loops with which LLVM's frequencies come nearer to those of
    /// [`compute_exact`](Self::compute_exact), by block, ascending. Empty if the block that is off most would not be off
    /// less, or as much and the others less; or if, of the few digits that LLVM prints, the worst would be off more.
    ///
    /// Loops with weights keep them, unless `overwrite`.
    pub fn plan_header_weights(&mut self, input: &FrequencyInput, overwrite: bool) -> Vec<(Block, u64)> {
        if input.graph.loops().is_reducible() {
            return Vec::new();
        }
        let nest = self.compute_nest(input);
        let solution = self.compute_exact(input);
        let fresh = self.fresh_weights(&nest, overwrite);
        let mut weights = fresh.clone();
        let is_kept = |&&(block, _): &&(Block, u64)| facts::header_weight(&fresh, block).is_none();
        weights.extend(input.header_weights.iter().filter(is_kept));
        weights.sort_unstable();
        let before = self.compute(input);
        let after = self.compute(&FrequencyInput { header_weights: &weights, ..*input });
        let [before, after] = [before, after].map(|found| Error::of(&found, &solution, input));
        match (after.worst, after.sum) < (before.worst, before.sum)
            && after.worst_printed <= before.worst_printed
        {
            true => fresh,
            false => Vec::new(),
        }
    }

    /// Weights in proportion to what comes to each header, in the function that was solved last.
    fn fresh_weights(&self, nest: &LoopNest, overwrite: bool) -> Vec<(Block, u64)> {
        let mut weights = Vec::new();
        let is_open = |&nested: &_| overwrite || !nest.has_weighted_headers(nested);
        for nested in nest.loops().filter(|&nested| nest.is_irreducible(nested)).filter(is_open) {
            // A header may stand for a loop inside, which LLVM gives what enters it.
            let arrived = |&header: &Block| self.exact.arrived(header);
            let headers = nest.headers(nested);
            let sum = headers.iter().map(arrived).reduce(|sum, one| sum + one).expect("several headers");
            weights.extend(headers.iter().map(|header| {
                let share = (arrived(header) / sum).to_scaled();
                (*header, (share * TOTAL).to_nearest_u64().max(1))
            }));
        }
        weights.sort_unstable();
        weights
    }
}

impl Error {
    fn of(frequencies: &BlockFrequencies, solution: &BlockFrequencies, input: &FrequencyInput) -> Self {
        let mut error = Error { worst: Scaled::ZERO, sum: Scaled::ZERO, worst_printed: Scaled::ZERO };
        for &block in input.graph.tree().preorder() {
            let (right, found) = (solution.scaled(block), frequencies.scaled(block));
            let off = |found: Scaled| right.abs_difference(found) / right;
            error.worst = error.worst.max(off(found));
            error.sum = error.sum + off(found);
            error.worst_printed = error.worst_printed.max(off(found.as_printed()));
        }
        error
    }
}
