//! Converts the odds of an expectation to branch weights.
//!
//! This module can use floating point, because the probability is a floating-point constant in the source. Each result
//! is computed by a few IEEE operations, which have equal results on every machine.

/// How likely the expected value is: a probability, or odds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Confidence {
    /// The odds for `llvm.expect`. Flags of the host define these odds.
    Usual(Odds),
    /// A probability from 0.0 to 1.0. LLVM does not check the range.
    Probability(f64),
}

/// Branch weights for the outcomes of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Odds {
    /// The weight of the expected outcome.
    pub expected: u32,
    /// The weight of each unexpected outcome.
    pub other: u32,
}

impl Odds {
    /// LLVM's weights for `llvm.expect` if no flag is given.
    pub const USUAL: Odds = Odds { expected: 2000, other: 1 };
}

impl Confidence {
    /// The weights for a branch with `outcomes` outcomes. The unexpected outcomes have equal weights.
    ///
    /// LLVM: `getBranchWeight`.
    pub fn odds(self, outcomes: usize) -> Odds {
        match self {
            Confidence::Usual(odds) => odds,
            Confidence::Probability(probability) => {
                let others = outcomes as f64 - 1.0;
                Odds { expected: weight(probability), other: weight((1.0 - probability) / others) }
            }
        }
    }

    /// Whether the expected value is more likely than all other values together.
    pub fn favours_expected(self) -> bool {
        match self {
            Confidence::Usual(_) => true,
            Confidence::Probability(probability) => probability > 0.5,
        }
    }
}

/// The branch weight for a probability. The weight is 1 for the probability 0.0, and 2^31-1 for the probability 1.0.
///
/// This function must not be inlined. Otherwise the optimiser could compute the weight before the code tests whether
/// there is a probability. The code would then read an uninitialised probability and discard the result. Valgrind
/// reports such a read as an error.
///
/// LLVM: `getBranchWeight`.
#[inline(never)]
fn weight(probability: f64) -> u32 {
    const SPAN: f64 = (i32::MAX - 1) as f64;
    low_bits((probability * SPAN + 1.0).ceil())
}

/// The low 32 bits of a whole number. If the probability is out of range, the conversion to 32 bits is undefined in
/// C++, and this function returns the result of x86-64.
fn low_bits(whole: f64) -> u32 {
    const LIMIT: f64 = (1u64 << 63) as f64;
    if whole.abs() < LIMIT {
        whole as i64 as u32
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn odds(probability: f64, outcomes: usize) -> (u32, u32) {
        let odds = Confidence::Probability(probability).odds(outcomes);
        (odds.expected, odds.other)
    }

    #[test]
    fn without_a_probability_the_odds_do_not_depend_on_the_number_of_outcomes() {
        for outcomes in [1, 2, 3, 1000] {
            for odds in [Odds::USUAL, Odds { expected: 7, other: 9 }] {
                assert_eq!(Confidence::Usual(odds).odds(outcomes), odds);
            }
        }
    }

    #[test]
    fn probabilities_span_31_bits() {
        assert_eq!(odds(0.0, 2), (1, i32::MAX as u32));
        assert_eq!(odds(1.0, 2), (i32::MAX as u32, 1));
        assert_eq!(odds(0.5, 2), (1 << 30, 1 << 30));
        assert_eq!(odds(0.25, 2), ((1 << 29) + 1, (3 << 29)));
    }

    #[test]
    fn other_outcomes_share_the_rest() {
        assert_eq!(odds(0.5, 3), (1 << 30, (1 << 29) + 1));
        assert_eq!(odds(0.0, 5), (1, (1 << 29) + 1));
    }

    #[test]
    fn fractions_are_rounded_up() {
        // 1e-9 * 2147483646 + 1 is about 3.15, and (1 - 1e-9) * 2147483646 + 1 is about 2147483644.85.
        assert_eq!(odds(1e-9, 2), (4, 2147483645));
    }

    #[test]
    fn the_only_outcome_gets_its_weight() {
        assert_eq!(odds(0.75, 1).0, 1610612736);
        assert_eq!(odds(1.0, 1).0, i32::MAX as u32);
    }

    #[test]
    fn probabilities_out_of_range_give_the_low_bits() {
        assert_eq!(odds(-1.0, 2), (2147483651, 4294967293));
        assert_eq!(odds(5.0, 2), (2147483639, 9));
        assert_eq!(odds(f64::NAN, 2), (0, 0));
        assert_eq!(odds(1e300, 2), (0, 0));
        assert_eq!(odds(f64::NEG_INFINITY, 2), (0, 0));
    }

    #[test]
    fn one_half_favours_nothing() {
        assert!(Confidence::Usual(Odds::USUAL).favours_expected());
        assert!(Confidence::Probability(0.500001).favours_expected());
        assert!(!Confidence::Probability(0.5).favours_expected());
        assert!(!Confidence::Probability(f64::NAN).favours_expected());
    }
}
