//! The page that `print<branch-prob>` prints.

use super::write;
use crate::bpi::{BranchProbabilities, Probability};
use crate::cfg::{table, Block, Graph};

/// What the page begins with.
pub(super) const PAGE_START: &[u8] = b"---- Branch Probabilities ----\n";

/// Appends the probabilities of every edge to `page`, blocks in layout order.
///
/// `write_name` appends the name of a block. Parallel edges are listed each, with the probability of going
/// from block to block by any of them.
pub fn write_probabilities(
    graph: &Graph,
    result: &BranchProbabilities,
    write_name: impl Fn(Block, &mut Vec<u8>),
    page: &mut Vec<u8>,
) {
    page.extend_from_slice(PAGE_START);
    let mut totals = table(graph.block_count(), 0);
    for block in graph.blocks() {
        result.for_each_target(graph, block, &mut totals, |target, probability| {
            write_edge(block, target, probability, &write_name, page);
        });
    }
}

/// Appends the line of one edge.
pub(super) fn write_edge(
    source: Block,
    target: Block,
    probability: Probability,
    write_name: &impl Fn(Block, &mut Vec<u8>),
    page: &mut Vec<u8>,
) {
    page.extend_from_slice(b"  edge ");
    write_name(source, page);
    page.extend_from_slice(b" -> ");
    write_name(target, page);
    write_probability(probability, page);
}

fn write_probability(probability: Probability, page: &mut Vec<u8>) {
    let hot = if probability > Probability::HOT { " [HOT edge]" } else { "" };
    write(
        page,
        format_args!(
            " probability is 0x{:08x} / 0x{:08x} = {:.2}%{hot}\n",
            probability.numerator(),
            Probability::DENOMINATOR,
            percentage(probability),
        ),
    );
}

/// The percentage that LLVM prints, rounded to two digits with halves to even.
///
/// LLVM computes it in this order of floating point operations, and the order shows in the last digit.
pub(super) fn percentage(probability: Probability) -> f64 {
    let share = f64::from(probability.numerator()) / f64::from(Probability::DENOMINATOR);
    (share * 100.0 * 100.0).round_ties_even() / 100.0
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
