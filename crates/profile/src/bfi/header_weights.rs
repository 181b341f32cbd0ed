//! Weights for the headers of irreducible loops, by which LLVM's own scheme comes near the solution.
//!
//! LLVM shares out each turn of such a loop among its headers, by guess or by the weights of `irr_loop` metadata, and
//! works out everything else from that. If each header has its true share, so has everything else. From 24 on it shares
//! each turn among all nodes of the loop, and takes weights of any.

use cranelift_entity::PrimaryMap;

use super::nest::{LoopNest, NestedLoop};
use super::{BlockFrequencies, FrequencyAnalysis, FrequencyInput, Scaled};
use crate::cfg::{table, Block};
use crate::dialect::IrreducibleMass;
use crate::facts;

/// What the weights of a loop's headers add up to, but for rounding: more would be cut off by LLVM.
const TOTAL_OF_HEADERS: Scaled = Scaled::new(1, 31);

/// The same of a loop's nodes, as numbers of 64 bits with a sign have them to spare.
const TOTAL_OF_NODES: Scaled = Scaled::new(1, 62);

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
    /// The weights for headers of irreducible loops, or all their nodes where LLVM reads those, with which its frequencies
    /// come nearer to those of [`compute_exact`](Self::compute_exact), by block, ascending. Empty if the block that is off
    /// most would not be off less, or as much and the others less; or if, of the few digits that LLVM prints, the worst
    /// would be off more.
    ///
    /// Loops with weights keep them, unless `overwrite`.
    pub fn plan_header_weights(&mut self, input: &FrequencyInput, overwrite: bool) -> Vec<(Block, u64)> {
        if input.graph.loops().is_reducible() {
            return Vec::new();
        }
        let nest = self.compute_nest(input);
        let solution = self.compute_exact(input);
        let fresh = self.fresh_weights(&nest, &solution, input, overwrite);
        let mut weights = fresh.clone();
        let is_kept = |&&(block, _): &&(Block, u64)| facts::header_weight(&fresh, block).is_none();
        weights.extend(input.header_weights.iter().filter(is_kept));
        weights.sort_unstable();
        let before = self.compute(input);
        let after = self.compute(&input.with_header_weights(&weights));
        let [before, after] = [before, after].map(|found| Error::of(&found, &solution, input));
        match (after.worst, after.sum) < (before.worst, before.sum)
            && after.worst_printed <= before.worst_printed
        {
            true => fresh,
            false => Vec::new(),
        }
    }

    /// Weights in proportion to what comes to each header or node, in the function that was solved last.
    fn fresh_weights(
        &self,
        nest: &LoopNest,
        solution: &BlockFrequencies,
        input: &FrequencyInput,
        overwrite: bool,
    ) -> Vec<(Block, u64)> {
        let is_open = |nested| nest.is_irreducible(nested) && (overwrite || !nest.has_weights(nested));
        let (shares, total) = match input.irreducible {
            IrreducibleMass::ByHeaders => (self.shares_of_headers(nest, is_open), TOTAL_OF_HEADERS),
            IrreducibleMass::ByNodes => (shares_of_nodes(nest, solution, input, is_open), TOTAL_OF_NODES),
        };
        let weight = |share: Scaled| (share * total).to_nearest_u64().max(1);
        let mut weights: Vec<_> = shares.into_iter().map(|(block, share)| (block, weight(share))).collect();
        weights.sort_unstable();
        weights
    }

    /// What part each header has of what comes to all headers of its loop, of those that are open.
    fn shares_of_headers(
        &self,
        nest: &LoopNest,
        is_open: impl Fn(NestedLoop) -> bool,
    ) -> Vec<(Block, Scaled)> {
        let mut shares = Vec::new();
        for nested in nest.loops().filter(|&nested| is_open(nested)) {
            // A header may stand for a loop inside, which LLVM gives what enters it.
            let arrived = |&header: &Block| self.exact.arrived(header);
            let headers = nest.headers(nested);
            let sum = headers.iter().map(arrived).reduce(|sum, one| sum + one).expect("several headers");
            shares.extend(headers.iter().map(|header| (*header, (arrived(header) / sum).to_scaled())));
        }
        shares
    }
}

/// What part each node has of what comes to all nodes of its loop, of those that are open: to its blocks, and to loops
/// inside, each of which its header stands for.
fn shares_of_nodes(
    nest: &LoopNest,
    solution: &BlockFrequencies,
    input: &FrequencyInput,
    is_open: impl Fn(NestedLoop) -> bool,
) -> Vec<(Block, Scaled)> {
    let runs = nest.clone().with_frequencies(input.graph, input.probabilities, solution);
    let blocks = input.graph.blocks().map(|block| (nest.innermost(block), block, solution.scaled(block)));
    let inside =
        nest.loops().map(|inside| (nest.parent(inside), nest.headers(inside)[0], runs.entries(inside)));
    let nodes = blocks.chain(inside).filter_map(|(around, node, runs)| Some((around?, node, runs)));
    let nodes: Vec<(NestedLoop, Block, Scaled)> = nodes.filter(|&(around, ..)| is_open(around)).collect();
    let mut sums: PrimaryMap<NestedLoop, Scaled> = table(nest.loops().len(), Scaled::ZERO);
    nodes.iter().for_each(|&(around, _, runs)| sums[around] = sums[around] + runs);
    nodes.into_iter().map(|(around, node, runs)| (node, runs / sums[around])).collect()
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
