//! Mass: how much of the flow into a loop or function passes through a block, in 64-bit fixed point.

use super::Scaled;

/// A share of the flow. 2^64-1 is the whole flow.
///
/// LLVM: `BlockMass`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mass(pub u64);

impl Mass {
    /// No flow.
    ///
    /// LLVM: `BlockMass::getEmpty`.
    pub(crate) const EMPTY: Mass = Mass(0);
    /// The whole flow.
    ///
    /// LLVM: `BlockMass::getFull`.
    pub(crate) const FULL: Mass = Mass(u64::MAX);

    /// The sum of `self` and `other`, or [`FULL`](Self::FULL) if the sum is larger.
    ///
    /// LLVM: `BlockMass::operator+=`.
    pub(crate) fn plus(self, other: Mass) -> Mass {
        Mass(self.0.saturating_add(other.0))
    }

    /// `self` minus `other`, or 0 if `other` is larger.
    ///
    /// LLVM: `BlockMass::operator-=`.
    pub(crate) fn minus(self, other: Mass) -> Mass {
        Mass(self.0.saturating_sub(other.0))
    }

    /// Converts a fraction of the whole flow to a mass, and rounds down.
    ///
    /// LLVM: `ScaledNumber::scale`.
    pub(crate) fn of_part(part: Scaled) -> Mass {
        Mass((Scaled::new(u64::MAX, 0) * part).to_u64())
    }

    /// (mass + 1) / 2^64. The mass [`FULL`](Self::FULL) becomes exactly 1.
    ///
    /// The mass 0 becomes a number above 0. A block that never runs therefore gets the smallest frequency, and the
    /// computation of scales and integers never divides by 0.
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
    fn full_mass_is_one_and_empty_mass_is_one_unit() {
        assert_eq!(Mass::FULL.to_scaled(), Scaled::ONE);
        assert_eq!(Mass::EMPTY.to_scaled(), Scaled::new(1, -64));
    }
}
