//! Probabilities from `branch_weights` metadata.
//!
//! Weights are believed, with one exception: an edge into a block that never completes is capped at 2^-31, and
//! what that frees goes to the other edges in proportion.

use super::Probability;

/// The cap for an edge to a block that ends in `unreachable`.
const UNREACHABLE: Probability = Probability::from_numerator(1);

/// Turns the `weights` of one block's edges into probabilities.
///
/// `is_unreachable` tells of each edge whether it leads to a block that never completes.
pub(super) fn probabilities(weights: &[u32], is_unreachable: &[bool], out: &mut [Probability]) {
    let all_unreachable = is_unreachable.iter().all(|&u| u);
    share_by_weight(weights, all_unreachable, out);
    if !all_unreachable && is_unreachable.contains(&true) {
        cap_unreachable(is_unreachable, out);
    }
}

/// Each edge's share of the sum of weights, scaled down where that exceeds 32 bits; even shares where there is
/// nothing to go by.
fn share_by_weight(weights: &[u32], disregard: bool, out: &mut [Probability]) {
    let limit = u64::from(u32::MAX);
    let sum: u64 = weights.iter().map(|&w| u64::from(w)).sum();
    let factor = if sum > limit { sum / limit + 1 } else { 1 };
    let scaled = |weight: u32| (u64::from(weight) / factor) as u32;
    // Rounding down shrinks the sum as well: add up again what is left.
    let total: u32 = weights.iter().map(|&w| scaled(w)).sum();
    for (probability, &weight) in out.iter_mut().zip(weights) {
        *probability = if total == 0 || disregard {
            Probability::ratio(1, weights.len() as u32)
        } else {
            Probability::ratio(scaled(weight), total)
        };
    }
}

/// Caps the unreachable edges, of which there are some but not all, and shares out what that frees.
fn cap_unreachable(is_unreachable: &[bool], out: &mut [Probability]) {
    let mut unreachable = Probability::ZERO;
    let mut reachable_before = Probability::ZERO;
    let mut reachable_count = 0;
    for (probability, &capped) in out.iter_mut().zip(is_unreachable) {
        if capped {
            *probability = (*probability).min(UNREACHABLE);
            unreachable = unreachable + *probability;
        } else {
            reachable_before = reachable_before + *probability;
            reachable_count += 1;
        }
    }
    let reachable_after = Probability::ONE - unreachable;
    if reachable_before == reachable_after {
        return;
    }
    for (probability, _) in out.iter_mut().zip(is_unreachable).filter(|(_, &capped)| !capped) {
        *probability = if reachable_before.is_zero() {
            reachable_after.shared_by(reachable_count)
        } else {
            // One multiplication and one division, rounded once.
            let product = u64::from(reachable_after.numerator()) * u64::from(probability.numerator());
            let divisor = u64::from(reachable_before.numerator());
            Probability::from_numerator(((product + divisor / 2) / divisor) as u32)
        };
    }
}
