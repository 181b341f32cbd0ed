//! Mass: the share of the flow into a loop or function that passes a block, in 64-bit fixed point.

use super::Scaled;

/// A share of the flow; 2^64-1 is all of it.
///
/// LLVM: `BlockMass`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mass(pub u64);

impl Mass {
    /// None of the flow.
    ///
    /// LLVM: `BlockMass::getEmpty`.
    pub(crate) const EMPTY: Mass = Mass(0);
    /// All of the flow.
    ///
    /// LLVM: `BlockMass::getFull`.
    pub(crate) const FULL: Mass = Mass(u64::MAX);

    /// The sum of both shares, saturating at all of the flow.
    ///
    /// LLVM: `BlockMass::operator+=`.
    pub(crate) fn plus(self, other: Mass) -> Mass {
        Mass(self.0.saturating_add(other.0))
    }

    /// The difference, saturating at 0.
    ///
    /// LLVM: `BlockMass::operator-=`.
    pub(crate) fn minus(self, other: Mass) -> Mass {
        Mass(self.0.saturating_sub(other.0))
    }

    /// `part` of all of the flow, rounded down.
    ///
    /// LLVM: `ScaledNumber::scale`.
    pub(crate) fn of_part(part: Scaled) -> Mass {
        Mass((Scaled::new(u64::MAX, 0) * part).to_u64())
    }

    /// (mass + 1) / 2^64, so that all of the flow is exactly 1.
    ///
    /// The result is above 0 for an empty mass too: a block that is never taken has the smallest frequency, and scales and
    /// integers do not divide by 0.
    ///
    /// LLVM: `BlockMass::toScaled`.
    pub(crate) fn to_scaled(self) -> Scaled {
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
    fn sums_and_differences_saturate() {
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
