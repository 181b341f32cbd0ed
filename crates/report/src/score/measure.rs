//! Measures how predictions differ from the profile, and adds up these measures over branches.

use crate::compared::{Branch, ComparedSuccessor};
use bpa_profile::bpi::Probability;

/// Numbers that compare the prediction of one branch with its profile. All numbers except `divergence` are in the range
/// from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Measure {
    /// The fraction of the executions that continued at the likeliest successor. If several successors are equally
    /// likely, the value is the mean over these successors.
    pub hits: f64,
    /// The fraction of the executions that continued at the most frequent successor. This fraction is the upper bound
    /// of `hits`.
    pub perfect: f64,
    /// The predicted probability of the likeliest successor.
    pub predicted: f64,
    /// The fraction of the executions that continued at the likeliest successor. If several successors are equally
    /// likely, the value is the fraction for the first of these successors.
    pub truth: f64,
    /// The divergence of the prediction from the profile (Solomon Kullback and Richard Leibler, "On information and
    /// sufficiency", 1951). The unit is bits per execution. The optimal code for the prediction needs more bits per
    /// execution than the optimal code for the profile. The divergence is the difference.
    pub divergence: f64,
}

/// The minimum distance of predicted probabilities from 0 and 1. Without this limit, one execution of a successor with
/// the predicted probability 0 would make the divergence infinite.
const LEAST: f64 = 1.0 / (1 << 20) as f64;

impl Measure {
    /// Compares the prediction of an executed branch with its profile.
    pub(crate) fn of(branch: &Branch) -> Self {
        let total: f64 = branch.successors.iter().map(|successor| successor.truth as f64).sum();
        let share = |successor: &ComparedSuccessor| successor.truth as f64 / total;
        let highest =
            branch.successors.iter().map(|successor| successor.predicted).max().unwrap_or(Probability::ZERO);
        let likeliest = || branch.successors.iter().filter(|successor| successor.predicted == highest);
        let divergence = |successor: &ComparedSuccessor| {
            let predicted = successor.predicted.to_f64().clamp(LEAST, 1.0 - LEAST);
            match successor.truth {
                0 => 0.0,
                _ => share(successor) * (share(successor) / predicted).log2(),
            }
        };
        Measure {
            hits: bpa_schema::hits(branch.successors.iter().map(|one| (one.predicted.to_f64(), share(one)))),
            perfect: branch.successors.iter().map(share).fold(0.0, f64::max),
            predicted: highest.to_f64(),
            truth: likeliest().next().map_or(0.0, share),
            divergence: branch.successors.iter().map(divergence).sum(),
        }
    }
}

impl Measure {
    /// Applies `operation` to each measure of `self` and the same measure of `other`.
    fn combine(self, other: Measure, operation: impl Fn(f64, f64) -> f64) -> Self {
        Measure {
            hits: operation(self.hits, other.hits),
            perfect: operation(self.perfect, other.perfect),
            predicted: operation(self.predicted, other.predicted),
            truth: operation(self.truth, other.truth),
            divergence: operation(self.divergence, other.divergence),
        }
    }
}

/// Sums of measures over branches, weighted by executions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tally {
    pub branches: u64,
    pub executions: f64,
    sums: Measure,
}

impl Tally {
    pub(crate) fn add(&mut self, executions: u64, measure: &Measure) {
        let executions = executions as f64;
        self.branches += 1;
        self.executions += executions;
        self.sums = self.sums.combine(*measure, |sum, measure| sum + executions * measure);
    }

    /// The sum of two tallies.
    pub(crate) fn and(self, other: Tally) -> Tally {
        Tally {
            branches: self.branches + other.branches,
            executions: self.executions + other.executions,
            sums: self.sums.combine(other.sums, |one, other| one + other),
        }
    }

    /// The mean of each measure over all executions.
    pub(crate) fn mean(&self) -> Measure {
        match self.executions > 0.0 {
            true => self.sums.combine(self.sums, |sum, _| sum / self.executions),
            false => Measure::default(),
        }
    }

