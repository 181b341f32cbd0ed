//! Counts the iterations until the comparison of a loop counter with a constant changes its result.

use bpa_profile::facts::Predicate;

use super::MOST;

/// A loop counter that is compared with a constant. Each value is an integer of `bits` bits, in the low
/// bits of a `u64`. The other bits of the `u64` are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The width of the integers, from 1 to 64.
    pub bits: u32,
    /// The value of the counter in the first iteration.
    pub start: u64,
    /// The number by which the counter increases in each iteration.
    pub step: u64,
    /// The constant with which the counter is compared.
    pub bound: u64,
}

impl Counter {
    /// The number of iterations until the result of the comparison changes. The count is at most [`MOST`]. If
    /// `predicate` does not compare integers, the count is 0.
    pub fn iterations(&self, predicate: Predicate) -> u32 {
        let Some(first) = self.holds(predicate, self.start) else { return 0 };
        let mut value = self.start;
        for iteration in 1..MOST {
            value = value.wrapping_add(self.step);
            if self.holds(predicate, value) != Some(first) {
                return iteration;
            }
        }
        MOST
    }

    pub(super) fn holds(&self, predicate: Predicate, value: u64) -> Option<bool> {
        let above = u64::BITS - self.bits;
        let unsigned = (value << above, self.bound << above);
        let signed = (unsigned.0 as i64, unsigned.1 as i64);
        Some(match predicate {
            Predicate::Equal => unsigned.0 == unsigned.1,
            Predicate::Unequal => unsigned.0 != unsigned.1,
            Predicate::Less => signed.0 < signed.1,
            Predicate::LessOrEqual => signed.0 <= signed.1,
            Predicate::Greater => signed.0 > signed.1,
            Predicate::GreaterOrEqual => signed.0 >= signed.1,
            Predicate::Below => unsigned.0 < unsigned.1,
            Predicate::BelowOrEqual => unsigned.0 <= unsigned.1,
            Predicate::Above => unsigned.0 > unsigned.1,
            Predicate::AboveOrEqual => unsigned.0 >= unsigned.1,
            Predicate::Ordered | Predicate::Unordered => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iterations(bits: u32, start: i64, step: i64, predicate: Predicate, bound: i64) -> u32 {
        Counter { bits, start: start as u64, step: step as u64, bound: bound as u64 }.iterations(predicate)
    }

    #[test]
    fn iterations_are_counted() {
        assert_eq!(iterations(32, 0, 1, Predicate::Less, 8), 8);
        assert_eq!(iterations(32, 0, 1, Predicate::LessOrEqual, 8), 9);
        assert_eq!(iterations(32, 0, 2, Predicate::Unequal, 8), 4);
        assert_eq!(iterations(32, 7, -1, Predicate::GreaterOrEqual, 0), 8);
        assert_eq!(iterations(32, 7, -1, Predicate::Greater, 0), 7);
        // The comparison is false for the values 0, 1 and 2 of the counter.
        assert_eq!(iterations(32, 0, 1, Predicate::Equal, 3), 3);
        assert_eq!(iterations(32, 9, 1, Predicate::Less, 8), MOST);
    }

    #[test]
    fn bits_above_the_width_are_ignored() {
        assert_eq!(iterations(8, 250, 1, Predicate::Unequal, 0), 6);
        assert_eq!(iterations(8, 120, 1, Predicate::Greater, 0), 8);
        assert_eq!(iterations(8, 250, 1, Predicate::Above, 100), 6);
        assert_eq!(iterations(1, 0, 1, Predicate::Equal, 0), 1);
        assert_eq!(iterations(64, i64::MAX, 1, Predicate::Greater, 0), 1);
    }

    #[test]
    fn counts_are_limited() {
        assert_eq!(iterations(32, 0, 0, Predicate::Less, 8), MOST);
        assert_eq!(iterations(32, 0, 1, Predicate::Less, i64::from(MOST)), MOST);
        assert_eq!(iterations(32, 0, 1, Predicate::Less, i64::from(MOST) - 1), MOST - 1);
        assert_eq!(iterations(32, 0, 1, Predicate::Ordered, 5), 0);
    }
}
