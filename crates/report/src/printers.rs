//! The output of `print<branch-prob>` and `print<block-freq>`, of `print<rust-bias>` in the same style, and the lines in
//! which two outputs differ.

use bpa_profile::bpi::Probability;
use bpa_profile::cfg::{table, Block};
use bpa_profile::profile::Profile;

use super::WriteText;

/// Appends the frequency of every block to `out`, in layout order.
///
/// If the function has a profiled entry count, lines include counts. A synthetic entry count is not used.
///
/// LLVM: `BlockFrequencyInfoImpl::print`.
pub fn write_frequencies(
    function: &[u8],
    profile: &Profile,
    write_name: impl Fn(Block, &mut Vec<u8>),
    out: &mut Vec<u8>,
) {
    write_title(function, out);
    for block in profile.graph().blocks() {
        write_block(block, profile, &write_name, out);
    }
    out.push(b'\n');
}

/// Appends the title line, which precedes the lines of the blocks.
pub(super) fn write_title(function: &[u8], out: &mut Vec<u8>) {
    out.extend([b"block-frequency-info: ", function, b"\n"].concat());
}

/// Appends the line about one block.
///
/// LLVM: `BlockFrequencyInfoImpl::print`.
pub(super) fn write_block(
    block: Block,
    profile: &Profile,
    write_name: &impl Fn(Block, &mut Vec<u8>),
    out: &mut Vec<u8>,
) {
    out.extend_from_slice(b" - ");
    write_name(block, out);
    write!(out, ": {}", profile.block_frequencies().text(block));
    if let Some(count) = profile.count(block) {
        write!(out, ", count = {count}");
    }
    if let Some(weight) = profile.facts().header_weight(block) {
        write!(out, ", irr_loop_header_weight = {weight}");
    }
    out.push(b'\n');
}

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

/// Appends the bias of every block to `out`, in layout order.
pub fn write_biases(
    function: &[u8],
    profile: &Profile,
    write_name: impl Fn(Block, &mut Vec<u8>),
    out: &mut Vec<u8>,
) {
    out.extend([b"block-bias-info: ", function, b"\n"].concat());
    for block in profile.graph().blocks() {
        out.extend_from_slice(b" - ");
        write_name(block, out);
        writeln!(out, ": {}", profile.biases().of(block));
    }
    out.push(b'\n');
}

/// Appends the first line of the reports, and then the lines in which the reports differ. The first line contains the
/// name of the function. If the reports are equal, nothing is appended. Lines of `one` have the prefix `-`. Lines of
/// `other` have the prefix `+`.
///
/// Both reports must have the same number of lines.
pub fn write_difference(one: &[u8], other: &[u8], out: &mut Vec<u8>) {
    if one == other {
        return;
    }
    let lines = |text| <[u8]>::split_inclusive(text, |&byte| byte == b'\n');
    out.extend(lines(one).next().unwrap_or_default());
    for (mine, theirs) in lines(one).zip(lines(other)) {
        if mine != theirs {
            for (sign, line) in [(b'-', mine), (b'+', theirs)] {
                out.push(sign);
                out.extend_from_slice(line);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(one: &str, other: &str) -> String {
        let mut out = Vec::new();
        write_difference(one.as_bytes(), other.as_bytes(), &mut out);
        String::from_utf8(out).expect("made of strings")
    }

    #[test]
    fn equal_reports_have_no_difference() {
        assert_eq!(difference("f:\n  a\n", "f:\n  a\n"), "");
    }

    #[test]
    fn differing_lines_come_in_pairs_below_the_first_line() {
        assert_eq!(difference("f:\n  a\n  b\n  c\n", "f:\n  a\n  B\n  c\n"), "f:\n-  b\n+  B\n");
    }
}
