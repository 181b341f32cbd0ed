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

/// How far frequencies are off in all: the block that is off most, relative to what is right, and then all of them.
type Error = (Scaled, Scaled);

impl FrequencyAnalysis {
    /// The weights for headers of irreducible loops with which LLVM's frequencies come nearer to those of
    /// [`compute_exact`](Self::compute_exact), by block, ascending. Empty if the block that is off most would not be off
    /// less, or as much and the others less.
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
        match error(&solution, &after, input) < error(&solution, &before, input) {
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

/// How far `frequencies` are off from `solution`.
fn error(solution: &BlockFrequencies, frequencies: &BlockFrequencies, input: &FrequencyInput) -> Error {
    let mut error = (Scaled::ZERO, Scaled::ZERO);
    for &block in input.graph.tree().preorder() {
        let (right, found) = (solution.scaled(block), frequencies.scaled(block));
        let off = right.abs_difference(found) / right;
        error = (error.0.max(off), error.1 + off);
    }
    error
}