    /// The number of mispredictions that the best fixed prediction of each branch would avoid.
    pub(crate) fn avoidable(&self) -> f64 {
        self.sums.perfect - self.sums.hits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compared::BranchKind;
    use bpa_profile::bpi::Rule;
    use bpa_profile::cfg::Block;

    /// Creates a branch. Each item of `successors` is a pair: the numerator of the successor's predicted probability,
    /// and the successor's profiled weight.
    fn branch(successors: &[(u32, u64)]) -> Branch {
        let successor = |(place, &(numerator, truth)): (usize, &(u32, u64))| ComparedSuccessor {
            target: Block::from_u32(place as u32),
            predicted: Probability::from_numerator(numerator),
            truth,
        };
        let successors = successors.iter().enumerate().map(successor).collect();
        Branch {
            block: Block::from_u32(0),
            kind: BranchKind::TwoWay,
            rule: Rule::Even,
            executions: 8,
            successors,
        }
    }

    const QUARTER: u32 = 1 << 29;

    /// The predicted probabilities are 3/4 and 1/4, and the profiled probabilities are 1/8 and 7/8. The divergence is
    /// 1/8 log2(1/6) + 7/8 log2(7/2) = -0.32312 + 1.58144.
    #[test]
    fn a_wrong_prediction() {
        let measure = Measure::of(&branch(&[(3 * QUARTER, 1), (QUARTER, 7)]));
        assert_eq!((measure.hits, measure.perfect), (0.125, 0.875));
        assert_eq!((measure.predicted, measure.truth), (0.75, 0.125));
        assert!((measure.divergence - 1.258_315).abs() < 1e-6, "{}", measure.divergence);
    }

    #[test]
    fn even_predictions_of_n_successors_hit_one_nth() {
        let measure = Measure::of(&branch(&[(2 * QUARTER, 1), (2 * QUARTER, 3)]));
        assert_eq!((measure.hits, measure.perfect, measure.truth), (0.5, 0.75, 0.25));
        let third = (1 << 31) / 3;
        let measure = Measure::of(&branch(&[(third, 3), (third, 0), (third, 0)]));
        assert!((measure.hits - 1.0 / 3.0).abs() < 1e-12);
        assert!((measure.divergence - 3f64.log2()).abs() < 1e-6);
    }

    #[test]
    fn an_exact_prediction_costs_nothing() {
        let measure = Measure::of(&branch(&[(QUARTER, 1), (3 * QUARTER, 3)]));
        assert_eq!((measure.hits, measure.perfect, measure.divergence), (0.75, 0.75, 0.0));
    }

    /// A probability of 0 is increased to 2^-20, so the divergence is 20 bits instead of infinitely many bits.
    #[test]
    fn predictions_of_0_and_1_are_clamped() {
        let measure = Measure::of(&branch(&[(4 * QUARTER, 0), (0, 5)]));
        assert!((measure.divergence - 20.0).abs() < 1e-12, "{}", measure.divergence);
        let measure = Measure::of(&branch(&[(4 * QUARTER, 5), (0, 0)]));
        assert!(measure.divergence > 0.0 && measure.divergence < 2e-6);
    }

    #[test]
    fn branches_are_weighted_by_their_executions() {
        let mut tally = Tally::default();
        for (executions, successors) in
            [(10, [(2 * QUARTER, 1), (2 * QUARTER, 0)]), (30, [(QUARTER, 1), (3 * QUARTER, 1)])]
        {
            tally.add(executions, &Measure::of(&branch(&successors)));
        }
        let mean = tally.mean();
        assert_eq!((tally.branches, tally.executions, tally.avoidable()), (2, 40.0, 5.0));
        assert_eq!((mean.hits, mean.perfect), (0.5, 0.625));
        assert_eq!(Tally::default().mean().hits, 0.0);
    }
}
