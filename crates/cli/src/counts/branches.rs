//! The execution counts of branches and edges in a measured profile.
//!
//! # Why the counts are exact
//!
//! The plugin analyses each module right after LLVM reads the profile, before any pass changes the control flow. In
//! this module, each branch weight is `count / scale`. The count is a counter, or a sum or difference of counters:
//!
//! - For a front-end profile, the pass `rust-source-branches` of the plugin computes the counts from the counters.
//! - For an IR profile, the pass `pgo-instr-use` computes the counts.
//!
//! `scale` is 1 if all counts of the branch fit into 32 bits. The number of executions of a branch is the sum of the
//! counts of its edges. This sum can exceed the largest counter of the profile. For example, the condition of a loop
//! runs once for each iteration and once for each exit from the loop. The profile has separate counters for iterations
//! and exits.
//!
//! Three kinds of counts are approximate, and have `is_approximate` set:
//!
//! - Counts of 2^32 or more: LLVM has divided these counts by `scale`, so the low digits of the counts are unknown.
//! - Samples: a sample profile contains the number of samples on an edge, not the number of executions of the edge.
//! - Counts of a `.ll` or `.bc` input: passes may have changed the module after it was profiled. The number of
//!   executions is the entry count of the function times the frequency of the block.

use crate::base::graph::successor_places;
use bpa_schema::{ScoredBranch, WHOLE};

/// What the numbers in a module's branch weights mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weights {
    /// Each weight is a count. `largest` is the largest counter of the profile.
    Counts { largest: Option<u64> },
    /// Each weight is a number of samples.
    Samples,
    /// Weights are meaningful only relative to each other.
    #[default]
    Relative,
}

/// The profiled counts of a branch, and the static prediction of this branch.
#[derive(Clone, Debug, PartialEq)]
pub struct BranchCounts {
    /// The distinct successor blocks. If several edges lead to a block, the list contains the block once.
    successors: Vec<SuccessorCount>,
    /// The execution count of each edge, in the order of `scored.edges`.
    edges: Vec<u64>,
    /// True if the counts can differ from the exact numbers of executions.
    pub is_approximate: bool,
}

/// A successor of a branch. If several edges lead to the successor, their probabilities and counts are added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SuccessorCount {
    pub to: usize,
    /// The predicted probability.
    pub predicted: f64,
    pub count: u64,
}

impl BranchCounts {
    /// Returns `None` if the branch never ran, or if no profile covers it.
    pub fn new(scored: &ScoredBranch, weights: Weights) -> Option<Self> {
        let edges = scored.edges.iter().map(|edge| edge.true_weight.map(u64::from));
        let counts: Vec<u64> = edges.collect::<Option<_>>()?;
        let total: u64 = counts.iter().sum();
        let by_frequency = scored.executions.0;
        if total == 0 {
            return None;
        }
        let (numerator, denominator, is_approximate) = match weights {
            Weights::Counts { largest } => {
                let (scale, is_scaled) = scale(&counts, by_frequency, largest);
                (scale, 1, is_scaled)
            }
            Weights::Samples => (1, 1, true),
            Weights::Relative if by_frequency == 0 => return None,
            Weights::Relative => (by_frequency, total, true),
        };
        let scaled = |count: u64| {
            let product = u128::from(count) * u128::from(numerator) + u128::from(denominator) / 2;
            u64::try_from(product / u128::from(denominator)).unwrap_or(u64::MAX)
        };
        let mut successors: Vec<SuccessorCount> = Vec::new();
        let edges: Vec<u64> = counts.into_iter().map(scaled).collect();
        let places = successor_places(scored.edges.iter().map(|edge| edge.to));
        for ((edge, &count), place) in scored.edges.iter().zip(&edges).zip(places) {
            let predicted = f64::from(edge.numerator) / f64::from(WHOLE);
            match successors.get_mut(place) {
                Some(one) => {
                    one.predicted += predicted;
                    one.count = one.count.saturating_add(count);
                }
                None => successors.push(SuccessorCount { to: edge.to, predicted, count }),
            }
        }
        Some(BranchCounts { successors, edges, is_approximate })
    }

    /// The number of executions of the branch.
    pub fn executions(&self) -> u64 {
        self.successors.iter().fold(0, |sum, one| sum.saturating_add(one.count))
    }

    /// The execution count of each edge, in the order of the block's successors.
    pub fn edges(&self) -> &[u64] {
        &self.edges
    }

    pub fn successors(&self) -> &[SuccessorCount] {
        &self.successors
    }

    /// The predicted and the profiled probability of the edges to block `to`.
    pub fn shares(&self, to: usize) -> Option<[f64; 2]> {
        let one = self.successors.iter().find(|one| one.to == to)?;
        Some([one.predicted, one.count as f64 / self.executions() as f64])
    }

    /// The number of executions that continue at the successor with the highest predicted probability. If several
    /// successors have the highest probability, returns the mean of their counts.
    pub fn hits(&self) -> f64 {
        bpa_schema::hits(self.successors.iter().map(|one| (one.predicted, one.count as f64)))
    }

    /// The largest count of a successor. No static prediction of the branch can have more hits than this count.
    pub fn most_hits(&self) -> u64 {
        self.successors.iter().map(|one| one.count).max().unwrap_or(0)
    }

