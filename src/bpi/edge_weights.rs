//! From estimated block weights to the weights of one block's edges.

use super::cycles::Cycles;
use super::estimate::{weight, EstimatedWeights};
use crate::cfg::Block;

/// How many times a loop turns for each time it is left: 124 to 4.
const TRIP_COUNT: u32 = 124 / 4;

/// Puts the weights of the edges of `block` into `weights`; false if no estimate says anything about them.
///
/// `self_defeating` tells of each successor of a two-way branch whether going there makes the condition
/// false next time.
pub(super) fn weigh_edges(
    block: Block,
    cycles: &Cycles,
    estimated: &EstimatedWeights,
    self_defeating: [bool; 2],
    weights: &mut [u32],
) -> bool {
    let source = cycles.of(block);
    let mut any_known = false;
    for (place, &target) in cycles.graph.successors(block).iter().enumerate() {
        let mut known = estimated.of_edge(cycles, source, target);
        if cycles.exits(source, cycles.of(target)) {
            known = divided(known, TRIP_COUNT);
        }
        if self_defeating.get(place) == Some(&true) {
            known = divided(known, 2);
        }
        any_known |= known.is_some();
        weights[place] = known.unwrap_or(weight::DEFAULT);
    }
    any_known && fit_into_32_bits(weights)
}

/// A weight divided, the default weight if there is none. Zero stays zero and nothing else becomes it.
fn divided(known: Option<u32>, divisor: u32) -> Option<u32> {
    match known {
        Some(weight::ZERO) => known,
        _ => Some((known.unwrap_or(weight::DEFAULT) / divisor).max(weight::LOWEST)),
    }
}

/// Scales the weights so that their sum fits into 32 bits, no weight below 1; false if the sum is zero.
fn fit_into_32_bits(weights: &mut [u32]) -> bool {
    let total: u64 = weights.iter().map(|&w| u64::from(w)).sum();
    if total > u64::from(u32::MAX) {
        let factor = total / u64::from(u32::MAX) + 1;
        for weight in weights {
            *weight = ((u64::from(*weight) / factor) as u32).max(weight::LOWEST);
        }
    }
    total != 0
}
