//! Weights for the headers of irreducible loops. With these weights, LLVM's algorithm approximates the exact
//! solution.
//!
//! LLVM splits the mass of an irreducible loop among its headers, evenly or by the weights of `irr_loop` metadata. LLVM
//! computes all other numbers of the loop from these header masses. If the header masses are exact, the other numbers
//! are exact too. From version 24 on, LLVM splits the mass among all nodes of the loop, and any node can have a weight.

use cranelift_entity::PrimaryMap;

use super::nest::{LoopNest, NestedLoop};
use super::{BlockFrequencies, FrequencyAnalysis, FrequencyInput, Scaled};
use crate::cfg::{table, Block};
use crate::dialect::IrreducibleMass;
use crate::facts;

/// The sum of the weights of a loop's headers, before rounding. The sum fits in 32 bits, so LLVM does not scale the
/// weights down.
const TOTAL_OF_HEADERS: Scaled = Scaled::new(1, 31);

/// The sum of the weights of a loop's nodes. The sum fits in a signed 64-bit integer.
const TOTAL_OF_NODES: Scaled = Scaled::new(1, 62);

/// Relative errors of frequencies.
struct Error {
    /// The greatest error.
    worst: Scaled,
    /// The sum of all errors.
    sum: Scaled,
    /// The greatest error of the frequencies after LLVM's printer has rounded them.
    worst_printed: Scaled,
}

impl FrequencyAnalysis {
    /// Computes header weights that bring LLVM's frequencies nearer to [`compute_exact`](Self::compute_exact). The
    /// result is a list of blocks with their weights, sorted by block. If the LLVM version reads weights of all nodes
    /// of an irreducible loop, all these nodes get weights. Otherwise only the headers of irreducible loops get
    /// weights.
    ///
    /// The result is empty unless the weights satisfy two conditions. The first condition: the weights reduce the
    /// greatest error of the frequencies. If the greatest error stays the same, the weights must reduce the sum of all
    /// errors. The second condition: the weights do not increase the greatest error of the printed frequencies.
    ///
    /// If `overwrite` is false, the existing weights of loops do not change.
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

    /// Computes the weights of headers or nodes in the function that was solved last. The weight of each header
    /// or node is proportional to the flow into this header or node.
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

    /// The share of each header in the flow into all headers of its loop. The result contains only the headers of loops
    /// that need weights.
    fn shares_of_headers(
        &self,
        nest: &LoopNest,
        is_open: impl Fn(NestedLoop) -> bool,
    ) -> Vec<(Block, Scaled)> {
        let mut shares = Vec::new();
        for nested in nest.loops().filter(|&nested| is_open(nested)) {
            // If a header represents an inner loop, only the flow that enters the inner loop counts.
            let arrived = |&header: &Block| self.exact.arrived(header);
            let headers = nest.headers(nested);
            let sum = headers.iter().map(arrived).reduce(|sum, one| sum + one).expect("several headers");
            shares.extend(headers.iter().map(|header| (*header, (arrived(header) / sum).to_scaled())));
        }
        shares
    }
}

/// The share of each node in the flow into all nodes of its loop. The result contains only the nodes of loops that need
/// weights. The nodes are the blocks and the headers of inner loops.
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
