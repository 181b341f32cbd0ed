//! The output of `print<branch-prob>`.

use super::WriteText;
use bpa_profile::bpi::Probability;
use bpa_profile::cfg::{table, Block};
use bpa_profile::profile::Profile;

/// The first line of the output.
pub(super) const HEADING: &[u8] = b"---- Branch Probabilities ----\n";

/// Appends to `out` the probability of every edge. The edges are sorted by source block in layout order.
///
/// `write_name` appends the name of a block. Each parallel edge has its own line, which contains the sum of the
/// probabilities of all parallel edges.
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

/// Appends the line about one edge.
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
    writeln!(out, " probability is {probability}{hot}");
}