    /// The number of misses that the best static prediction would avoid.
    pub fn avoidable_misses(&self) -> f64 {
        self.most_hits() as f64 - self.hits()
    }
}

/// Returns the divisor by which LLVM has divided the counts of a branch. The second result is true if the divisor is
/// more than 1. `largest` is the largest counter of the profile.
///
/// If a count does not fit into 32 bits, LLVM divides all counts of the branch by the smallest sufficient divisor.
/// Therefore, if LLVM has divided the counts of a branch, the largest weight of the branch is at least 2^31 - 1. If the
/// largest weight is at least 2^31 - 1, this function computes the divisor from `by_frequency`, the number of
/// executions according to the block frequency. The function divides `by_frequency` by the sum of the weights, and
/// rounds the quotient. The error of this quotient is far below 1/2, so rounding gives the exact divisor. No edge has a
/// larger count than `largest`.
fn scale(weights: &[u64], by_frequency: u64, largest: Option<u64>) -> (u64, bool) {
    let heaviest = weights.iter().copied().max().unwrap_or(0);
    if heaviest < (1 << 31) - 1 {
        return (1, false);
    }
    let sum: u64 = weights.iter().sum();
    let scale = (by_frequency.saturating_add(sum / 2) / sum).max(1);
    let most = largest.map_or(u64::MAX, |largest| largest / heaviest).max(1);
    (scale.min(most), scale > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXACT: Weights = Weights::Counts { largest: Some(1_000_000) };

    fn counts(edges: &[(usize, u32, u32)], executions: u64, weights: Weights) -> Option<BranchCounts> {
        let edge = |(to, numerator, weight): &(usize, u32, u32)| {
            format!(r#"{{"to":{to},"numerator":{numerator},"weight":1,"true_weight":{weight}}}"#)
        };
        let edges: Vec<String> = edges.iter().map(edge).collect();
        let place = r#""module":"m","function":"f","local":false,"block":"%b","number":0,"kind":"two-way""#;
        let (head, edges) = (r#""format":3,"llvm":22,"predictor":"llvm""#, edges.join(","));
        let text =
            format!(r#"{{{head},{place},"executions":"{executions}","rule":"even","edges":[{edges}]}}"#);
        BranchCounts::new(&serde_json::from_str(&text).expect("a branch"), weights)
    }

    #[test]
    fn avoidable_misses_are_the_difference_to_the_best_prediction() {
        let wrong = counts(&[(1, 15 << 27, 10), (2, 1 << 27, 90)], 7, EXACT).expect("it ran");
        assert_eq!((wrong.executions(), wrong.avoidable_misses()), (100, 80.0));
        assert_eq!(wrong.shares(2), Some([0.0625, 0.9]));
        let even = counts(&[(1, 1 << 30, 10), (2, 1 << 30, 90)], 7, EXACT).expect("it ran");
        assert_eq!(even.avoidable_misses(), 40.0);
    }

    #[test]
    fn exact_counts_ignore_frequencies() {
        let exact = counts(&[(1, 0, 9_999), (2, 0, 849_637)], 859_552, EXACT).expect("it ran");
        assert_eq!((exact.executions(), exact.is_approximate), (859_636, false));
        let unreached = counts(&[(1, 0, 1), (2, 0, 0)], 0, EXACT).expect("it ran");
        assert_eq!(unreached.executions(), 1);
    }

    #[test]
    fn counts_of_optimised_code_are_estimates() {
        let estimated = counts(&[(1, 0, 1), (2, 0, 3)], 100, Weights::Relative).expect("it ran");
        assert_eq!((estimated.edges(), estimated.is_approximate), (&[25u64, 75][..], true));
        assert_eq!(counts(&[(1, 0, 1), (2, 0, 3)], 0, Weights::Relative), None);
    }

    #[test]
    fn edges_to_one_block_are_one_successor() {
        let switch = counts(&[(1, 4, 10), (2, 4, 20), (1, 4, 30)], 0, EXACT).expect("it ran");
        let to: Vec<_> = switch.successors().iter().map(|one| (one.to, one.count)).collect();
        assert_eq!(to, [(1, 40), (2, 20)]);
    }

    #[test]
    fn a_branch_that_never_ran_has_no_counts() {
        assert_eq!(counts(&[(1, 0, 0), (2, 0, 0)], 0, EXACT), None);
    }

    #[test]
    fn counts_beyond_32_bits_are_restored_from_the_frequency() {
        let largest = 9_000_000_000;
        // LLVM divides all counts of the branch by 3, because 9e9 does not fit into 32 bits.
        let scaled = counts(
            &[(1, 0, 3_000_000_000), (2, 0, 1)],
            9_000_000_010,
            Weights::Counts { largest: Some(largest) },
        );
        let scaled = scaled.expect("it ran");
        assert_eq!((scaled.edges()[0], scaled.is_approximate), (9_000_000_000, true));
        let unscaled = counts(
            &[(1, 0, 3_000_000_000), (2, 0, 1)],
            3_000_000_009,
            Weights::Counts { largest: Some(largest) },
        );
        assert!(!unscaled.expect("it ran").is_approximate);
        // No edge has a larger count than the largest counter.
        let bounded = counts(
            &[(1, 0, 4_000_000_000), (2, 0, 1)],
            90_000_000_000,
            Weights::Counts { largest: Some(largest) },
        );
        assert_eq!(bounded.expect("it ran").edges()[0], 8_000_000_000);
    }
}
