//! How far one answer is from the truth, and what that adds up to.

use crate::compared::{Branch, ComparedSuccessor};
use bpa_profile::bpi::Probability;

/// How far the answer to one branch is from the truth. All but the divergence are shares of its executions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Measure {
    /// What went the likeliest way, as the answer has it; of several that are equally likely, their mean.
    pub hits: f64,
    /// What went the way that most went: no static answer hits more.
    pub perfect: f64,
    /// How likely the answer calls the side that it calls likeliest, the first of them.
    pub predicted: f64,
    /// What went to that side.
    pub truth: f64,
    /// The divergence of Solomon Kullback and Richard Leibler, "On information and sufficiency" (1951), of the answer
    /// from the truth: how many bits more each execution takes to tell where the answer is believed.
    pub divergence: f64,
}

/// Answers nearer to never than this count as this, and those nearer to always as far from that: or else a single
/// branch that goes where it was said never to go would outweigh all others.
const LEAST: f64 = 1.0 / (1 << 20) as f64;

impl Measure {
    /// Of a branch that has run.
    pub fn of(branch: &Branch) -> Self {
        let total: f64 = branch.sides.iter().map(|side| side.truth as f64).sum();
        let share = |side: &ComparedSuccessor| side.truth as f64 / total;
        let highest = branch.sides.iter().map(|side| side.answer).max().unwrap_or(Probability::ZERO);
        let likeliest = || branch.sides.iter().filter(|side| side.answer == highest);
        let divergence = |side: &ComparedSuccessor| {
            let answer = side.answer.to_f64().clamp(LEAST, 1.0 - LEAST);
            match side.truth {
                0 => 0.0,
                _ => share(side) * (share(side) / answer).log2(),
            }
        };
        Measure {
            hits: likeliest().map(share).sum::<f64>() / likeliest().count() as f64,
            perfect: branch.sides.iter().map(share).fold(0.0, f64::max),
            predicted: highest.to_f64(),
            truth: likeliest().next().map_or(0.0, share),
            divergence: branch.sides.iter().map(divergence).sum(),
        }
    }
}

/// Measures added up, each as often as its branch ran.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tally {
    pub branches: u64,
    pub executions: f64,
    hits: f64,
    perfect: f64,
    predicted: f64,
    truth: f64,
    divergence: f64,
}

impl Tally {
    pub fn add(&mut self, executions: u64, measure: &Measure) {
        let executions = executions as f64;
        self.branches += 1;
        self.executions += executions;
        self.hits += executions * measure.hits;
        self.perfect += executions * measure.perfect;
        self.predicted += executions * measure.predicted;
        self.truth += executions * measure.truth;
        self.divergence += executions * measure.divergence;
    }

    /// Both together.
    pub fn and(self, other: Tally) -> Tally {
        Tally {
            branches: self.branches + other.branches,
            executions: self.executions + other.executions,
            hits: self.hits + other.hits,
            perfect: self.perfect + other.perfect,
            predicted: self.predicted + other.predicted,
            truth: self.truth + other.truth,
            divergence: self.divergence + other.divergence,
        }
    }

    /// The mean over all executions.
    pub fn mean(&self) -> Measure {
        let mean = |sum: f64| if self.executions > 0.0 { sum / self.executions } else { 0.0 };
        Measure {
            hits: mean(self.hits),
            perfect: mean(self.perfect),
            predicted: mean(self.predicted),
            truth: mean(self.truth),
            divergence: mean(self.divergence),
        }
    }

    /// The executions that went another way than was said, and need not have.
    pub fn avoidable(&self) -> f64 {
        self.perfect - self.hits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compared::Kind;
    use bpa_profile::bpi::Rule;
    use bpa_profile::cfg::Block;

    /// A branch by the numerators and weights of its sides.
    fn branch(sides: &[(u32, u64)]) -> Branch {
        let side = |(place, &(numerator, truth)): (usize, &(u32, u64))| ComparedSuccessor {
            target: Block::from_u32(place as u32),
            answer: Probability::from_numerator(numerator),
            truth,
        };
        let sides = sides.iter().enumerate().map(side).collect();
        Branch { block: Block::from_u32(0), kind: Kind::TwoWay, rule: Rule::Even, executions: 8, sides }
    }

    const QUARTER: u32 = 1 << 29;

    /// Said 3/4 : 1/4, went 1 : 7. The divergence is 1/8 log2(1/6) + 7/8 log2(7/2) = -0.32312 + 1.58144.
    #[test]
    fn a_wrong_guess() {
        let measure = Measure::of(&branch(&[(3 * QUARTER, 1), (QUARTER, 7)]));
        assert_eq!((measure.hits, measure.perfect), (0.125, 0.875));
        assert_eq!((measure.predicted, measure.truth), (0.75, 0.125));
        assert!((measure.divergence - 1.258_315).abs() < 1e-6, "{}", measure.divergence);
    }

    #[test]
    fn even_answers_hit_half_and_so_on() {
        let measure = Measure::of(&branch(&[(2 * QUARTER, 1), (2 * QUARTER, 3)]));
        assert_eq!((measure.hits, measure.perfect, measure.truth), (0.5, 0.75, 0.25));
        let third = (1 << 31) / 3;
        let measure = Measure::of(&branch(&[(third, 3), (third, 0), (third, 0)]));
        assert!((measure.hits - 1.0 / 3.0).abs() < 1e-12);
        assert!((measure.divergence - 3f64.log2()).abs() < 1e-6);
    }

    #[test]
    fn a_true_answer_costs_nothing() {
        let measure = Measure::of(&branch(&[(QUARTER, 1), (3 * QUARTER, 3)]));
        assert_eq!((measure.hits, measure.perfect, measure.divergence), (0.75, 0.75, 0.0));
    }

    /// Never is not believed: what cost infinitely many bits costs 20.
    #[test]
    fn certainty_has_its_limits() {
        let measure = Measure::of(&branch(&[(4 * QUARTER, 0), (0, 5)]));
        assert!((measure.divergence - 20.0).abs() < 1e-12, "{}", measure.divergence);
        let measure = Measure::of(&branch(&[(4 * QUARTER, 5), (0, 0)]));
        assert!(measure.divergence > 0.0 && measure.divergence < 2e-6);
    }

    #[test]
    fn branches_count_as_often_as_they_run() {
        let mut tally = Tally::default();
        for (executions, sides) in
            [(10, [(2 * QUARTER, 1), (2 * QUARTER, 0)]), (30, [(QUARTER, 1), (3 * QUARTER, 1)])]
        {
            tally.add(executions, &Measure::of(&branch(&sides)));
        }
        let mean = tally.mean();
        assert_eq!((tally.branches, tally.executions, tally.avoidable()), (2, 40.0, 5.0));
        assert_eq!((mean.hits, mean.perfect), (0.5, 0.625));
        assert_eq!(Tally::default().mean().hits, 0.0);
    }
}
