//! Mass: how much of the flow into a loop or function passes a block, as 64-bit fixed point.

use super::Scaled;

/// A share of the flow, where 2^64-1 stands for all of it.
///
/// LLVM: `BlockMass`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mass(pub u64);

impl Mass {
    /// None of the flow.
    ///
    /// LLVM: `BlockMass::getEmpty`.
    pub const EMPTY: Mass = Mass(0);
    /// All of the flow.
    ///
    /// LLVM: `BlockMass::getFull`.
    pub const FULL: Mass = Mass(u64::MAX);

    /// Both shares together, at most everything.
    ///
    /// LLVM: `BlockMass::operator+=`.
    pub fn plus(self, other: Mass) -> Mass {
        Mass(self.0.saturating_add(other.0))
    }

    /// What is left without `other`, at least nothing.
    ///
    /// LLVM: `BlockMass::operator-=`.
    pub fn minus(self, other: Mass) -> Mass {
        Mass(self.0.saturating_sub(other.0))
    }

    /// `part` of all of the flow, rounded down.
    ///
    /// LLVM: `ScaledNumber::scale`.
    pub fn of_part(part: Scaled) -> Mass {
        Mass((Scaled::new(u64::MAX, 0) * part).to_u64())
    }

    /// The mass over 2^64, counted up by one unit, so that all of the flow is exactly 1.
    ///
    /// The unit also keeps an empty mass above 0: a block that is never taken still has a frequency, the
    /// smallest there is, and scales and integers need not divide by 0.
    ///
    /// LLVM: `BlockMass::toScaled`.
    pub fn to_scaled(self) -> Scaled {
        match self.0.checked_add(1) {
            Some(units) => Scaled::new(units, -64),
            None => Scaled::ONE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_no_more_than_everything_and_no_less_than_nothing() {
        assert_eq!(Mass::FULL.plus(Mass(1)), Mass::FULL);
        assert_eq!(Mass(2).plus(Mass(3)), Mass(5));
        assert_eq!(Mass::EMPTY.minus(Mass(1)), Mass::EMPTY);
        assert_eq!(Mass(3).minus(Mass(2)), Mass(1));
    }

    #[test]
    fn all_of_the_flow_is_one_and_none_of_it_a_unit() {
        assert_eq!(Mass::FULL.to_scaled(), Scaled::ONE);
        assert_eq!(Mass::EMPTY.to_scaled(), Scaled::new(1, -64));
    }
}
