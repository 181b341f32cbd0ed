//! The canonical form of comparisons. Passes rewrite comparisons (`x <= 0` becomes `x < 1`), negate conditions and swap
//! successors. Features of the canonical form do not depend on these rewrites.

use super::tested::{Test, TestKind};
use bpa_profile::facts::{ConstantKind, Predicate};

use Predicate::*;

impl Test {
    /// Replaces the comparison by its canonical form. The canonical predicates are `==`, `<` and "no NaN". If the right
    /// operand is not a known integer, `>` is also canonical. Changes [`Test::inverted`] if the canonical comparison is
    /// the negation of the comparison.
    ///
    /// `number` is the right operand, if it is an integer constant: its value, sign-extended from its width, and its
    /// width in bits.
    pub fn make_canonical(&mut self, number: Option<(i64, u32)>) {
        let Some(predicate) = self.predicate else { return };
        let number = number.filter(|_| self.kind == TestKind::Integers);
        let (mut predicate, inverted) = match (predicate, number) {
            (Equal, _) => return,
            (Unequal, _) => (Equal, true),
            (_, number) => match number.and_then(|number| strict(predicate, number)) {
                Some((predicate, constant, inverted)) => {
                    self.set_constant(constant);
                    (predicate, inverted)
                }
                None => match predicate {
                    LessOrEqual | GreaterOrEqual | BelowOrEqual | AboveOrEqual | Unordered => {
                        (predicate.negated(), true)
                    }
                    _ => (predicate, false),
                },
            },
        };
        if predicate == Below && number.is_some() && self.constant == Some(ConstantKind::One) {
            self.set_constant(0);
            predicate = Equal;
        }
        self.predicate = Some(predicate);
        self.inverted ^= inverted;
    }

    fn set_constant(&mut self, number: i64) {
        self.constant = Some(ConstantKind::of(number));
        self.magnitude = magnitude(number);
    }
}

/// The number of binary digits of a constant's absolute value.
pub fn magnitude(number: i64) -> u32 {
    u64::BITS - number.unsigned_abs().leading_zeros()
}

/// Replaces a comparison with a number by `<` or unsigned `<`. Returns the predicate, the number, and whether the new
/// comparison is the negation of the old comparison. The result is `None` for equality, and if `number + 1` overflows.
fn strict(predicate: Predicate, (number, bits): (i64, u32)) -> Option<(Predicate, i64, bool)> {
    let above = u64::BITS.saturating_sub(bits);
    let next = number.wrapping_add(1) << above >> above;
    match predicate {
        Less | Below => Some((predicate, number, false)),
        GreaterOrEqual => Some((Less, number, true)),
        AboveOrEqual => Some((Below, number, true)),
        LessOrEqual | Greater if next > number => Some((Less, next, predicate == Greater)),
        BelowOrEqual | Above if next != 0 => Some((Below, next, predicate == Above)),
        _ => None,
    }
}

#[cfg(test)]
pub(crate) const PREDICATES: [Predicate; 12] = [
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Below,
    BelowOrEqual,
    Above,
    AboveOrEqual,
    Ordered,
    Unordered,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Counter;

    fn test(predicate: Predicate, number: i64) -> Test {
        let constant = Some(ConstantKind::of(number));
        let test = Test { kind: TestKind::Integers, predicate: Some(predicate), constant, ..Test::default() };
        Test { magnitude: magnitude(number), ..test }
    }

    fn canonical(mut test: Test, number: Option<(i64, u32)>) -> Test {
        test.make_canonical(number);
        test
    }

    #[test]
    fn the_canonical_comparison_is_equivalent_for_all_numbers_of_four_bits() {
        for (predicate, number) in PREDICATES.iter().flat_map(|&one| (-8..8).map(move |number| (one, number)))
        {
            let Some((canonical, bound, inverted)) = strict(predicate, (number, 4)) else { continue };
            assert!((-8..8).contains(&bound));
            for value in 0..16 {
                let holds = |predicate, bound: i64| {
                    Counter { bits: 4, start: value, step: 0, bound: bound as u64 }.holds(predicate, value)
                };
                assert_eq!(holds(predicate, number).map(|held| held != inverted), holds(canonical, bound));
            }
        }
    }

    #[test]
    fn negation_changes_only_the_polarity() {
        for predicate in PREDICATES {
            for number in [None, Some(-128), Some(-1), Some(0), Some(1), Some(127)] {
                let canonical =
                    |predicate| canonical(test(predicate, number.unwrap_or(5)), number.map(|one| (one, 8)));
                let (one, other) = (canonical(predicate), canonical(predicate.negated()));
                assert_eq!(one, Test { inverted: !other.inverted, ..other });
            }
        }
    }

    #[test]
    fn spellings_of_one_comparison_are_equal() {
        let canonical = |predicate, number| canonical(test(predicate, number), Some((number, 32)));
        for (one, other, inverted) in [
            ((LessOrEqual, 0), (Less, 1), false),
            ((GreaterOrEqual, 0), (Greater, -1), false),
            ((Below, 1), (Equal, 0), false),
            ((Above, 0), (Equal, 0), true),
            ((GreaterOrEqual, 9), (LessOrEqual, 8), true),
        ] {
            let expected = canonical(other.0, other.1);
            assert_eq!(canonical(one.0, one.1), Test { inverted: expected.inverted != inverted, ..expected });
        }
    }
}
