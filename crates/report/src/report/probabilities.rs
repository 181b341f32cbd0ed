//! The out that `print<branch-prob>` prints.

use std::fmt;

use super::write;
use crate::bpi::Probability;
use crate::cfg::{table, Block};
use crate::profile::Profile;

/// What the out begins with.
pub(super) const HEADING: &[u8] = b"---- Branch Probabilities ----\n";

/// Appends the probabilities of every edge to `out`, blocks in layout order.
///
/// `write_name` appends the name of a block. Parallel edges are listed each, with the probability of going
/// from block to block by any of them.
///
/// LLVM: `BranchProbabilityInfo::print`.
pub fn write_probabilities(profile: &Profile, write_name: impl Fn(Block, &mut Vec<u8>), out: &mut Vec<u8>) {
    out.extend_from_slice(HEADING);
    let (graph, result) = (profile.graph(), profile.branch_probabilities());
    let mut totals = table(graph.block_count(), 0);
    for block in graph.blocks() {
        result.for_each_target(graph, block, &mut totals, |target, probability| {
            write_edge(block, target, probability, &write_name, out);
        });
    }
}

/// Appends the line of one edge.
///
/// LLVM: `BranchProbabilityInfo::printEdgeProbability`.
pub(super) fn write_edge(
    source: Block,
    target: Block,
    probability: Probability,
    write_name: &impl Fn(Block, &mut Vec<u8>),
    out: &mut Vec<u8>,
) {
    out.extend_from_slice(b"  edge ");
    write_name(source, out);
    out.extend_from_slice(b" -> ");
    write_name(target, out);
    write_probability(probability, out);
}

/// LLVM: `BranchProbability::print`.
fn write_probability(probability: Probability, out: &mut Vec<u8>) {
    let hot = if probability > Probability::HOT { " [HOT edge]" } else { "" };
    write(out, format_args!(" probability is {probability}{hot}\n"));
}

impl fmt::Display for Probability {
    /// As LLVM prints it: `0x50000000 / 0x80000000 = 62.50%`.
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let (numerator, denominator) = (self.numerator(), Probability::DENOMINATOR);
        write!(out, "0x{numerator:08x} / 0x{denominator:08x} = {:.2}%", percentage(*self))
    }
}

/// The percentage that LLVM prints, rounded to two digits with halves to even.
///
/// LLVM computes it in this order of floating point operations, and the order shows in the last digit.
///
/// LLVM: `BranchProbability::print`.
pub(super) fn percentage(probability: Probability) -> f64 {
    (probability.to_f64() * 100.0 * 100.0).round_ties_even() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_rounded_once_with_halves_to_even() {
        let printed = |numerator| format!("{:.2}", percentage(Probability::from_numerator(numerator)));
        assert_eq!(printed(Probability::ratio(124, 128).numerator()), "96.88"); // 96.875
        assert_eq!(printed(Probability::ratio(4, 128).numerator()), "3.12"); // 3.125
        assert_eq!(printed(Probability::ratio(1, 3).numerator()), "33.33");
        assert_eq!(printed(Probability::DENOMINATOR), "100.00");
    }
}
