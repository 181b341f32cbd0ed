//! How often a loop's counter passes a test.

use bpa_profile::facts::Predicate;

use super::MOST;

/// A loop's counter that is compared with a constant. All integers are `bits` wide, and what stands above is not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// From 1 to 64.
    pub bits: u32,
    /// What is compared the first time.
    pub start: u64,
    /// What it grows by each time around.
    pub step: u64,
    /// What it is compared with.
    pub bound: u64,
}

impl Counter {
    /// How often in a row the comparison has the answer that it has the first time, counted up to [`MOST`]. 0 if integers are
    /// not compared that way.
    pub fn turns(&self, predicate: Predicate) -> u32 {
        let Some(first) = self.holds(predicate, self.start) else { return 0 };
        let mut value = self.start;
        for turn in 1..MOST {
            value = value.wrapping_add(self.step);
            if self.holds(predicate, value) != Some(first) {
                return turn;
            }
        }
        MOST
    }

    fn holds(&self, predicate: Predicate, value: u64) -> Option<bool> {
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

    fn turns(bits: u32, start: i64, step: i64, predicate: Predicate, bound: i64) -> u32 {
        Counter { bits, start: start as u64, step: step as u64, bound: bound as u64 }.turns(predicate)
    }

    #[test]
    fn counters_are_counted() {
        assert_eq!(turns(32, 0, 1, Predicate::Less, 8), 8);
        assert_eq!(turns(32, 0, 1, Predicate::LessOrEqual, 8), 9);
        assert_eq!(turns(32, 0, 2, Predicate::Unequal, 8), 4);
        assert_eq!(turns(32, 7, -1, Predicate::GreaterOrEqual, 0), 8);
        assert_eq!(turns(32, 7, -1, Predicate::Greater, 0), 7);
        // The first answer is no, and is so until the counter is 3.
        assert_eq!(turns(32, 0, 1, Predicate::Equal, 3), 3);
        assert_eq!(turns(32, 9, 1, Predicate::Less, 8), MOST);
    }

    #[test]
    fn what_is_above_the_width_does_not_count() {
        assert_eq!(turns(8, 250, 1, Predicate::Unequal, 0), 6);
        assert_eq!(turns(8, 120, 1, Predicate::Greater, 0), 8);
        assert_eq!(turns(8, 250, 1, Predicate::Above, 100), 6);
        assert_eq!(turns(1, 0, 1, Predicate::Equal, 0), 1);
        assert_eq!(turns(64, i64::MAX, 1, Predicate::Greater, 0), 1);
    }

    #[test]
    fn what_does_not_end_is_counted_to_the_most() {
        assert_eq!(turns(32, 0, 0, Predicate::Less, 8), MOST);
        assert_eq!(turns(32, 0, 1, Predicate::Less, i64::from(MOST)), MOST);
        assert_eq!(turns(32, 0, 1, Predicate::Less, i64::from(MOST) - 1), MOST - 1);
        assert_eq!(turns(32, 0, 1, Predicate::Ordered, 5), 0);
    }
}
